/* SPDX-License-Identifier: MIT */
#pragma once

#include "cli/command.h"
#include "render/exporter.h"

/* How a flame graph is drawn: flamegraph.pl's options under its names. */
typedef struct {
	Layout layout;
	bool has_layout;
	const FramePalette *palette;
	FrameGround ground;
	bool has_ground;
	char *title;
	char *subtitle;
	char *font;
	char *count_name;
	char *name_type;
	double width;	  /* 0: 1200, and the window's in a browser */
	double min_width; /* px, or % of the whole where is_min_share */
	bool is_min_share;
	double row_height, font_px;
	gint64 scale_factor;
} GraphSettings;

extern const OptionRow graph_options[];
void graph_settings_init(GraphSettings *self);
void graph_settings_clear(GraphSettings *self);

/* As exporters want it, for output to `path` (see OutputSettings). Borrows from `self`. */
TreeStyle graph_style(const GraphSettings *self, const char *path);
