/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#include "store/text.h"

/*
 * UTF-16 to UTF-8, as a stream: `>` in PowerShell writes text so, with a byte order mark first.
 * Surrogates that have no partner, and half a unit at the end, become U+FFFD and are counted.
 */
typedef struct {
	bool is_big;
	bool has_half; /* the first byte of a unit is in `half` */
	uint8_t half;
	uint32_t high; /* a high surrogate that waits for its partner, or 0 */
	uint64_t n_bad;
} Utf16;

/* Whether `head` begins with a mark; then `self` is set up and the mark is taken off. */
bool utf16_begin(Utf16 *self, Text *head);

/* Appends what `bytes` are to `text`. */
void utf16_decode(Utf16 *self, Text bytes, GString *text);
/* There are no more. */
void utf16_finish(Utf16 *self, GString *text);
