/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "store/text.h"

/*
 * One level of a stack as `perf script` prints it (shared reference formats.md, 1.6 and 1.7):
 *
 *     [blanks] ip [symbol][+0xoffset] [(dso)] | ip symbol[+0xoffset] (inlined)
 */
typedef struct {
	uint64_t ip;
	Text symbol; /* empty: unknown */
	Text dso;    /* empty: none printed */
	bool is_inlined;
} FrameLine;

bool frame_line_parse(Text line, FrameLine *frame);

/* The part behind the ip: symbol, offset and DSO. Symbols and DSOs can hold parentheses. */
void frame_line_split(Text text, FrameLine *frame);
