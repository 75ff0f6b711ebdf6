/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdio.h>

#include "slice/diff.h"

/* Numbers of a comparison as people read them; no locale takes part. All texts are ASCII but for
 * the multiplication sign. */

#define DIFF_WORDS_SIZE 64

/* A side's value: "12.34%", "28.1/s", "1,234". */
void diff_format_value(char text[DIFF_WORDS_SIZE], const Diff *diff, double value);

/* With its sign: "+6.74", "-12.5"; in the unit of diff_delta_unit(). */
void diff_format_delta(char text[DIFF_WORDS_SIZE], double delta);

/* "2.68", "0.031"; "inf", "-" where there is none. */
void diff_format_ratio(char text[DIFF_WORDS_SIZE], double ratio);

/* "0.043", "3e-12". */
void diff_format_q(char text[DIFF_WORDS_SIZE], double q);

/* ` (561 samples, 10.76%; base 210, 4.02%: +6.74 points, x2.68 …)`: all that is known of a node. */
void diff_write_words(FILE *out, const Diff *diff, const DiffItem *item, const char *unit);
