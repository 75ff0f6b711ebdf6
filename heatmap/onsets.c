/* SPDX-License-Identifier: MIT */
/*
 * Two passes over the selection: how often each stack runs at all, and how often at each distance
 * from an onset. Only then are stacks taken apart into functions. The onset of a spike is where its
 * first sample of its own function is: edges of spikes are edges of buckets, up to a bucket early.
 */

#include "heatmap/onsets.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "store/covered-time.h"

#define NEARLY 0.85

/* Samples of one stack around the onsets. */
typedef struct {
	uint32_t stack;
	uint32_t counts[ONSET_BINS];
} StackLags;

typedef struct {
	const Store *store;
	Selection *selection;
	FrameNames *names;
	int64_t *onsets; /* ascending */
	size_t n_onsets;
	uint64_t *weights;     /* samples by stack, of all the selection */
	GArray *lags;	       /* of StackLags */
	uint32_t *lags_of;     /* index + 1 by stack */
	GArray *functions;     /* of OnsetFunction, by display id as `function_of` says */
	uint32_t *function_of; /* index + 1 by display id; grows with the names */
	uint32_t n_function_of;
	uint32_t *last_seen; /* by function: the stack that counted it last, + 1 */
	uint32_t n_last_seen;
} Work;

static void work_clear(Work *self)
{
	frame_names_free(self->names);
	g_free(self->onsets);
	g_free(self->weights);
	g_clear_pointer(&self->lags, g_array_unref);
	g_free(self->lags_of);
	g_clear_pointer(&self->functions, g_array_unref);
	g_free(self->function_of);
	g_free(self->last_seen);
}

/* --- onsets ------------------------------------------------------------------------------ */

static int by_excess(const void *left, const void *right)
{
	const Spike *a = *(const Spike *const *)left, *b = *(const Spike *const *)right;
	return (a->excess < b->excess) - (a->excess > b->excess);
}

static int compare_times(const void *left, const void *right)
{
	int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;
	return (a > b) - (a < b);
}

static void choose_onsets(Work *self, const Spikes *spikes)
{
	g_autofree const Spike **sorted = g_new(const Spike *, spikes->n + 1);
	for (size_t i = 0; i < spikes->n; i++)
		sorted[i] = &spikes->items[i];
	qsort(sorted, spikes->n, sizeof(*sorted), by_excess);
	self->n_onsets = MIN(spikes->n, ONSET_MAX);
	self->onsets = g_new(int64_t, self->n_onsets + 1);
	for (size_t i = 0; i < self->n_onsets; i++)
		self->onsets[i] = sorted[i]->range.begin_ns;
	qsort(self->onsets, self->n_onsets, sizeof(*self->onsets), compare_times);
}

/* --- samples ----------------------------------------------------------------------------- */

static StackLags *lags_of(Work *self, uint32_t stack)
{
	if (self->lags_of[stack] == 0) {
		StackLags lags = { .stack = stack };
		g_array_append_val(self->lags, lags);
		self->lags_of[stack] = self->lags->len;
	}
	return &g_array_index(self->lags, StackLags, self->lags_of[stack] - 1);
}

/* The bin that a sample is in, as seen from an onset; false: too far away. */
static bool find_bin(int64_t lag_ns, uint32_t *bin)
{
	int64_t shifted = lag_ns + ONSET_REACH * ONSET_BIN_NS + ONSET_BIN_NS / 2;
	*bin = (uint32_t)(shifted / ONSET_BIN_NS);
	return shifted >= 0 && shifted < ONSET_BINS * ONSET_BIN_NS;
}

/* `*first`: the first onset whose reach has not passed yet; samples ascend. */
static void count_sample(Work *self, size_t *first, int64_t time_ns, uint32_t stack)
{
	uint32_t bin;
	while (*first < self->n_onsets &&
	       self->onsets[*first] + (ONSET_REACH + 1) * ONSET_BIN_NS < time_ns)
		(*first)++;
	for (size_t i = *first; i < self->n_onsets; i++) {
		if (self->onsets[i] - (ONSET_REACH + 1) * ONSET_BIN_NS > time_ns)
			break;
		if (find_bin(time_ns - self->onsets[i], &bin))
			lags_of(self, stack)->counts[bin]++;
	}
}

static bool count_samples(Work *self, GError **error)
{
	g_autofree SampleBlock *block = g_new(SampleBlock, 1);
	size_t first = 0;
	selection_rewind(self->selection);
	do {
		if (!selection_next(self->selection, block, error))
			return false;
		for (size_t i = 0; i < block->n; i++) {
			self->weights[block->stack[i]]++;
			if (block->time_ns[i] != TIME_NONE)
				count_sample(self, &first, block->time_ns[i], block->stack[i]);
		}
	} while (block->n > 0);
	return true;
}

/* --- functions --------------------------------------------------------------------------- */

static uint32_t *grown(uint32_t *array, uint32_t *n, uint32_t needed)
{
	if (needed <= *n)
		return array;
	uint32_t size = MAX(needed, *n * 2);
	array = g_renew(uint32_t, array, size);
	memset(array + *n, 0, (size_t)(size - *n) * sizeof(*array));
	*n = size;
	return array;
}

/* The index of the function displayed as `id`. */
static uint32_t function_index(Work *self, uint32_t id)
{
	self->function_of = grown(self->function_of, &self->n_function_of, id + 1);
	if (self->function_of[id] == 0) {
		OnsetFunction function = { .name = NULL };
		Text name = frame_names_get(self->names, id).name;
		function.name = g_strndup(name.data, name.len);
		g_array_append_val(self->functions, function);
		self->function_of[id] = self->functions->len;
		self->last_seen = grown(self->last_seen, &self->n_last_seen, self->functions->len);
	}
	return self->function_of[id] - 1;
}

static void add_to_function(Work *self, uint32_t index, uint32_t serial, bool is_leaf,
			    const StackLags *lags, uint64_t weight)
{
	OnsetFunction *function = &g_array_index(self->functions, OnsetFunction, index);
	if (self->last_seen[index] == serial)
		return;
	self->last_seen[index] = serial;
	function->rate += (double)weight;
	for (uint32_t b = 0; lags != NULL && b < ONSET_BINS; b++) {
		function->counts[b] += lags->counts[b];
		function->self[b] += is_leaf ? lags->counts[b] : 0;
	}
}

/* Adds a stack to each function on it, the leaf first. */
static void add_stack(Work *self, uint32_t stack, const StackLags *lags, uint64_t weight)
{
	uint32_t serial = stack + 1;
	for (uint32_t s = stack; s != 0; s = store_stack_parent(self->store, s)) {
		uint32_t n_ids;
		const uint32_t *ids =
			frame_names_ids(self->names, store_stack_frame(self->store, s), &n_ids);
		g_autofree uint32_t *copy = g_memdup2(ids, n_ids * sizeof(*ids));
		for (uint32_t k = n_ids; k-- > 0;)
			add_to_function(self, function_index(self, copy[k]), serial,
					s == stack && k == n_ids - 1, lags, weight);
	}
}

/* Only functions that run near an onset are of interest; their rates come from all stacks. */
static void gather_functions(Work *self)
{
	uint32_t n_stacks = store_n_stacks(self->store);
	for (uint32_t stack = 1; stack < n_stacks; stack++) {
		uint32_t i = self->lags_of[stack];
		if (self->weights[stack] > 0)
			add_stack(self, stack,
				  i > 0 ? &g_array_index(self->lags, StackLags, i - 1) : NULL,
				  self->weights[stack]);
	}
}

/* --- judging ----------------------------------------------------------------------------- */

double onsets_expected(const Onsets *self, const OnsetFunction *function, uint32_t bin)
{
	return function->rate * self->covered_ns[bin] / NS_PER_SECOND;
}

static void judge(const Onsets *self, OnsetFunction *function)
{
	for (uint32_t b = 0; b < ONSET_BINS; b++) {
		double expected = onsets_expected(self, function, b);
		function->z[b] = 2 * (sqrt(function->counts[b] + 0.375) - sqrt(expected + 0.375));
		if (function->z[b] > function->z[function->peak])
			function->peak = b;
	}
}

/* By the height of the peak; of functions on the same stacks, the one that runs itself. */
static int by_peak(const void *left, const void *right)
{
	const OnsetFunction *a = left, *b = right;
	double x = a->z[a->peak], y = b->z[b->peak];
	if (fabs(x - y) > 1e-9)
		return x < y ? 1 : -1;
	if (a->self[a->peak] != b->self[b->peak])
		return a->self[a->peak] < b->self[b->peak] ? 1 : -1;
	return strcmp(a->name, b->name);
}

static int by_lag(const void *left, const void *right)
{
	const OnsetFunction *a = left, *b = right;
	return a->peak != b->peak ? (a->peak > b->peak) - (a->peak < b->peak) : by_peak(a, b);
}

static double largest_z(const Onsets *self, uint32_t bin)
{
	double largest = 0;
	for (uint32_t i = 0; i < self->n_functions; i++)
		largest = MAX(largest, self->functions[i].z[bin]);
	return largest;
}

/* Callers stand out with what they call, and `main` more than any: of the functions that stand out
 * nearly as much, the most particular says most, which is the one that runs least elsewhere. */
static void find_tops(Onsets *self)
{
	for (uint32_t b = 0; b < ONSET_BINS; b++) {
		double least = MAX(largest_z(self, b) * NEARLY, ONSET_CLEAR_Z);
		const OnsetFunction *best = NULL;
		self->top[b] = ROW_NONE;
		for (uint32_t i = 0; i < self->n_functions; i++) {
			const OnsetFunction *function = &self->functions[i];
			bool is_better =
				best == NULL || function->rate < best->rate ||
				(function->rate <= best->rate && function->self[b] > best->self[b]);
			if (function->z[b] >= least && is_better) {
				best = function;
				self->top[b] = i;
			}
		}
	}
}

/* How much of each bin is covered, over all onsets. */
static void find_covered(Onsets *self, const Work *work)
{
	g_autoptr(GArray) covered = covered_time_chosen(work->store, work->selection);
	for (uint32_t b = 0; b < ONSET_BINS; b++) {
		g_autoptr(GArray) bins = g_array_new(FALSE, FALSE, sizeof(TimeRange));
		for (size_t i = 0; i < work->n_onsets; i++) {
			int64_t begin = work->onsets[i] + onsets_lag_ns(b) - ONSET_BIN_NS / 2;
			TimeRange range = { begin, begin + ONSET_BIN_NS };
			g_array_append_val(bins, range);
		}
		/* Bins of different onsets may overlap, and samples then count for both: the
		 * covered part of their union is scaled up to all of them. */
		g_autoptr(GArray) all =
			time_set_new((const TimeRange *)(const void *)bins->data, bins->len);
		g_autoptr(GArray) both = time_set_intersect(all, covered);
		double length = (double)MAX(time_set_length(all), 1);
		self->covered_ns[b] =
			(double)time_set_length(both) / length * (double)bins->len * ONSET_BIN_NS;
	}
}

/* Keeps the functions that stand out somewhere, at most `max`. */
static void choose_functions(Onsets *self, Work *work, uint32_t max)
{
	OnsetFunction *all = (OnsetFunction *)(void *)work->functions->data;
	uint32_t n = 0;
	for (uint32_t i = 0; i < work->functions->len; i++)
		judge(self, &all[i]);
	if (work->functions->len > 0)
		qsort(all, work->functions->len, sizeof(*all), by_peak);
	while (n < work->functions->len && n < max && all[n].z[all[n].peak] >= ONSET_CLEAR_Z)
		n++;
	self->n_functions = n;
	self->functions = g_memdup2(all, n * sizeof(*all));
	for (uint32_t i = 0; i < n; i++)
		self->functions[i].name = g_strdup(all[i].name);
	if (n > 0)
		qsort(self->functions, n, sizeof(*self->functions), by_lag);
	find_tops(self);
}

static void clear_function(gpointer data)
{
	g_free(((OnsetFunction *)data)->name);
}

static void scale_rates(Work *work)
{
	double seconds = (double)covered_time_of(work->store, work->selection) / NS_PER_SECOND;
	for (uint32_t i = 0; i < work->functions->len; i++)
		g_array_index(work->functions, OnsetFunction, i).rate /= MAX(seconds, 1e-9);
}

static void add_totals(Onsets *self, const Work *work)
{
	for (uint32_t i = 0; i < work->lags->len; i++) {
		for (uint32_t b = 0; b < ONSET_BINS; b++)
			self->totals[b] += g_array_index(work->lags, StackLags, i).counts[b];
	}
}

static bool make(Onsets *self, Work *work, const Spikes *spikes, uint32_t max, GError **error)
{
	choose_onsets(work, spikes);
	self->n_onsets = (uint32_t)work->n_onsets;
	if (!count_samples(work, error))
		return false;
	gather_functions(work);
	scale_rates(work);
	find_covered(self, work);
	add_totals(self, work);
	choose_functions(self, work, max);
	return true;
}

Onsets *onsets_new(const Store *store, Selection *selection, const Spikes *spikes, NamesKind names,
		   uint32_t max_functions, GError **error)
{
	g_autoptr(Onsets) self = g_new0(Onsets, 1);
	uint32_t n_stacks = store_n_stacks(store);
	Work work = { .store = store,
		      .selection = selection,
		      .names = frame_names_new(store, names, 0),
		      .weights = g_new0(uint64_t, n_stacks),
		      .lags = g_array_new(FALSE, FALSE, sizeof(StackLags)),
		      .lags_of = g_new0(uint32_t, n_stacks),
		      .functions = g_array_new(FALSE, FALSE, sizeof(OnsetFunction)) };
	g_array_set_clear_func(work.functions, clear_function);
	bool ok = make(self, &work, spikes, max_functions, error);
	work_clear(&work);
	return ok ? g_steal_pointer(&self) : NULL;
}

void onsets_free(Onsets *self)
{
	if (self == NULL)
		return;
	for (uint32_t i = 0; i < self->n_functions; i++)
		g_free(self->functions[i].name);
	g_free(self->functions);
	g_free(self);
}

/* --- the picture ------------------------------------------------------------------------- */

Heatmap *onsets_heatmap(const Onsets *self)
{
	Heatmap *map = g_new0(Heatmap, 1);
	uint32_t n = MAX(self->n_functions, 1);
	*map = (Heatmap){ .by = HEATMAP_BY_FUNCTION,
			  .origin_ns = onsets_lag_ns(0), /* a column is named by its middle */
			  .column_ns = ONSET_BIN_NS,
			  .n_columns = ONSET_BINS,
			  .n_rows = n,
			  .row_labels = g_new0(char *, n + 1),
			  .cells = g_new0(uint64_t, (size_t)n * ONSET_BINS) };
	map->row_labels[0] = g_strdup("(no function stands out)");
	for (uint32_t i = 0; i < self->n_functions; i++) {
		uint32_t row = n - 1 - i;
		g_free(map->row_labels[row]);
		map->row_labels[row] = g_strdup(self->functions[i].name);
		for (uint32_t b = 0; b < ONSET_BINS; b++) {
			uint64_t count = self->functions[i].counts[b];
			map->cells[(size_t)b * n + row] = count;
			map->max = MAX(map->max, count);
			map->total += count;
		}
	}
	return map;
}
