/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include <stdbool.h>

/*
 * What a user should know although the command went on: printed on standard error by the CLI,
 * one line each, in the order added. A *shortfall* is a note that makes `--strict` exit with 3:
 * part of the input could not be read, a selection was empty, swapped or clamped, or a filter
 * matched nothing.
 */
typedef struct Notes Notes;

Notes *notes_new(void);
void notes_free(Notes *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Notes, notes_free)

/* Adds a formatted line; `self` may be NULL (the note is dropped). The same line is kept once. */
void notes_add(Notes *self, const char *format, ...) G_GNUC_PRINTF(2, 3);
void notes_add_shortfall(Notes *self, const char *format, ...) G_GNUC_PRINTF(2, 3);

/* `1 line`, `12 lines`: for messages. g_free() it. */
char *counted(guint64 n, const char *thing);

/* Adds those of `other`, in their order. */
void notes_add_all(Notes *self, const Notes *other);

guint notes_count(const Notes *self);
const char *notes_get(const Notes *self, guint i);
bool notes_has_shortfall(const Notes *self);
