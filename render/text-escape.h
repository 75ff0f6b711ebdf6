/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdio.h>

#include "store/text.h"

/*
 * Names from a recording are hostile text. These make them fit for where they go.
 */

/* Valid UTF-8 for drawing (cairo) and metadata: invalid bytes and controls (C0, DEL, C1, bidi
 * overrides, U+2028/9) become U+FFFD; at most `max_bytes` long (0: any), cut at a character.
 * g_free() it. */
char *text_to_utf8(Text text, size_t max_bytes);

/* For a terminal: as text_to_utf8, but controls and invalid bytes as \xNN. g_free() it. */
char *text_to_terminal(Text text);

/* Writes `text` as XML character data, also fit for attributes in double quotes: & < > " '
 * escaped, what XML 1.0 forbids, other controls (as text_to_utf8) and invalid UTF-8 replaced by
 * U+FFFD. */
void xml_write_text(FILE *out, Text text);

/* A field of RFC 4180: as text_to_utf8, in quotes where it must be. */
void csv_write_field(FILE *out, Text text);
