/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdio.h>

#include "heatmap/fold.h"
#include "heatmap/heatmap.h"
#include "heatmap/scale.h"
#include "render/caption.h"
#include "render/heatmap-page.h"
#include "render/palette.h"
#include "render/tree-overlay.h"
#include "slice/call-tree.h"
#include "slice/node-beat.h"
#include "slice/diff.h"
#include "slice/profile.h"

/* How a heat map is drawn. */
typedef struct {
	ScaleKind scale;
	const Palette *palette; /* of cells */
	uint32_t cell_width;	/* px, or characters; 0: what fits */
	uint32_t cell_height;
	uint32_t scale_factor;	/* PNG: device pixels per pixel, 0: 1 */
	bool is_colour;		/* term: escape sequences may be used */
	uint32_t n_colours;	/* term: 16, 256 or 1 << 24 */
	bool is_utf8;		/* term: block characters may be used */
	uint32_t width;		/* term: columns of the terminal, 0: 80 */
	const TimeRange *marks; /* further ranges to outline (--mark), clock time */
	size_t n_marks;
} HeatmapStyle;

typedef enum {
	LAYOUT_FLAME,  /* root at the bottom */
	LAYOUT_ICICLE, /* root at the top */
} Layout;

/* How a call tree is drawn. Zeros and NULLs mean the defaults, which are flamegraph.pl's. */
typedef struct {
	Layout layout;
	const FramePalette *palette;
	const FrameGround *ground;  /* behind the frames; NULL: the palette's */
	double width;		    /* px, 1200 by default */
	bool is_fluid;		    /* SVG: as wide as the window it is opened in */
	double min_width;	    /* px: narrower frames are left out, and that is said */
	double row_height;	    /* px of a frame, 16 by default */
	double font_px;		    /* 12 by default */
	const char *font;	    /* family; NULL: Verdana, or what looks like it */
	const char *count_name;	    /* of weights; NULL: the caption's unit */
	const char *name_type;	    /* before the name that the mouse is on; NULL: "Function:" */
	uint32_t scale_factor;	    /* PNG: 2 */
	bool is_colour;		    /* tree: escape sequences may be used */
	bool is_utf8;		    /* tree: line-drawing characters may be used */
	const TreeOverlay *overlay; /* instead of the palette; NULL: none */
	const NodeBeat *beats;	    /* by node, for JSON; NULL: none */
	double min_share; /* tree: smallest share of the total that is printed, e.g. 0.005 */
} TreeStyle;

/* How two sides compared are shown. */
typedef struct {
	TreeStyle tree;
	const char *side_names[N_SIDES]; /* what the sides are, any bytes */
	size_t limit;			 /* tables: most rows */
} DiffStyle;

/* What a form can be asked to show. */
typedef enum {
	SUBJECT_HEATMAP,
	SUBJECT_TREE,
	SUBJECT_DIFF,
} Subject;

/*
 * One output format: a row of exporters[]. It writes to `out` and may leave errors of writing to
 * the caller, who looks at ferror() once at the end; it fails only where it cannot draw.
 * NULL functions: this form cannot show that.
 */
typedef struct {
	const char *name;   /* --format NAME */
	const char *suffix; /* of file names it is chosen by, with the dot; NULL: only by name */
	const char *media_type;
	const char *help;   /* one line */
	bool is_binary;	    /* never written to a terminal */
	bool wants_classes; /* frames of one name but different classes are different */
	bool (*heatmap)(FILE *out, const Heatmap *heatmap, const Caption *caption,
			const HeatmapStyle *style, GError **error);
	/* Instead of `heatmap`, for what makes its pictures itself. */
	bool (*page)(FILE *out, const PageData *data, const Caption *caption, GError **error);
	bool (*fold)(FILE *out, const Fold *fold, const Caption *caption, const HeatmapStyle *style,
		     GError **error);
	bool (*tree)(FILE *out, const CallTree *tree, const Caption *caption,
		     const TreeStyle *style, GError **error);
	/* Instead of `tree`, for what needs the samples one by one. */
	bool (*profile)(FILE *out, const Profile *profile, const Caption *caption, GError **error);
	bool (*diff)(FILE *out, const Diff *diff, const Caption *caption, const DiffStyle *style,
		     GError **error);
} Exporter;

/* THE table (exporters.c), ending with a row without a name. */
extern const Exporter exporters[];

const Exporter *exporter_by_name(const char *name);

bool exporter_can_show(const Exporter *exporter, Subject subject);

/* By the ending of a file name; NULL: none that can show `subject`. */
const Exporter *exporter_by_suffix(const char *file_name, Subject subject);
