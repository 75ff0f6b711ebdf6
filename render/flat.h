/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdio.h>

#include "render/exporter.h"
#include "render/layout.h"

/*
 * Writes the frames that are drawn as arrays (tree-flat.c); `extra`, which may be NULL, adds keys
 * of its own, each beginning with a comma, with a value for each of the `n` rectangles.
 */
typedef void (*FlatExtra)(FILE *out, const void *context, const LayoutRect *rects, guint n);
void flat_write(FILE *out, const CallTree *tree, const Caption *caption, const TreeStyle *style,
		FlatExtra extra, const void *context);
