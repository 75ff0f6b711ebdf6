/* SPDX-License-Identifier: MIT */
/*
 * A store put through everything that the commands do, with the options an input happens to
 * choose. Each step may fail only as it says it may; what it makes must be well formed, and its
 * sums must be those of the selection.
 */

#include "tests/fuzz/fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/info.h"
#include "cli/recording.h"
#include "heatmap/dense.h"
#include "heatmap/heatmap.h"
#include "render/exporter.h"
#include "slice/call-tree.h"
#include "slice/top.h"
#include "store/error.h"
#include "store/store-file.h"

/* A store of more samples, a tree of more nodes, a grid of more cells is not looked at: drawing
 * takes longer than fuzzing can wait, and is no different from drawing less. */
#define MAX_WALK_SAMPLES 50000
#define MAX_DRAWN_NODES	 20000
#define MAX_DRAWN_CELLS	 10000

/* Pictures made of pixels take a hundred times as long as everything else. */
#define PNG_RARITY    32
#define MAX_PNG_DEPTH 100

/* jansson gives up beyond 2,048 levels, and a level of the tree takes two. */
#define MAX_JSON_DEPTH 1000

typedef struct {
	const Store *store;
	FuzzChoices *choices;
	unsigned flags;
} Walk;

/* --- output ------------------------------------------------------------------------------ */

typedef struct {
	FILE *stream;
	char *data;
	size_t size;
} Sink;

static void sink_open(Sink *self)
{
	*self = (Sink){ 0 };
	self->stream = open_memstream(&self->data, &self->size);
	g_assert_nonnull(self->stream);
}

static void sink_close(Sink *self)
{
	g_assert_true(ferror(self->stream) == 0);
	g_assert_true(fclose(self->stream) == 0);
}

/* --- selections -------------------------------------------------------------------------- */

/* As options would be given: `name=value`, separated by blanks. */
static const char *const queries[] = {
	"",
	"event=all idle=keep",
	"event=all idle=only weight=period",
	"event=all weight=period names=raw",
	"idle=keep names=addr",
	"event=all range=0.1..-0.1 range=1+200ms range=3..2",
	"event=all idle=keep every=10ms phase=0.25..0.75",
	"event=all zero=-1 every=1s phase=0.9..0.1 every-origin=@5",
	"zero=first comm=^[a-m] match=a exclude=z",
	"event=cycles cpu=0-1,3 process=. match=[(<]",
	"event=all pid=1 pid=7 tid=7 idle=keep",
	"event=all zero=@2000000000 idle=keep",
	"event=all wall-zero=2026-11-21T14:03:22 utc-offset=+02:00 range=14:03:22.5..14:03:23",
	"event=all range=2026-11-21T14:03:22..23:59:59",
	"event=all range=..0 range=@0..",
	"event=all cgroup=/a idle=keep",
};

static void set_query(Query *query, const char *words)
{
	g_auto(GStrv) parts = g_strsplit(words, " ", -1);
	GError *error = NULL;

	query_init(query);
	for (char **part = parts; *part != NULL; part++) {
		const OptionRow *row = query_options;
		char *value = strchr(*part, '=');

		if (value == NULL)
			continue;
		*value++ = '\0';
		while (row->name != NULL && !g_str_equal(row->name, *part))
			row++;
		g_assert_nonnull(row->name);
		row->set(query, value, &error);
		g_assert_no_error(error);
	}
}

/* Whether the step succeeded. Without times, or with a limit passed, it may have failed; as
 * damaged only if no parser made the store. */
static bool check_step(const Walk *walk, bool ok, GError *error)
{
	if (error != NULL && (walk->flags & FUZZ_SOUND))
		g_assert_true(error->code != FLAMEBEAT_ERROR_DAMAGED);
	return fuzz_check(ok, error);
}

static bool count(const Walk *walk, Selection *selection, SelectionCounts *counts)
{
	g_autofree SampleBlock *block = g_new(SampleBlock, 1);
	GError *error = NULL;
	int64_t last_ns = INT64_MIN;

	selection_rewind(selection);
	do {
		bool ok = selection_next(selection, block, &error);

		if (!check_step(walk, ok, error))
			return false;
		for (size_t i = 0; i < block->n && (walk->flags & FUZZ_SOUND); i++) {
			if (block->time_ns[i] == TIME_NONE)
				continue;
			g_assert_true(block->time_ns[i] >= last_ns);
			last_ns = block->time_ns[i];
		}
	} while (block->n > 0);
	*counts = selection_counts(selection);
	g_assert_true(counts->seen == counts->samples + counts->idle + counts->idle_presumed +
					      counts->other_event + counts->filtered);
	return true;
}

/* --- what is made of them ---------------------------------------------------------------- */

static const char file_name[] = "fuzz \x1b[1m<&\xff>.perf";

static void caption_init(RecordingCaption *caption, const Recording *recording,
			 const SelectionCounts *counts)
{
	static char *inputs[] = { (char *)file_name, NULL };
	Invocation invocation = { .inputs = inputs, .options = "--fuzz" };

	recording_caption_init(caption, recording, &invocation, counts, NULL, NULL);
}

static void show_info(const Walk *walk, const Recording *recording)
{
	bool is_json = fuzz_choose(walk->choices, 2) == 0;
	GError *error = NULL;
	json_t *info = info_new(recording, fuzz_choose(walk->choices, 2) == 0, &error);
	Sink sink;

	if (!check_step(walk, info != NULL, error))
		return;
	sink_open(&sink);
	if (is_json)
		info_print_json(sink.stream, info);
	else
		info_print_text(sink.stream, info);
	sink_close(&sink);
	fuzz_check_output(sink.data, sink.size, is_json ? "json" : "tree", false);
	free(sink.data);
	json_decref(info);
}

static void show_top(const Walk *walk, const Recording *recording, const Query *query,
		     const SelectionCounts *counts)
{
	TopBy by = (TopBy)fuzz_choose(walk->choices, TOP_BY_DSO + 1);
	bool by_total = fuzz_choose(walk->choices, 2) == 0;
	GError *error = NULL;
	uint64_t sum = 0;
	g_autoptr(Top) top =
		top_new(recording->store, recording->selection, by, by_total, query->names, &error);

	if (!check_step(walk, top != NULL, error))
		return;
	g_assert_true(top->total == counts->weight);
	for (size_t i = 0; i < top->n_rows; i++) {
		g_assert_true(top->rows[i].self <= top->rows[i].total);
		g_assert_true(top->rows[i].total <= top->total);
		if (__builtin_add_overflow(sum, top->rows[i].self, &sum))
			sum = UINT64_MAX;
	}
	g_assert_true(sum == top->total);
}

static const FramePalette *choose_frame_palette(FuzzChoices *choices)
{
	uint32_t n = 0;

	while (frame_palettes[n].name != NULL)
		n++;
	return &frame_palettes[fuzz_choose(choices, n)];
}

static const Palette *choose_palette(FuzzChoices *choices)
{
	uint32_t n = 0;

	while (palettes[n].name != NULL)
		n++;
	return &palettes[fuzz_choose(choices, n)];
}

static const Exporter *choose_exporter(FuzzChoices *choices, bool is_tree)
{
	const Exporter *chosen[16];
	uint32_t n = 0;
	bool wants_png = fuzz_choose(choices, PNG_RARITY) == 0;

	for (const Exporter *e = exporters; e->name != NULL; e++)
		if ((is_tree ? e->tree != NULL : e->heatmap != NULL) && e->is_binary == wants_png)
			chosen[n++] = e;
	return chosen[fuzz_choose(choices, n)];
}

static void draw_tree(const Walk *walk, const CallTree *tree, const Caption *caption,
		      const Exporter *exporter)
{
	FuzzChoices *choices = walk->choices;
	bool is_png = exporter->is_binary;
	TreeStyle style = { .layout = (Layout)fuzz_choose(choices, 2),
			    .palette = choose_frame_palette(choices),
			    .width = is_png ? 300 : 1200,
			    .min_width = fuzz_choose(choices, 2) == 0 ? 0.1 : 0,
			    .scale_factor = 1,
			    .is_colour = fuzz_choose(choices, 2) == 0,
			    .is_utf8 = fuzz_choose(choices, 2) == 0,
			    .min_share = fuzz_choose(choices, 2) == 0 ? 0.005 : 0 };
	GError *error = NULL;
	Sink sink;
	bool ok;

	sink_open(&sink);
	ok = exporter->tree(sink.stream, tree, caption, &style, &error);
	sink_close(&sink);
	if (check_step(walk, ok, error) &&
	    (tree->max_depth < MAX_JSON_DEPTH || g_str_equal(exporter->name, "folded")))
		fuzz_check_output(sink.data, sink.size, exporter->name, style.is_colour);
	free(sink.data);
}

static void check_tree(const CallTree *tree, const SelectionCounts *counts)
{
	g_assert_true(tree->nodes[0].total == counts->weight);
	g_assert_true(tree->nodes[0].next == tree->n_nodes);
	for (uint32_t i = 1; i < tree->n_nodes; i++) {
		const CallNode *node = &tree->nodes[i], *parent = &tree->nodes[node->parent];

		g_assert_true(node->parent < i && node->next <= parent->next);
		g_assert_true(node->depth == parent->depth + 1);
		g_assert_true(node->self <= node->total && node->total <= parent->total);
	}
}

static void show_tree(const Walk *walk, const Recording *recording, const Query *query,
		      const SelectionCounts *counts)
{
	FuzzChoices *choices = walk->choices;
	CallTreeSettings settings = { .group_by = (GroupBy)fuzz_choose(choices, GROUP_BY_NONE + 1),
				      .names = query->names,
				      .name_flags = fuzz_choose(choices, 32) & ~2u,
				      .is_reversed = fuzz_choose(choices, 2) == 0 };
	GError *error = NULL;
	g_autoptr(CallTree) tree =
		call_tree_new(recording->store, recording->selection, &settings, &error);
	g_auto(RecordingCaption) caption = { 0 };
	const Exporter *exporter;

	if (!check_step(walk, tree != NULL, error))
		return;
	check_tree(tree, counts);
	caption_init(&caption, recording, counts);
	exporter = choose_exporter(choices, true);
	if (tree->n_nodes <= MAX_DRAWN_NODES &&
	    tree->max_depth <= (exporter->is_binary ? MAX_PNG_DEPTH : MAX_DRAWN_NODES))
		draw_tree(walk, tree, &caption.caption, exporter);
}

static void draw_heatmap(const Walk *walk, const Heatmap *map, const Caption *caption,
			 const Exporter *exporter)
{
	static const uint32_t n_colours[] = { 16, 256, 1 << 24 };
	FuzzChoices *choices = walk->choices;
	TimeRange mark = { map->zero_ns, map->origin_ns + map->column_ns / 2 };
	HeatmapStyle style = { .scale = (ScaleKind)fuzz_choose(choices, SCALE_CLIP + 1),
			       .palette = choose_palette(choices),
			       .scale_factor = 1,
			       .is_colour = fuzz_choose(choices, 2) == 0,
			       .n_colours = n_colours[fuzz_choose(choices, 3)],
			       .is_utf8 = fuzz_choose(choices, 2) == 0,
			       .width = fuzz_choose(choices, 2) == 0 ? 0 : 132,
			       .marks = &mark,
			       .n_marks = mark.begin_ns < mark.end_ns };
	GError *error = NULL;
	Sink sink;
	bool ok;

	sink_open(&sink);
	ok = exporter->heatmap(sink.stream, map, caption, &style, &error);
	sink_close(&sink);
	if (check_step(walk, ok, error))
		fuzz_check_output(sink.data, sink.size, exporter->name, style.is_colour);
	free(sink.data);
}

static void check_heatmap(const Walk *walk, const Heatmap *map, const Query *query)
{
	uint64_t sum = 0;
	size_t n_cells = (size_t)map->n_columns * map->n_rows;
	DenseRange dense[5];

	for (size_t i = 0; i < n_cells; i++) {
		g_assert_true(map->cells[i] <= map->max);
		sum += map->cells[i];
	}
	heatmap_densest(map, dense, G_N_ELEMENTS(dense));
	if (!(walk->flags & FUZZ_SOUND) || query->weight == WEIGHT_PERIOD)
		return;
	g_assert_true(map->cell != CELL_SUM || sum == map->total);
	g_assert_true(map->by != HEATMAP_BY_TIME || map->total == map->counts.weight);
	g_assert_true(map->total <= map->counts.weight);
}

static void show_heatmap(const Walk *walk, const Recording *recording, const Query *query)
{
	static const int64_t columns[] = {
		0, 0, NS_PER_SECOND, 20 * NS_PER_MS, 60 * NS_PER_SECOND, 1234567
	};
	static const uint32_t rows[] = { 0, 50, 25, 2 };
	FuzzChoices *choices = walk->choices;
	HeatmapSettings settings = { .column_ns = columns[fuzz_choose(choices, 6)],
				     .n_rows = rows[fuzz_choose(choices, G_N_ELEMENTS(rows))],
				     .by = (HeatmapBy)fuzz_choose(choices, HEATMAP_BY_PROCESS + 1),
				     .cell = (HeatmapCell)fuzz_choose(choices, CELL_AUTO + 1) };
	GError *error = NULL;
	g_autoptr(Heatmap) map =
		heatmap_new(recording->store, recording->selection, &settings, NULL, &error);
	g_auto(RecordingCaption) caption = { 0 };

	if (!check_step(walk, map != NULL, error) ||
	    (uint64_t)map->n_columns * map->n_rows > MAX_DRAWN_CELLS)
		return;
	check_heatmap(walk, map, query);
	caption_init(&caption, recording, &map->counts);
	draw_heatmap(walk, map, &caption.caption, choose_exporter(choices, false));
}

/* One thing at a time: many inputs are worth more than all of one. */
static void show(const Walk *walk, const Recording *recording, const Query *query,
		 const SelectionCounts *counts)
{
	switch (fuzz_choose(walk->choices, 5)) {
	case 0:
		show_info(walk, recording);
		break;
	case 1:
		show_top(walk, recording, query, counts);
		break;
	case 2:
		show_heatmap(walk, recording, query);
		break;
	default:
		show_tree(walk, recording, query, counts);
	}
}

static void walk_query(const Walk *walk, const char *words)
{
	g_autoptr(Notes) notes = notes_new();
	g_auto(Query) query = { 0 };
	Recording recording = { .store = (Store *)walk->store };
	SelectionCounts counts;
	GError *error = NULL;

	set_query(&query, words);
	recording.selection = selection_new(walk->store, &query, notes, &error);
	if (!check_step(walk, recording.selection != NULL, error))
		return;
	if (count(walk, recording.selection, &counts))
		show(walk, &recording, &query, &counts);
	selection_free(recording.selection);
}

void fuzz_walk(const Store *store, FuzzChoices *choices, unsigned flags)
{
	Walk walk = { store, choices, flags };

	if (store->n_samples > MAX_WALK_SAMPLES)
		return;
	walk_query(&walk, queries[fuzz_choose(choices, G_N_ELEMENTS(queries))]);
}

/* --- as bytes ---------------------------------------------------------------------------- */

GBytes *fuzz_store_bytes(const Store *store)
{
	GError *error = NULL;
	Sink sink;
	bool ok;

	sink_open(&sink);
	ok = store_write(store, sink.stream, &error);
	sink_close(&sink);
	if (fuzz_check(ok, error))
		return g_bytes_new_with_free_func(sink.data, sink.size, free, sink.data);
	free(sink.data);
	return NULL;
}

char *fuzz_folded(const Store *store)
{
	CallTreeSettings settings = { .group_by = GROUP_BY_TID };
	g_autoptr(Selection) selection = NULL;
	g_autoptr(CallTree) tree = NULL;
	g_auto(Query) query = { 0 };
	Caption caption = { 0 };
	TreeStyle style = { 0 };
	GError *error = NULL;
	Sink sink;

	set_query(&query, "event=all idle=keep names=raw");
	selection = selection_new(store, &query, NULL, &error);
	g_assert_true(fuzz_check(selection != NULL, error));
	tree = call_tree_new(store, selection, &settings, &error);
	if (!fuzz_check(tree != NULL, error))
		return NULL;
	sink_open(&sink);
	g_assert_true(exporter_by_name("folded")->tree(sink.stream, tree, &caption, &style, NULL));
	sink_close(&sink);
	return sink.data;
}
