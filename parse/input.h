/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include <stdbool.h>

#include "store/notes.h"
#include "store/text.h"

/*
 * A file or standard input as bytes, unpacked (in a thread of its own) where it is gzip, zstd or
 * xz, several members too; what it is is told by its first bytes, never by its name. Text in
 * UTF-16, which begins with a mark, is given out as UTF-8.
 */
typedef struct Input Input;

/* Opens `path`, "-" being standard input. Directories, and what cannot be read, are errors. */
Input *input_open(const char *path, Notes *notes, GError **error);
/* Takes over `fd`, a pipe that another program writes to; `name` is used in messages. */
Input *input_adopt(int fd, const char *name, Notes *notes, GError **error);

void input_free(Input *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Input, input_free)

/*
 * Told after every read, in the thread that reads: bytes of the file that were read, packed as they
 * lie there, and how many there are (0: not known). Where it returns false, the read fails.
 */
typedef bool (*InputWatch)(void *data, uint64_t n_bytes, uint64_t n_total);

void input_watch(Input *self, InputWatch watch, void *data);
/* Has `self` watched as `other` is: it is read in its stead. */
void input_watch_like(Input *self, const Input *other);
/* Whether it was the watch that made a read fail. */
bool input_was_stopped(const Input *self);

/* What messages call it: the path, or "standard input". */
const char *input_name(const Input *self);

/* The path where the bytes are those of a regular file as they are (so that it can be mapped),
 * else NULL. */
const char *input_plain_path(const Input *self);

#define INPUT_PEEK 65536

/* The first bytes, up to INPUT_PEEK of them, without consuming them; valid until input_read(). */
bool input_peek(Input *self, Text *head, GError **error);

/*
 * Up to `size` bytes; 0 at the end, -1 with `error` set. A file that ends too early gives what
 * was there and a note; a wrong checksum is an error.
 */
gssize input_read(Input *self, char *buffer, gsize size, GError **error);
