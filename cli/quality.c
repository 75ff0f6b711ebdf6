/* SPDX-License-Identifier: MIT */
/* One pass over the distinct stacks, weighed by how often each was sampled. */

#include "cli/quality.h"

#include "cli/table.h"
#include "slice/top.h"
#include "slice/weights.h"
#include "store/dso.h"
#include "store/query.h"
#include "store/weight.h"

#define MAX_ROWS    5
#define SHORT_STACK 2
#define DEPTH_LIMIT 127 /* perf's own, kernel.perf_event_max_stack */

typedef struct {
	char *dso;
	uint64_t frames, leaves;
} Unresolved;

typedef struct {
	uint64_t samples, frames, leaves;
	uint64_t frames_unresolved, leaves_unresolved;
	uint64_t without_stack, short_stacks, at_limit;
	GPtrArray *rows; /* of Unresolved */
	GHashTable *by_dso;
} Quality;

static void unresolved_free(gpointer data)
{
	g_free(((Unresolved *)data)->dso);
	g_free(data);
}

static Unresolved *row_of(Quality *self, Text dso)
{
	g_autofree char *name =
		dso_is_unknown(dso) ? g_strdup("[unknown]") : g_strndup(dso.data, dso.len);
	Unresolved *row = g_hash_table_lookup(self->by_dso, name);

	if (row == NULL) {
		row = g_new0(Unresolved, 1);
		row->dso = g_steal_pointer(&name);
		g_ptr_array_add(self->rows, row);
		g_hash_table_insert(self->by_dso, row->dso, row);
	}
	return row;
}

static void count_frame(Quality *self, const StoreFrame *frame, uint64_t weight, bool is_leaf)
{
	bool is_resolved = frame->symbol.len > 0;

	self->frames = weight_add(self->frames, weight);
	self->leaves = weight_add(self->leaves, is_leaf ? weight : 0);
	if (is_resolved)
		return;
	self->frames_unresolved = weight_add(self->frames_unresolved, weight);
	self->leaves_unresolved = weight_add(self->leaves_unresolved, is_leaf ? weight : 0);
	row_of(self, frame->dso)->frames = weight_add(row_of(self, frame->dso)->frames, weight);
	row_of(self, frame->dso)->leaves =
		weight_add(row_of(self, frame->dso)->leaves, is_leaf ? weight : 0);
}

static void count_stack(Quality *self, const Store *store, const StackWeight *row)
{
	uint32_t depth = 0;

	self->samples = weight_add(self->samples, row->weight);
	for (uint32_t stack = row->stack; stack != 0; stack = store_stack_parent(store, stack)) {
		StoreFrame frame = store_frame(store, store_stack_frame(store, stack));

		count_frame(self, &frame, row->weight, depth == 0);
		depth++;
	}
	self->without_stack = weight_add(self->without_stack, depth == 0 ? row->weight : 0);
	self->short_stacks =
		weight_add(self->short_stacks, depth > 0 && depth <= SHORT_STACK ? row->weight : 0);
	self->at_limit = weight_add(self->at_limit, depth >= DEPTH_LIMIT ? row->weight : 0);
}

/* --- advice ------------------------------------------------------------------------------ */

static const char *advice(const char *dso)
{
	Text text = text_from(dso);

	if (dso_is_unknown(text))
		return "no file there: frame pointers are missing (record with --call-graph "
		       "dwarf), or "
		       "the code was unmapped";
	if (dso_is_jit(text))
		return "no perf map: run the JIT with one (-XX:+PreserveFramePointer and "
		       "perf-map-agent, "
		       "node --perf-basic-prof, python -X perf) and print before it ends";
	if (dso_is_kernel(text))
		return "no kernel symbols: sysctl kernel.kptr_restrict=0, print as root";
	if (text_ends(text, " (deleted)"))
		return "the file was replaced while it ran: print sooner, or perf buildid-cache "
		       "--add it";
	if (text_starts(text, "["))
		return "the kernel's page for user code: nothing to do";
	return "stripped, or not there when printed: install its debug symbols (-dbgsym), or "
	       "--symfs "
	       "the container's root";
}

/* --- as JSON ----------------------------------------------------------------------------- */

static int compare_rows(const void *left, const void *right)
{
	const Unresolved *a = *(const Unresolved *const *)left;
	const Unresolved *b = *(const Unresolved *const *)right;
	int order = (a->frames < b->frames) - (a->frames > b->frames);

	return order != 0 ? order : strcmp(a->dso, b->dso);
}

static double share(uint64_t part, uint64_t whole)
{
	return whole > 0 ? (double)part / (double)whole : 0;
}

static json_t *unresolved_json(Quality *self)
{
	json_t *rows = json_array();

	g_ptr_array_sort(self->rows, compare_rows);
	for (guint i = 0; i < self->rows->len && i < MAX_ROWS; i++) {
		const Unresolved *row = g_ptr_array_index(self->rows, i);

		json_array_append_new(
			rows,
			json_pack("{s:o, s:I, s:I, s:f, s:s}", "dso", table_json_string(row->dso),
				  "frames", (json_int_t)MIN(row->frames, G_MAXINT64), "leaves",
				  (json_int_t)MIN(row->leaves, G_MAXINT64), "share",
				  share(row->frames, self->frames), "fix", advice(row->dso)));
	}
	return rows;
}

static json_t *quality_json(Quality *self)
{
	return json_pack("{s:f, s:f, s:f, s:f, s:f, s:o}", "frames_unresolved_share",
			 share(self->frames_unresolved, self->frames), "leaves_unresolved_share",
			 share(self->leaves_unresolved, self->leaves), "without_stack_share",
			 share(self->without_stack, self->samples), "short_stacks_share",
			 share(self->short_stacks, self->samples), "depth_limit_share",
			 share(self->at_limit, self->samples), "unresolved", unresolved_json(self));
}

static json_t *top_json(const Store *store, Selection *selection, TopBy by, GError **error)
{
	g_autoptr(Top) top = top_new(store, selection, by, false, NAMES_TIDY, error);
	json_t *rows = json_array();

	for (size_t i = 0; top != NULL && i < top->n_rows && i < MAX_ROWS; i++)
		json_array_append_new(
			rows, json_pack("{s:o, s:I}", "name", table_json_string(top->rows[i].name),
					"samples", (json_int_t)MIN(top->rows[i].self, G_MAXINT64)));
	return rows;
}

static bool add_top(json_t *info, const Store *store, Selection *selection, GError **error)
{
	json_t *top = json_object();
	GError *cause = NULL;

	json_object_set_new(top, "processes", top_json(store, selection, TOP_BY_PROCESS, &cause));
	if (cause == NULL)
		json_object_set_new(top, "pools", top_json(store, selection, TOP_BY_POOL, &cause));
	if (cause == NULL)
		json_object_set_new(top, "threads",
				    top_json(store, selection, TOP_BY_THREAD, &cause));
	json_object_set_new(info, "top", top);
	if (cause != NULL)
		g_propagate_error(error, cause);
	return cause == NULL;
}

bool quality_add(json_t *info, const Store *store, GError **error)
{
	Query query = { .event = (char *)"all", .idle = IDLE_KEEP };
	g_autoptr(Selection) selection = selection_new(store, &query, NULL, error);
	g_auto(StackWeights) weights = { 0 };
	Grouping none = { 0 };
	Quality quality = { 0 };

	if (selection == NULL || !stack_weights_init(&weights, store, selection, &none, error))
		return false;
	quality.rows = g_ptr_array_new_with_free_func(unresolved_free);
	quality.by_dso = g_hash_table_new(g_str_hash, g_str_equal);
	for (uint32_t i = 0; i < weights.n_rows; i++)
		count_stack(&quality, store, &weights.rows[i]);
	json_object_set_new(info, "quality", quality_json(&quality));
	g_hash_table_unref(quality.by_dso);
	g_ptr_array_unref(quality.rows);
	return add_top(info, store, selection, error);
}
