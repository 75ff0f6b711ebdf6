/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "heatmap/scale.h"
#include "render/exporter.h"

/*
 * Draws cells on a terminal, with as many colours and characters as it has. Escape sequences are
 * only written where a colour changes.
 */
typedef struct {
	FILE *out;
	const HeatmapStyle *style;
	Scale scale;
	uint32_t foreground, background; /* what the terminal is set to */
} TermPen;

void term_pen_init(TermPen *self, FILE *out, const HeatmapStyle *style, Scale scale);

/* What is drawn for a cell. */
typedef struct {
	uint64_t weight;
	bool is_hole; /* not recorded */
} TermCell;

/* `n` characters of one cell. */
void term_pen_cell(TermPen *self, TermCell cell, uint32_t n);

/* `n` characters that show two cells, one above the other; needs colours and UTF-8. `lower` may be
 * NULL: nothing. */
void term_pen_halves(TermPen *self, TermCell upper, const TermCell *lower, uint32_t n);

/* Back to the terminal's own colours. */
void term_pen_reset(TermPen *self);

/* Weights that a legend had best show, ascending, into `weights`; how many. */
#define TERM_LEGEND_WEIGHTS 12
uint32_t term_pen_legend(const TermPen *self, uint64_t weights[TERM_LEGEND_WEIGHTS]);
