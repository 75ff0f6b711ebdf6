/* SPDX-License-Identifier: MIT */
/*
 * The call tree as text, for a person at a terminal: the heaviest way first, small branches left
 * out (and counted). A frame that is the only one worth showing under its caller stands right below
 * it and does not indent, so that a stack fifty deep stays readable; lines are drawn only where
 * ways part.
 *
 * Nodes still to be printed are a stack; the children of one are pushed lightest first.
 */

#include "render/formats.h"

#include <math.h>

#include "render/number.h"
#include "render/text-escape.h"

#define MAX_LEVELS 64 /* of indentation: deeper ones are drawn like the last */

/* A node to be printed. */
typedef struct {
	uint64_t total;
	uint32_t node;
	uint32_t level; /* of indentation */
	bool is_branch; /* one of several: gets a line of its own to its caller */
	bool is_last;	/* of these */
} Item;

typedef struct {
	FILE *out;
	const CallTree *tree;
	const TreeStyle *style;
	const char *unit;
	uint64_t total;
	uint64_t min_total;
	int weight_width;
	uint64_t open_levels; /* bit l: a line of level l goes on below */
	GArray *items;	      /* of Item: what is left to print, the next one last */
	uint64_t n_hidden, hidden_weight;
} TextWriter;

/* --- one line ------------------------------------------------------------------------------ */

/* The colours say at a glance where the weight is: totals by share, a busy function in bold. */
static const char *share_colour(const TextWriter *self, uint64_t weight)
{
	uint64_t percent = number_percent(weight, self->total) / 100;
	if (!self->style->is_colour || percent < 1)
		return "";
	return percent >= 20 ? "\033[1;31m" : percent >= 5 ? "\033[33m" : "\033[32m";
}

static const char *end_colour(const char *colour)
{
	return *colour != '\0' ? "\033[0m" : "";
}

static void write_share(const TextWriter *self, uint64_t weight, const char *colour)
{
	char percent[NUMBER_SIZE];
	number_format_hundredths(percent, number_percent(weight, self->total));
	fprintf(self->out, "%s%6s%%%s", colour, percent, end_colour(colour));
}

static void write_numbers(const TextWriter *self, uint32_t at)
{
	const CallNode *node = &self->tree->nodes[at];
	const TreeOverlay *overlay = self->style->overlay;
	char weight[NUMBER_SIZE];
	if (overlay != NULL) {
		overlay->write_figures(self->out, overlay->context, at, self->style->is_colour);
		return;
	}
	write_share(self, node->total, share_colour(self, node->total));
	number_format_grouped(weight, node->total);
	fprintf(self->out, "  %*s  ", self->weight_width, weight);
	if (node->self > 0)
		write_share(self, node->self, share_colour(self, node->self));
	else
		fputs("       ", self->out);
	fputs("  ", self->out);
}

static void write_lines(TextWriter *self, const Item *item)
{
	bool is_utf8 = self->style->is_utf8;
	uint32_t level = MIN(item->level, MAX_LEVELS - 1);
	uint64_t own = level > 0 ? UINT64_C(1) << (level - 1) : 0;
	for (uint32_t l = 0; l + 1 < level || (l < level && !item->is_branch); l++)
		fputs(!(self->open_levels >> l & 1) ? "   " : is_utf8 ? "│  " : "|  ", self->out);
	if (!item->is_branch)
		return;
	self->open_levels = item->is_last ? self->open_levels & ~own : self->open_levels | own;
	if (is_utf8)
		fputs(item->is_last ? "└─ " : "├─ ", self->out);
	else
		fputs(item->is_last ? "`- " : "|- ", self->out);
}

static void write_name(const TextWriter *self, const Item *item)
{
	const CallNode *node = &self->tree->nodes[item->node];
	DisplayFrame frame = call_tree_frame(self->tree, item->node);
	g_autofree char *name = item->node == 0 ? g_strdup("all") : text_to_terminal(frame.name);
	bool is_busy = self->style->is_colour && node->self >= self->total / 20 && node->self > 0;
	fprintf(self->out, "%s%s%s\n", is_busy ? "\033[1m" : "", name, is_busy ? "\033[0m" : "");
}

/* --- the walk ------------------------------------------------------------------------------ */

/* Lightest first; of equals the last by name, which is printed last. */
static gint compare_items(gconstpointer x, gconstpointer y)
{
	const Item *a = x, *b = y;
	if (a->total != b->total)
		return a->total < b->total ? -1 : 1;
	return (a->node < b->node) - (a->node > b->node);
}

/* Pushes the children of `item` that are heavy enough, and counts the others. */
static void push_children(TextWriter *self, const Item *item)
{
	const CallNode *nodes = self->tree->nodes;
	guint first = self->items->len;
	for (uint32_t i = item->node + 1; i < nodes[item->node].next; i = nodes[i].next) {
		if (nodes[i].total < self->min_total) {
			self->n_hidden += nodes[i].next - i;
			self->hidden_weight += nodes[i].total;
			continue;
		}
		const Item child = { nodes[i].total, i, item->level, false, false };
		g_array_append_val(self->items, child);
	}
	guint n = self->items->len - first;
	if (n < 2)
		return;
	Item *children = &g_array_index(self->items, Item, first);
	qsort(children, n, sizeof(*children), compare_items);
	for (guint i = 0; i < n; i++) {
		children[i].level++;
		children[i].is_branch = true;
	}
	children[0].is_last = true; /* printed after its siblings */
}

static void write_tree(TextWriter *self)
{
	const Item root = { .total = self->total };
	g_array_append_val(self->items, root);
	while (self->items->len > 0) {
		Item item = g_array_index(self->items, Item, self->items->len - 1);
		g_array_set_size(self->items, self->items->len - 1);
		write_numbers(self, item.node);
		write_lines(self, &item);
		write_name(self, &item);
		push_children(self, &item);
	}
}

/* --- around it ----------------------------------------------------------------------------- */

static void write_caption_line(FILE *out, const char *text)
{
	if (text == NULL || *text == '\0')
		return;
	g_autofree char *clean = text_to_terminal(text_from(text));
	fprintf(out, "%s\n", clean);
}

static void write_caption_lines(FILE *out, const char *text)
{
	g_auto(GStrv) lines = g_strsplit(text != NULL ? text : "", "\n", -1);
	for (char **line = lines; *line != NULL; line++)
		write_caption_line(out, *line);
}

static void write_head(const TextWriter *self, const Caption *caption)
{
	write_caption_line(self->out, caption->title);
	write_caption_lines(self->out, caption->subtitle);
	if (self->style->overlay != NULL) {
		fprintf(self->out, "\n%s  function\n", self->style->overlay->figures_head);
		return;
	}
	fprintf(self->out, "Weights are %s.\n\n", self->unit);
	fprintf(self->out, "  total  %*s     self  function\n", self->weight_width, "weight");
}

static void write_foot(const TextWriter *self)
{
	char n[NUMBER_SIZE], weight[NUMBER_SIZE], percent[NUMBER_SIZE], share[NUMBER_SIZE];
	if (self->n_hidden == 0)
		return;
	number_format_grouped(n, self->n_hidden);
	number_format_grouped(weight, self->hidden_weight);
	number_format_hundredths(percent, number_percent(self->hidden_weight, self->total));
	g_ascii_formatd(share, sizeof(share), "%.4g", 100 * self->style->min_share);
	if (self->style->overlay != NULL) { /* widths are no weights */
		fprintf(self->out, "\n%s %s below %s%% of the width not shown\n", n,
			self->n_hidden == 1 ? "frame" : "frames", share);
		return;
	}
	fprintf(self->out, "\n%s %s below %s%% of the total not shown; %s %s (%s%%) end in them\n",
		n, self->n_hidden == 1 ? "frame" : "frames", share, weight, self->unit, percent);
}

bool tree_text(FILE *out, const CallTree *tree, const Caption *caption, const TreeStyle *style,
	       GError **error G_GNUC_UNUSED)
{
	char weight[NUMBER_SIZE];
	g_autofree char *unit =
		text_to_terminal(text_from(caption->unit != NULL ? caption->unit : "samples"));
	g_autoptr(GArray) items = g_array_new(FALSE, FALSE, sizeof(Item));
	TextWriter self = { .out = out,
			    .tree = tree,
			    .style = style,
			    .unit = unit,
			    .total = tree->nodes[0].total,
			    .items = items };
	self.min_total = MAX((uint64_t)ceil(style->min_share * (double)self.total), 1);
	self.weight_width = (int)MAX(number_format_grouped(weight, self.total), strlen("weight"));
	if (self.total == 0) {
		write_caption_line(out, caption->title);
		write_caption_lines(out, caption->subtitle);
		fputs("No samples in this selection\n", out);
		return true;
	}
	write_head(&self, caption);
	write_tree(&self);
	write_foot(&self);
	return true;
}
