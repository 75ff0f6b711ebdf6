/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#include "parse/input.h"
#include "parse/skips.h"

/* Lines of an input, with bounded memory. */
typedef struct {
	Input *input;
	Skips *skips;
	char *buffer;
	size_t next, end;
	bool is_end;
	uint64_t line;	  /* number of the last line given, from 1 */
	uint64_t n_bytes; /* read so far */
} LineReader;

void line_reader_init(LineReader *self, Input *input, Skips *skips);
void line_reader_clear(LineReader *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(LineReader, line_reader_clear)

/*
 * The next line without its line feed, valid until the next call; `text->data` is NULL at the end.
 * A line longer than MAX_LINE_BYTES is skipped, and counted. False with `error` where reading
 * failed.
 */
bool line_reader_next(LineReader *self, Text *text, GError **error);
