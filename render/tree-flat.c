/* SPDX-License-Identifier: MIT */
/*
 * The frames of a flame graph that are wide enough to be drawn (--width, --min-width), as arrays in
 * pre-order: names, colours and kinds of code once each, and per frame the number of its name, its
 * depth, the weight to the left of it, its own and its total. After the shape that the Grafana and
 * Pyroscope front ends call "flamebearer": small, and drawn without building a tree.
 */

#include <inttypes.h>

#include "render/flat.h"
#include "render/formats.h"
#include "render/json-writer.h"
#include "render/layout.h"

#define SCHEMA	      "flamebeat/flat/1"
#define DEFAULT_WIDTH 1200

/* The names that are drawn, numbered in the order they are met. */
typedef struct {
	uint32_t *number; /* by display id; ROW_NONE: not met */
	GArray *displays; /* of uint32_t */
	GArray *rects;	  /* of LayoutRect */
} Drawn;

static void add_name(Drawn *self, uint32_t display)
{
	if (self->number[display] != ROW_NONE)
		return;
	self->number[display] = self->displays->len;
	g_array_append_val(self->displays, display);
}

static void collect(Drawn *self, const CallTree *tree, TreeLayout *layout)
{
	LayoutRect rect;

	while (tree_layout_next(layout, &rect)) {
		g_array_append_val(self->rects, rect);
		add_name(self, tree->nodes[rect.node].display);
	}
}

static void write_colours(FILE *out, const CallTree *tree, const Drawn *drawn,
			  const FramePalette *palette)
{
	fputs("],\"colors\":[", out);
	for (guint i = 0; i < drawn->displays->len; i++) {
		DisplayFrame frame =
			frame_names_get(tree->names, g_array_index(drawn->displays, uint32_t, i));
		Rgb colour = palette->colour(frame.name, frame.class);

		fprintf(out, "%s\"#%02x%02x%02x\"", i > 0 ? "," : "", colour.r, colour.g, colour.b);
	}
}

static void write_names(FILE *out, const CallTree *tree, const Drawn *drawn,
			const FramePalette *palette)
{
	fputs(",\"names\":[", out);
	for (guint i = 0; i < drawn->displays->len; i++) {
		uint32_t display = g_array_index(drawn->displays, uint32_t, i);

		if (i > 0)
			putc_unlocked(',', out);
		json_write_string(out, frame_names_get(tree->names, display).name);
	}
	write_colours(out, tree, drawn, palette);
	fputs("],\"kinds\":[", out);
	for (guint i = 0; i < drawn->displays->len; i++) {
		uint32_t display = g_array_index(drawn->displays, uint32_t, i);

		if (i > 0)
			putc_unlocked(',', out);
		json_write_u64(out, frame_names_get(tree->names, display).class);
	}
	putc_unlocked(']', out);
}

typedef enum {
	COLUMN_NAME,
	COLUMN_DEPTH,
	COLUMN_BEGIN,
	COLUMN_SELF,
	COLUMN_VALUE,
	N_COLUMNS,
} FlatColumn;

static uint64_t cell(const CallTree *tree, const Drawn *drawn, const LayoutRect *rect,
		     FlatColumn column)
{
	const CallNode *node = &tree->nodes[rect->node];

	switch (column) {
	case COLUMN_NAME:
		return drawn->number[node->display];
	case COLUMN_DEPTH:
		return rect->depth;
	case COLUMN_BEGIN:
		return rect->begin;
	case COLUMN_SELF:
		return node->self;
	default:
		return node->total;
	}
}

static void write_column(FILE *out, const CallTree *tree, const Drawn *drawn, FlatColumn column)
{
	static const char *const keys[N_COLUMNS] = { "name", "depth", "begin", "self", "value" };

	fprintf(out, ",\"%s\":[", keys[column]);
	for (guint i = 0; i < drawn->rects->len; i++) {
		const LayoutRect *rect = &g_array_index(drawn->rects, LayoutRect, i);

		if (i > 0)
			putc_unlocked(',', out);
		json_write_u64(out, cell(tree, drawn, rect, column));
	}
	putc_unlocked(']', out);
}

static void write_head(FILE *out, const CallTree *tree, const Caption *caption,
		       const LayoutCounts *counts)
{
	fputs("{\"schema\":\"" SCHEMA "\",\"title\":", out);
	json_write_cstring(out, caption->title != NULL ? caption->title : "");
	fputs(",\"subtitle\":", out);
	json_write_cstring(out, caption->subtitle != NULL ? caption->subtitle : "");
	fputs(",\"unit\":", out);
	json_write_cstring(out, caption->unit != NULL ? caption->unit : "samples");
	fprintf(out,
		",\"total\":%" PRIu64 ",\"samples\":%" PRIu64 ",\"rows\":%u,"
		"\"culled\":{\"frames\":%u,\"weight\":%" PRIu64 "}",
		tree->nodes[0].total, tree->counts.samples, counts->n_rows, counts->n_culled,
		counts->culled_weight);
}

void flat_write(FILE *out, const CallTree *tree, const Caption *caption, const TreeStyle *style,
		FlatExtra extra, const void *context)
{
	g_auto(TreeLayout) layout = { 0 };
	uint32_t n_displays = frame_names_count(tree->names);
	g_autofree uint32_t *number = g_new(uint32_t, n_displays);
	g_autoptr(GArray) displays = g_array_new(FALSE, FALSE, sizeof(uint32_t));
	g_autoptr(GArray) rects = g_array_new(FALSE, FALSE, sizeof(LayoutRect));
	Drawn drawn = { number, displays, rects };

	memset(number, 0xff, n_displays * sizeof(uint32_t));
	tree_layout_init(&layout, tree, style->width > 0 ? style->width : DEFAULT_WIDTH);
	tree_layout_limit(&layout, style->min_width, UINT32_MAX);
	collect(&drawn, tree, &layout);
	write_head(out, tree, caption, &layout.counts);
	write_names(out, tree, &drawn, style->palette);
	for (FlatColumn column = 0; column < N_COLUMNS; column++)
		write_column(out, tree, &drawn, column);
	if (extra != NULL)
		extra(out, context, (const LayoutRect *)(const void *)rects->data, rects->len);
	fputs("}\n", out);
}

bool tree_flat(FILE *out, const CallTree *tree, const Caption *caption, const TreeStyle *style,
	       GError **error G_GNUC_UNUSED)
{
	flat_write(out, tree, caption, style, NULL, NULL);
	return true;
}
