/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include <stdint.h>

#include "heatmap/scale.h"
#include "render/exporter.h"
#include "render/heatmap-layout.h"
#include "render/text-strip.h"

/* A sample of a colour in the legend, in pixels of the picture. */
typedef enum {
	SWATCH_WEIGHT, /* the colour of a cell of `weight` */
	SWATCH_RAMP,   /* all levels from left to right */
	SWATCH_HOLE,
	SWATCH_RANGE, /* an outline */
} SwatchKind;

typedef struct {
	SwatchKind kind;
	uint32_t x, y, width, height;
	uint64_t weight;
} Swatch;

/* All of a heat map's picture but its cells: what is written and drawn around them, and where. */
typedef struct {
	HeatmapLayout layout;
	TextStrip *page;  /* what is written above and beneath the grid */
	TextStrip *axis;  /* to the left of it, up to layout.left wide */
	GArray *swatches; /* of Swatch */
	double y;	  /* while it is made: how far down it is full */
} HeatmapSheet;

HeatmapSheet *heatmap_sheet_new(const Heatmap *heatmap, const Caption *caption,
				const HeatmapStyle *style, const Scale *scale, GError **error);
void heatmap_sheet_free(HeatmapSheet *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HeatmapSheet, heatmap_sheet_free)

#define SHEET_MARGIN	    16
#define SHEET_SWATCH_HEIGHT 12

/* Writes `text` at (x, y), left-aligned, as much of it as fits to the right. */
void heatmap_sheet_write(HeatmapSheet *self, double x, double y, TextStyle style, const char *text);
