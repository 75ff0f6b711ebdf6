/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

#include "parse/load.h"
#include "store/notes.h"
#include "store/store.h"

/* A file of these bytes in a temporary folder of its own; parse_fixture_remove() removes both and
 * frees the path. */
char *parse_fixture_file(const char *bytes, size_t n);
void parse_fixture_remove(char *path);

/* The recording that `text` is; NULL with `error`. `settings` and `notes` may be NULL. */
Store *parse_fixture_try(const char *text, size_t n, const LoadSettings *settings, Notes *notes,
			 GError **error);

/* The same of a string that must be a recording. */
Store *parse_fixture_load(const char *text, Notes *notes);

/* The recording at /work/shared/data/`name`; NULL, and the test skipped, where it is missing. */
Store *parse_fixture_shared(const char *name);

/*
 * All samples, one a line, in the store's order:
 *
 *     TIME COMM PID/TID CPU EVENT PERIOD frame (dso);frame;leaf (dso)
 *
 * TIME in seconds, `-` for what is not known, `@` for a frame without symbol, `~` before an
 * inlined one. g_free() it.
 */
char *parse_fixture_samples(const Store *store);

/* The text's samples are exactly `expected`. */
void parse_fixture_check(const char *text, const char *expected);
