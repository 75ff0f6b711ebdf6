/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include <stdbool.h>

#include "parse/raw-file.h"
#include "store/text.h"

typedef enum {
	UNPACK_MORE,	   /* went as far as input and room allowed */
	UNPACK_MEMBER_END, /* a member ended, its checksum is right */
	UNPACK_DAMAGED,
	UNPACK_TOO_LARGE, /* it asks for more memory than it may have */
} UnpackStatus;

/* One packed form: a row of unpackers[], defined at the foot of its own file. */
typedef struct {
	const char *name;
	bool (*starts)(Text bytes); /* whether a member begins with `bytes` (at least 6, or all) */
	void *(*begin)(void);	    /* state for a file; NULL when out of memory */
	bool (*again)(void *state); /* for the next member */
	/* Takes from `in`, gives to `out`; both move on by what was used. */
	UnpackStatus (*run)(void *state, Text *in, char **out, size_t *n_out);
	void (*end)(void *state);
} Unpacker;

/* Ends with NULL. */
extern const Unpacker *const unpackers[];

extern const Unpacker unpacker_gzip;
extern const Unpacker unpacker_zstd;
extern const Unpacker unpacker_xz;

/* A packed file being unpacked: several members one after the other. */
typedef struct {
	RawFile *file;
	const Unpacker *unpacker; /* NULL: the file is not packed */
	void *state;
	bool is_in_member;
	uint64_t n_out;
	char *note; /* what should be said when all is read (cut off, trailing bytes); or NULL */
} Unpacking;

/* Looks at the first bytes of `file`. */
bool unpacking_begin(Unpacking *self, RawFile *file, GError **error);
void unpacking_clear(Unpacking *self);

/* As raw_file_read(), unpacked. */
gssize unpacking_read(Unpacking *self, char *bytes, gsize size, GError **error);
