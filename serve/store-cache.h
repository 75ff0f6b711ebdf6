/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#include "parse/load.h"
#include "store/notes.h"
#include "store/store.h"

/* What tells whether a file is still the one that was read. */
typedef struct {
	uint64_t device, inode, size;
	int64_t mtime_ns;
} FileIdentity;

/* A regular file that can be read; else says what it is. */
bool file_identity_read(FileIdentity *self, const char *path, GError **error);
bool file_identity_equal(const FileIdentity *a, const FileIdentity *b);
/* Makes `self`, which begins as all zeros, the identity of one file more. */
void file_identity_add(FileIdentity *self, const FileIdentity *other);

/*
 * The recording of `paths`, which have `identity` together: a store is mapped; anything else is
 * parsed once and kept as a store under XDG's cache folder (flamebeat/, mode 0700), under a name
 * made of the paths, the identity and the program's version, so that a file that changed is read
 * anew. Where nothing can be kept there the recording stays in memory, with a note. `progress` as
 * in LoadSettings.
 */
Store *store_cache_load(char *const *paths, const FileIdentity *identity, ProgressFunc progress,
			void *progress_data, Notes *notes, GError **error);

/* Removes what was not used for 30 days. */
void store_cache_prune(void);
