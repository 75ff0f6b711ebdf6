/* SPDX-License-Identifier: MIT */
/*
 * Tables of who runs. By function and DSO: one walk over the distinct stacks, each displayed frame
 * counted once a stack however often it recurs. By anything else: the groups of group.h.
 */

#include "slice/top.h"

#include <stdlib.h>

#include "slice/group.h"
#include "slice/stack-walk.h"
#include "slice/weights.h"
#include "store/string-table.h"
#include "store/weight.h"

typedef struct {
	uint64_t self, total;
	uint32_t n_on_path; /* times among the frames above the one that is walked */
	bool is_met;
} Tally;

/* What is counted: displayed frames, by function or by DSO. */
typedef struct {
	const Store *store;
	FrameNames *names;
	bool by_dso;
	GArray *tallies;  /* of Tally, by row id */
	StringTable dsos; /* an id is a row id, by DSO */
} Tallies;

/* Row of a displayed frame's DSO. */
static uint32_t dso_row(Tallies *self, uint32_t display)
{
	Text dso = frame_names_get(self->names, display).dso;
	uint32_t row = string_table_add(&self->dsos, dso.len > 0 ? dso : TEXT("[unknown]"));

	if (row == ROW_NONE)
		g_error("out of memory for names");
	return row;
}

static Tally *tally_of(Tallies *self, uint32_t display)
{
	uint32_t row = self->by_dso ? dso_row(self, display) : display;

	if (row >= self->tallies->len)
		g_array_set_size(self->tallies, row + 1);
	return &g_array_index(self->tallies, Tally, row);
}

/* The displays of one frame are entered: what is on the path already is not counted again. */
static void enter(Tallies *self, const StackWalk *walk, uint32_t stack)
{
	uint32_t n;
	const uint32_t *ids =
		frame_names_ids(self->names, store_stack_frame(self->store, stack), &n);

	for (uint32_t i = 0; i < n; i++) {
		Tally *tally = tally_of(self, ids[i]);

		if (tally->n_on_path++ == 0)
			tally->total = weight_add(tally->total, walk->total[stack]);
		if (i == n - 1)
			tally->self = weight_add(tally->self, walk->self[stack]);
		tally->is_met = true;
	}
}

static void leave(Tallies *self, uint32_t stack)
{
	uint32_t n;
	const uint32_t *ids =
		frame_names_ids(self->names, store_stack_frame(self->store, stack), &n);

	for (uint32_t i = 0; i < n; i++)
		tally_of(self, ids[i])->n_on_path--;
}

/* Samples without any frame are still someone's. */
static void count_empty(Tallies *self, uint64_t weight)
{
	Tally *tally = tally_of(self, frame_names_label(self->names, TEXT("[no stack]")));

	tally->self = weight_add(tally->self, weight);
	tally->total = weight_add(tally->total, weight);
	tally->is_met = true;
}

static void count_stacks(Tallies *self, StackWalk *walk, const StackWeights *weights)
{
	uint32_t stack;
	bool is_leaving;

	while (stack_walk_next(walk, &stack, &is_leaving))
		if (is_leaving)
			leave(self, stack);
		else
			enter(self, walk, stack);
	for (uint32_t i = 0; i < weights->n_rows; i++)
		if (weights->rows[i].stack == 0)
			count_empty(self, weights->rows[i].weight);
}

static char *text_dup(Text text)
{
	return g_strndup(text.data, text.len);
}

static void take_rows(const Tallies *self, GArray *rows)
{
	for (guint i = 0; i < self->tallies->len; i++) {
		const Tally *tally = &g_array_index(self->tallies, Tally, i);
		TopRow row = { .self = tally->self, .total = tally->total };

		if (!tally->is_met)
			continue;
		if (self->by_dso) {
			row.name = text_dup(string_table_get(&self->dsos, i));
		} else {
			row.name = text_dup(frame_names_get(self->names, i).name);
			row.dso = text_dup(frame_names_get(self->names, i).dso);
		}
		g_array_append_val(rows, row);
	}
}

static bool count_frames(const Store *store, const StackWeights *weights, bool by_dso,
			 NamesKind names, GArray *rows, GError **error)
{
	g_auto(StackWalk) walk = { 0 };
	Tallies self = { .store = store, .by_dso = by_dso };

	if (!stack_walk_init(&walk, store, weights, error))
		return false;
	self.names = frame_names_new(store, names, FRAME_NAMES_BY_DSO);
	self.tallies = g_array_new(FALSE, TRUE, sizeof(Tally));
	if (!string_table_init(&self.dsos))
		g_error("out of memory for names");
	count_stacks(&self, &walk, weights);
	take_rows(&self, rows);
	frame_names_free(self.names);
	g_array_unref(self.tallies);
	string_table_clear(&self.dsos);
	return true;
}

/* The weights are in order of group. */
static void count_groups(const Groups *groups, const StackWeights *weights, GArray *rows)
{
	for (uint32_t i = 0; i < weights->n_rows; i++) {
		uint64_t weight = weights->rows[i].weight;
		TopRow *last;

		if (i == 0 || weights->rows[i].group != weights->rows[i - 1].group) {
			TopRow row = { .name = text_dup(
					       groups_name(groups, weights->rows[i].group)) };
			g_array_append_val(rows, row);
		}
		last = &g_array_index(rows, TopRow, rows->len - 1);
		last->self = weight_add(last->self, weight);
		last->total = last->self;
	}
}

static int compare_names(const TopRow *a, const TopRow *b)
{
	int order = strcmp(a->name, b->name);

	return order != 0 ? order : g_strcmp0(a->dso, b->dso);
}

static int compare_self(const void *left, const void *right)
{
	const TopRow *a = left, *b = right;
	int order = (a->self < b->self) - (a->self > b->self);

	if (order == 0)
		order = (a->total < b->total) - (a->total > b->total);
	return order != 0 ? order : compare_names(a, b);
}

static int compare_total(const void *left, const void *right)
{
	const TopRow *a = left, *b = right;
	int order = (a->total < b->total) - (a->total > b->total);

	if (order == 0)
		order = (a->self < b->self) - (a->self > b->self);
	return order != 0 ? order : compare_names(a, b);
}

static GroupBy group_by(TopBy by)
{
	static const GroupBy groups[] = {
		[TOP_BY_FUNCTION] = GROUP_BY_NONE,   [TOP_BY_DSO] = GROUP_BY_NONE,
		[TOP_BY_PROCESS] = GROUP_BY_PROCESS, [TOP_BY_POOL] = GROUP_BY_POOL,
		[TOP_BY_COMM] = GROUP_BY_COMM,	     [TOP_BY_THREAD] = GROUP_BY_TID,
		[TOP_BY_PID] = GROUP_BY_PID,	     [TOP_BY_CPU] = GROUP_BY_CPU,
	};

	return groups[by];
}

Top *top_new(const Store *store, Selection *selection, TopBy by, bool sort_by_total,
	     NamesKind names, GError **error)
{
	g_autoptr(Groups) groups = groups_new(store, group_by(by), true);
	g_auto(StackWeights) weights = { 0 };
	Grouping grouping = groups_grouping(groups);
	GArray *rows;
	Top *self;

	if (!stack_weights_init(&weights, store, selection, &grouping, error))
		return NULL;
	rows = g_array_new(FALSE, TRUE, sizeof(TopRow));
	if (by != TOP_BY_FUNCTION && by != TOP_BY_DSO) {
		count_groups(groups, &weights, rows);
	} else if (!count_frames(store, &weights, by == TOP_BY_DSO, names, rows, error)) {
		g_array_unref(rows);
		return NULL;
	}
	g_array_sort(rows, sort_by_total ? compare_total : compare_self);
	self = g_new0(Top, 1);
	self->counts = selection_counts(selection);
	self->total = self->counts.weight;
	self->rows = g_array_steal(rows, &self->n_rows);
	g_array_unref(rows);
	return self;
}

void top_free(Top *self)
{
	if (self == NULL)
		return;
	for (size_t i = 0; i < self->n_rows; i++) {
		g_free(self->rows[i].name);
		g_free(self->rows[i].dso);
	}
	g_free(self->rows);
	g_free(self);
}
