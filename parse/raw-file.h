/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include <stdbool.h>

#include "store/text.h"

/* A file or standard input as bytes, with a look-ahead. */
typedef struct {
	char *name; /* for messages */
	int fd;
	bool is_regular;
	int stop_fd;  /* once it can be read, waiting for more bytes ends: the file seems to; or -1
		       */
	bool is_end;  /* nothing comes after what is in the buffer */
	char *buffer; /* [next, end) is not consumed yet */
	size_t next, end;
	uint64_t n_read;  /* so far; others may look at it (atomically) meanwhile */
	uint64_t n_total; /* size of a regular file, else 0 */
} RawFile;

#define RAW_BYTES (1u << 18)

/* `path` "-" is standard input. Directories, and what cannot be read, are errors. */
bool raw_file_open(RawFile *self, const char *path, GError **error);
/* Takes over `fd`; `name` is used in messages. */
void raw_file_adopt(RawFile *self, int fd, const char *name);

void raw_file_clear(RawFile *self);

/* Reads until `n` bytes (at most RAW_BYTES) are in the buffer, or the end. */
bool raw_file_fill(RawFile *self, size_t n, GError **error);

/* More bytes behind those in the buffer, which must not be full. */
bool raw_file_more(RawFile *self, GError **error);

/* Up to `size` bytes into `bytes`; 0 at the end, -1 with `error` set. */
gssize raw_file_read(RawFile *self, char *bytes, gsize size, GError **error);

static inline Text raw_file_text(const RawFile *self)
{
	return (Text){ self->buffer + self->next, self->end - self->next };
}
