/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include <stdint.h>

#include "render/exporter.h"
#include "render/label.h"
#include "render/layout.h"
#include "render/legend.h"

#define PAGE_PAD	10 /* px left and right of the frames */
#define PAGE_ROW_HEIGHT 16 /* of a frame with the gap above it, unless the style says otherwise */
#define PAGE_TITLE_PX	17
#define PAGE_TITLE_Y	26 /* base line of the title and of the buttons */
#define PAGE_LINE_STEP	16 /* from one base line of the subtitle to the next */
#define PAGE_FRAME_GAP	1  /* between rows */
#define PAGE_TEXT_INSET 3  /* of a label in its frame */

/*
 * A page with one call tree on it: what SVG and PNG have in common. All positions are px from the
 * top left corner, before any scale factor; texts are valid UTF-8 without controls.
 */
typedef struct {
	TreeLayout layout;
	LayoutCounts counts;
	Layout orientation;
	const FrameGround *ground;
	double width, height;
	double row_height; /* from one row to the next */
	double font_px;	   /* of labels */
	double frames_y;   /* top of the rows */
	double details_y;  /* base line of what the mouse is on */
	double axis_y;	   /* base line of the times over a flame chart; 0: it is none */
	double note_y;
	char *title;
	GPtrArray *subtitle; /* of char *: lines */
	const char *unit;
	int64_t zero_ns; /* what a chart's times count from */
	GArray *legend;	 /* of LegendItem; empty: there is none */
	double legend_y;
	char *note; /* what was left out, or that there is nothing; NULL: nothing to say */
} FlamePage;

void flame_page_init(FlamePage *self, const CallTree *tree, const Caption *caption,
		     const TreeStyle *style);
void flame_page_clear(FlamePage *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(FlamePage, flame_page_clear)

/* Leaves out frames narrower than `min_width` px and all beyond `max_rows` rows, and says so. */
void flame_page_limit(FlamePage *self, double min_width, uint32_t max_rows);

/* Top of the row of frames at `depth`. */
double flame_page_row_y(const FlamePage *self, uint32_t depth);

/* Base line of a label, from the top of its frame. */
double flame_page_text_base(const FlamePage *self);

/* What of `name` goes onto a frame `width` px wide. */
Label flame_page_label(const FlamePage *self, Text name, double width);

/* Weight that the frame of a node tells: of a chart's lane, how long it was busy. */
uint64_t flame_page_weight(const FlamePage *self, uint32_t node);

/* What 100 % of the matches is: the root's weight, or how long all lanes of a chart were busy. */
uint64_t flame_page_whole(const FlamePage *self);

Rgb flame_page_colour(const FlamePage *self, const TreeStyle *style, uint32_t node);

/* A time that is labelled over a chart; `number` counts from 0. False: there are no more. */
typedef struct {
	double x;
	char *text; /* g_free() it */
} AxisTick;
bool flame_page_tick(const FlamePage *self, uint32_t number, AxisTick *tick);

/* What is drawn in `row`, counted from the top. */
uint32_t flame_page_depth_of_row(const FlamePage *self, uint32_t row);

/* Base line of line `i` of the subtitle. */
double flame_page_subtitle_y(guint i);

/* Name that a node is drawn under: the root is `all`. */
Text flame_page_name(const FlamePage *self, uint32_t node);
