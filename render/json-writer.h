/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdint.h>
#include <stdio.h>

#include "store/text.h"

/*
 * Pieces for writing JSON as a stream, without building it and without recursion. Callers place
 * the brackets and commas themselves.
 */

/* `text` as a JSON string with its quotes: invalid UTF-8 becomes U+FFFD, control characters, `<`,
 * `>` and `&` (so that it is inert in HTML), U+2028 and U+2029 are escaped, all as Go does it. */
void json_write_string(FILE *out, Text text);
void json_write_cstring(FILE *out, const char *string);

void json_write_u64(FILE *out, uint64_t value);
void json_write_i64(FILE *out, int64_t value);

/* As few digits as name the number; null where it is none or infinite. */
void json_write_double(FILE *out, double value);

/* numerator / denominator as a decimal number: an integer where it is one, else up to 6 places;
 * exact arithmetic, no locale. denominator > 0. */
void json_write_ratio(FILE *out, int64_t numerator, int64_t denominator);
