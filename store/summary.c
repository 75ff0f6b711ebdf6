/* SPDX-License-Identifier: MIT */
/*
 * Samples are counted by stack and by thread; everything else follows from these two tables. A
 * stack's parent has a lower id, so one pass backwards carries the samples of each stack to the
 * frames it stands on.
 */

#include "store/summary.h"

#include <stdlib.h>

#include "store/dso.h"
#include "store/error.h"
#include "store/process.h"
#include "store/string-table.h"
#include "store/weight.h"

#define SHORT_STACK 2
#define DEPTH_LIMIT 127 /* kernel.perf_event_max_stack */

void summary_free(Summary *self)
{
	if (self == NULL)
		return;
	for (int i = 0; i < SUMMARY_ROWS; i++) {
		for (int list = 0; list < N_SUMMARY_LISTS; list++)
			g_free(self->lists[list][i].name);
		g_free(self->dsos[i].dso);
	}
	g_free(self);
}

/* --- the largest ------------------------------------------------------------------------- */

/* Sums by name; string 0 and weight 0 stand for nothing. */
typedef struct {
	StringTable names;
	ARRAY_OF(SummaryDso) sums; /* by string; `frames` is what orders them */
} Tally;

static bool tally_init(Tally *self)
{
	*self = (Tally){ 0 };
	return string_table_init(&self->names) && array_push(&self->sums, ((SummaryDso){ 0 }));
}

static void tally_clear(Tally *self)
{
	string_table_clear(&self->names);
	array_clear(&self->sums);
}

static bool tally_add(Tally *self, Text name, uint64_t frames, uint64_t leaves)
{
	uint32_t id = string_table_add(&self->names, name);

	if (id == ROW_NONE || (id == self->sums.n && !array_push(&self->sums, ((SummaryDso){ 0 }))))
		return false;
	self->sums.data[id].frames = weight_add(self->sums.data[id].frames, frames);
	self->sums.data[id].leaves = weight_add(self->sums.data[id].leaves, leaves);
	return true;
}

static bool is_before(const Tally *self, uint32_t a, uint32_t b)
{
	uint64_t x = self->sums.data[a].frames, y = self->sums.data[b].frames;

	if (x != y || b == 0)
		return x > y;
	return text_compare(string_table_get(&self->names, a), string_table_get(&self->names, b)) <
	       0;
}

/* The ids of the largest, 0 behind the last. */
static void tally_largest(const Tally *self, uint32_t largest[SUMMARY_ROWS])
{
	memset(largest, 0, SUMMARY_ROWS * sizeof(*largest));
	for (uint32_t id = 1; id < self->sums.n; id++) {
		uint32_t mover = id;

		for (int i = 0; i < SUMMARY_ROWS && mover != 0; i++) {
			uint32_t displaced = largest[i];

			if (!is_before(self, mover, displaced))
				continue;
			largest[i] = mover;
			mover = displaced;
		}
	}
}

static char *name_of(const Tally *self, uint32_t id)
{
	Text name = string_table_get(&self->names, id);

	return g_strndup(name.data, name.len);
}

static void take_list(const Tally *self, SummaryRow rows[SUMMARY_ROWS])
{
	uint32_t ids[SUMMARY_ROWS];

	tally_largest(self, ids);
	for (int i = 0; i < SUMMARY_ROWS && ids[i] != 0; i++)
		rows[i] = (SummaryRow){ name_of(self, ids[i]), self->sums.data[ids[i]].frames };
}

static void take_dsos(const Tally *self, SummaryDso dsos[SUMMARY_ROWS])
{
	uint32_t ids[SUMMARY_ROWS];

	tally_largest(self, ids);
	for (int i = 0; i < SUMMARY_ROWS && ids[i] != 0; i++) {
		dsos[i] = self->sums.data[ids[i]];
		dsos[i].dso = name_of(self, ids[i]);
	}
}

/* --- counting ---------------------------------------------------------------------------- */

typedef struct {
	const Store *store;
	uint64_t *stacks, *threads; /* samples of each */
	uint64_t *frames, *leaves;  /* of each frame of the store */
	uint32_t *depths;	    /* of each stack */
} Counts;

static void counts_clear(Counts *self)
{
	g_free(self->stacks);
	g_free(self->threads);
	g_free(self->frames);
	g_free(self->leaves);
	g_free(self->depths);
}

static bool counts_init(Counts *self, const Store *store)
{
	*self = (Counts){ .store = store,
			  .stacks = g_try_new0(uint64_t, (gsize)store_n_stacks(store) + 1),
			  .threads = g_try_new0(uint64_t, (gsize)store_n_threads(store) + 1),
			  .frames = g_try_new0(uint64_t, (gsize)store_n_frames(store) + 1),
			  .leaves = g_try_new0(uint64_t, (gsize)store_n_frames(store) + 1),
			  .depths = g_try_new0(uint32_t, (gsize)store_n_stacks(store) + 1) };
	return self->stacks != NULL && self->threads != NULL && self->frames != NULL &&
	       self->leaves != NULL && self->depths != NULL;
}

static void count_samples(Counts *self, bool is_weighted)
{
	const Column *columns = self->store->columns;
	uint32_t n_stacks = store_n_stacks(self->store), n_threads = store_n_threads(self->store);

	for (uint64_t i = 0; i < self->store->n_samples; i++) {
		uint64_t stack = column_get(&columns[SECTION_STACK], i);
		uint64_t thread = column_get(&columns[SECTION_THREAD], i);
		uint64_t period = is_weighted ? column_get(&columns[SECTION_PERIOD], i) : 0;
		uint64_t weight = period > 0 ? period - 1 : 1;

		if (stack >= n_stacks || thread >= n_threads)
			continue; /* a damaged store; the walk over its samples tells */
		self->stacks[stack] = weight_add(self->stacks[stack], weight);
		self->threads[thread] = weight_add(self->threads[thread], weight);
	}
}

static void count_depths(Counts *self, Summary *summary)
{
	summary->samples = summary->without_stack = self->stacks[0];
	for (uint32_t i = 1; i < store_n_stacks(self->store); i++) {
		uint64_t n = self->stacks[i];
		uint32_t depth = self->depths[store_stack_parent(self->store, i)] + 1;

		self->depths[i] = depth;
		summary->samples = weight_add(summary->samples, n);
		if (depth <= SHORT_STACK)
			summary->short_stacks = weight_add(summary->short_stacks, n);
		if (depth >= DEPTH_LIMIT)
			summary->at_limit = weight_add(summary->at_limit, n);
	}
}

/* Destroys the counts of the stacks: they grow to what stands on each. */
static void count_frames(Counts *self)
{
	for (uint32_t i = store_n_stacks(self->store); i-- > 1;) {
		uint32_t frame = store_stack_frame(self->store, i);

		self->leaves[frame] = weight_add(self->leaves[frame], self->stacks[i]);
	}
	for (uint32_t i = store_n_stacks(self->store); i-- > 1;) {
		uint32_t frame = store_stack_frame(self->store, i);
		uint64_t *parent = &self->stacks[store_stack_parent(self->store, i)];

		self->frames[frame] = weight_add(self->frames[frame], self->stacks[i]);
		*parent = weight_add(*parent, self->stacks[i]);
	}
}

static bool sum_frames(const Counts *self, Summary *summary, Tally *unresolved)
{
	for (uint32_t i = 0; i < store_n_frames(self->store); i++) {
		StoreFrame frame = store_frame(self->store, i);
		Text dso = dso_is_unknown(frame.dso) ? TEXT("[unknown]") : frame.dso;

		summary->frames = weight_add(summary->frames, self->frames[i]);
		summary->leaves = weight_add(summary->leaves, self->leaves[i]);
		if (frame.symbol.len > 0)
			continue;
		summary->frames_unresolved =
			weight_add(summary->frames_unresolved, self->frames[i]);
		summary->leaves_unresolved =
			weight_add(summary->leaves_unresolved, self->leaves[i]);
		if (!tally_add(unresolved, dso, self->frames[i], self->leaves[i]))
			return false;
	}
	return true;
}

static bool find_dsos(const Counts *self, Summary *summary)
{
	Tally unresolved;
	bool ok = tally_init(&unresolved) && sum_frames(self, summary, &unresolved);

	if (ok)
		take_dsos(&unresolved, summary->dsos);
	tally_clear(&unresolved);
	return ok;
}

/* --- who ran ----------------------------------------------------------------------------- */

static void append_id(GString *name, char separator, int32_t id)
{
	g_string_append_c(name, separator);
	if (id == ID_NONE)
		g_string_append_c(name, '?');
	else
		g_string_append_printf(name, "%d", id);
}

static void name_thread(const Counts *self, uint32_t thread_id, GString *name)
{
	StoreThread thread = store_thread(self->store, thread_id);

	g_string_append_len(name, thread.comm.data, (gssize)thread.comm.len);
	if (thread.comm.len == 0)
		g_string_append(name, "[unknown]");
	append_id(name, '-', thread.pid);
	append_id(name, '/', thread.tid);
}

static Text name_in_list(const Counts *self, const Processes *processes, SummaryList list,
			 uint32_t thread, GString *scratch)
{
	Text name;

	if (list == SUMMARY_THREADS) {
		g_string_truncate(scratch, 0);
		name_thread(self, thread, scratch);
		return (Text){ scratch->str, scratch->len };
	}
	name = list == SUMMARY_POOLS ? processes_pool_name(processes, thread)
				     : processes_process_name(processes, thread);
	return name.len > 0 ? name : TEXT("[unknown]");
}

static bool find_list(const Counts *self, const Processes *processes, SummaryList list,
		      SummaryRow rows[SUMMARY_ROWS])
{
	g_autoptr(GString) scratch = g_string_new(NULL);
	Tally tally;
	bool ok = tally_init(&tally);

	for (uint32_t i = 0; ok && i < store_n_threads(self->store); i++)
		ok = tally_add(&tally, name_in_list(self, processes, list, i, scratch),
			       self->threads[i], 0);
	if (ok)
		take_list(&tally, rows);
	tally_clear(&tally);
	return ok;
}

static bool find_lists(const Counts *self, Summary *summary)
{
	g_autoptr(Processes) processes = processes_new(self->store);
	bool ok = true;

	for (int list = 0; ok && list < N_SUMMARY_LISTS; list++)
		ok = find_list(self, processes, (SummaryList)list, summary->lists[list]);
	return ok;
}

Summary *summary_count(const Store *store, bool is_weighted)
{
	g_autoptr(Summary) self = g_new0(Summary, 1);
	Counts counts;
	bool ok = counts_init(&counts, store);

	if (ok) {
		count_samples(&counts, is_weighted);
		count_depths(&counts, self);
		ok = find_lists(&counts, self);
	}
	if (ok) {
		count_frames(&counts);
		ok = find_dsos(&counts, self);
	}
	counts_clear(&counts);
	return ok ? g_steal_pointer(&self) : NULL;
}

/* --- as facts ---------------------------------------------------------------------------- */

static const char *const list_keys[] = { "process", "pool", "thread" };
G_STATIC_ASSERT(G_N_ELEMENTS(list_keys) == N_SUMMARY_LISTS);

/* The counts in the order in which the fact `counts` has them. */
static void counts_of(Summary *self, uint64_t *counts[8])
{
	uint64_t *const all[8] = { &self->samples,
				   &self->frames,
				   &self->leaves,
				   &self->frames_unresolved,
				   &self->leaves_unresolved,
				   &self->without_stack,
				   &self->short_stacks,
				   &self->at_limit };

	memcpy(counts, all, sizeof(all));
}

static void record(StoreBuilder *facts, const char *key, int row, const char *value)
{
	g_autofree char *full = g_strdup_printf(FACT_SUMMARY "%s.%d", key, row);

	store_builder_set_fact(facts, full, text_from(value));
}

void summary_record(const Summary *self, StoreBuilder *facts)
{
	g_autoptr(GString) text = g_string_new(NULL);
	Summary copy = *self;
	uint64_t *counts[8];

	counts_of(&copy, counts);
	for (int i = 0; i < 8; i++)
		g_string_append_printf(text, "%" G_GUINT64_FORMAT " ", *counts[i]);
	record(facts, "counts", 0, text->str);
	for (int list = 0; list < N_SUMMARY_LISTS; list++)
		for (int i = 0; i < SUMMARY_ROWS && self->lists[list][i].name != NULL; i++) {
			const SummaryRow *row = &self->lists[list][i];

			g_string_printf(text, "%" G_GUINT64_FORMAT " %s", row->samples, row->name);
			record(facts, list_keys[list], i, text->str);
		}
	for (int i = 0; i < SUMMARY_ROWS && self->dsos[i].dso != NULL; i++) {
		const SummaryDso *row = &self->dsos[i];

		g_string_printf(text, "%" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT " %s", row->frames,
				row->leaves, row->dso);
		record(facts, "unresolved", i, text->str);
	}
}

/* The fact's text, NULL where it is not there; g_free it. */
static char *recall(const Store *store, const char *key, int row)
{
	g_autofree char *full = g_strdup_printf(FACT_SUMMARY "%s.%d", key, row);
	Text value = store_fact(store, full);

	return value.len > 0 ? g_strndup(value.data, value.len) : NULL;
}

/* A number, and the blank behind it. */
static uint64_t take_number(char **text)
{
	uint64_t n = g_ascii_strtoull(*text, text, 10);

	*text += **text == ' ';
	return n;
}

static bool recall_counts(const Store *store, Summary *self)
{
	g_autofree char *text = recall(store, "counts", 0);
	uint64_t *counts[8];
	char *next = text;

	counts_of(self, counts);
	for (int i = 0; text != NULL && i < 8; i++)
		*counts[i] = take_number(&next);
	return text != NULL;
}

static void recall_row(const Store *store, Summary *self, int i)
{
	for (int list = 0; list < N_SUMMARY_LISTS; list++) {
		g_autofree char *text = recall(store, list_keys[list], i);
		char *next = text;

		if (text == NULL)
			continue;
		self->lists[list][i].samples = take_number(&next);
		self->lists[list][i].name = g_strdup(next);
	}
	g_autofree char *text = recall(store, "unresolved", i);
	char *next = text;

	if (text == NULL)
		return;
	self->dsos[i].frames = take_number(&next);
	self->dsos[i].leaves = take_number(&next);
	self->dsos[i].dso = g_strdup(next);
}

static bool touch_samples(const Store *store, GError **error)
{
	static const StoreSection sections[] = { SECTION_STACK, SECTION_THREAD, SECTION_PERIOD };

	for (size_t i = 0; i < G_N_ELEMENTS(sections); i++)
		if (!store_touch(store, sections[i], 0, store->columns[sections[i]].n, error))
			return false;
	return true;
}

Summary *summary_new(const Store *store, GError **error)
{
	g_autoptr(Summary) self = g_new0(Summary, 1);

	if (recall_counts(store, self)) {
		for (int i = 0; i < SUMMARY_ROWS; i++)
			recall_row(store, self, i);
		return g_steal_pointer(&self);
	}
	if (!touch_samples(store, error))
		return NULL;
	summary_free(self);
	self = summary_count(store, store_fact_count(store, FACT_WEIGHTED) != 0);
	if (self == NULL)
		fail(error, FLAMEBEAT_ERROR_LIMIT, "out of memory");
	return g_steal_pointer(&self);
}
