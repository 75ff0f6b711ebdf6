/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include <stdbool.h>

#include "store/notes.h"
#include "store/text.h"

/*
 * A file or standard input as bytes, unpacked (in a thread of its own) where it is gzip, zstd or
 * xz, several members too; what it is is told by its first bytes, never by its name.
 */
typedef struct Input Input;

/* Opens `path`, "-" being standard input. Directories, and what cannot be read, are errors. */
Input *input_open(const char *path, Notes *notes, GError **error);
/* Takes over `fd`, a pipe that another program writes to; `name` is used in messages. */
Input *input_adopt(int fd, const char *name, Notes *notes, GError **error);

void input_free(Input *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Input, input_free)

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
