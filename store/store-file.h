/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdio.h>

#include "store/store.h"

/*
 * A store as bytes: `*.beat`. docs/store-format.md describes them. Everything is checked before it
 * is believed: header, index and tables when the store is opened, blocks of the sample columns
 * when first touched; whatever is wrong is FLAMEBEAT_ERROR_DAMAGED with the section named.
 */

/* The first bytes of every store. */
#define STORE_MAGIC                                                                                \
	"\x89"                                                                                     \
	"BEAT\r\n\x1a"
#define STORE_MAGIC_LEN 8

/* Writes the whole store; errors of writing are found by the caller's ferror(). False only where
 * `self` itself is damaged (its blocks are verified before they are copied). */
bool store_write(const Store *self, FILE *out, GError **error);

/* Maps the file; `path` is used in messages. The samples are not read. */
Store *store_open(const char *path, GError **error);

/* The same of a file that is open already, which stays the caller's. */
Store *store_open_fd(int fd, const char *name, GError **error);

/* A store in memory, which it keeps a reference to; `name` is used in messages. */
Store *store_open_bytes(GBytes *bytes, const char *name, GError **error);

/* Verifies every byte that was not verified yet. */
bool store_verify(const Store *self, GError **error);

/* The part of store_touch() that concerns files. */
bool store_file_touch(const Store *self, StoreSection section, uint64_t first, uint64_t n,
		      GError **error);

/* "time", "stack", …: as messages and `info` name it. */
const char *store_section_name(StoreSection section);
