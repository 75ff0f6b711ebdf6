/* SPDX-License-Identifier: MIT */
/*
 * One buffer of a few maximal lines; newlines are found by memchr, which is as fast as memory. A
 * line is moved only when the buffer's end cuts it.
 */

#include "parse/line-reader.h"

#include "store/limits.h"

#define BUFFER_BYTES (2 * (size_t)MAX_LINE_BYTES)

void line_reader_init(LineReader *self, Input *input, Skips *skips)
{
	memset(self, 0, sizeof(*self));
	self->input = input;
	self->skips = skips;
	self->buffer = g_malloc(BUFFER_BYTES);
}

void line_reader_clear(LineReader *self)
{
	g_free(self->buffer);
	self->buffer = NULL;
}

/* Makes room and reads on. */
static bool fill(LineReader *self, GError **error)
{
	gssize n;

	memmove(self->buffer, self->buffer + self->next, self->end - self->next);
	self->end -= self->next;
	self->next = 0;
	n = input_read(self->input, self->buffer + self->end, BUFFER_BYTES - self->end, error);
	if (n < 0)
		return false;
	self->is_end = n == 0;
	self->end += (size_t)n;
	self->n_bytes += (uint64_t)n;
	return true;
}

/* Drops the rest of a line that is too long. */
static bool skip_line(LineReader *self, GError **error)
{
	char *newline = NULL;

	skips_add(self->skips, ++self->line, SKIP_TOO_LONG);
	while (newline == NULL && !(self->is_end && self->next == self->end)) {
		newline = memchr(self->buffer + self->next, '\n', self->end - self->next);
		self->next = newline != NULL ? (size_t)(newline + 1 - self->buffer) : self->end;
		if (newline == NULL && !self->is_end && !fill(self, error))
			return false;
	}
	return true;
}

static void give(LineReader *self, size_t n, size_t n_used, Text *text)
{
	*text = (Text){ self->buffer + self->next, n };
	self->next += n_used;
	self->line++;
}

bool line_reader_next(LineReader *self, Text *text, GError **error)
{
	for (;;) {
		size_t n = self->end - self->next;
		char *newline = n > 0 ? memchr(self->buffer + self->next, '\n', n) : NULL;
		size_t length = newline != NULL ? (size_t)(newline - self->buffer) - self->next : n;

		if (length > MAX_LINE_BYTES) {
			if (!skip_line(self, error))
				return false;
		} else if (newline != NULL) {
			give(self, length, length + 1, text);
			return true;
		} else if (!self->is_end) {
			if (!fill(self, error))
				return false;
		} else {
			if (n > 0)
				give(self, n, n, text);
			else
				*text = (Text){ NULL, 0 };
			return true;
		}
	}
}
