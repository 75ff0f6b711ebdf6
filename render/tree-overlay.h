/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdint.h>
#include <stdio.h>

#include "render/palette.h"

/*
 * Where frames are not coloured by their names: what a flame graph shows instead, such as the
 * changes of a differential one. Colours are few, so that there can be a legend.
 */

/* One of the overlay's colours; hatched: there was something here. */
typedef struct {
	uint8_t colour;
	bool is_hatched;
} FrameInk;

typedef struct {
	FrameInk ink;
	const char *words; /* UTF-8 */
} LegendEntry;

typedef struct {
	const Rgb *colours;
	uint8_t n_colours;
	FrameInk (*ink)(const void *context, uint32_t node);
	/* What is said of a frame after its name, ` (1,234 samples, …)`, as text of XML. */
	void (*write_words)(FILE *out, const void *context, uint32_t node);
	/* The same at the beginning of a line of text, in columns that `figures_head` names. */
	void (*write_figures)(FILE *out, const void *context, uint32_t node, bool is_colour);
	const char *figures_head;
	const LegendEntry *legend;
	uint32_t n_legend;
	const void *context;
} TreeOverlay;
