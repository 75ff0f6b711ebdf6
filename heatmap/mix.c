/* SPDX-License-Identifier: MIT */
/*
 * One pass weighs functions: how much their share of the samples differs from block to block, by
 * Pearson's chi-squared. A second counts the most varying ones into buckets. Each is then searched
 * by itself (segments.h), with its share of all samples in a bucket as what is expected there;
 * what is found for several functions, as callers and what they call mostly are, is chosen once.
 */

#include "heatmap/mix.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "heatmap/segments.h"

#define BLOCK_NS      (200 * NS_PER_MS)
#define MAX_FUNCTIONS 24
#define MAX_COUNTS    ((size_t)1 << 27) /* bytes of buckets, of all functions */
#define MIN_SAMPLES   8
#define MIN_DEVIATION 4.0 /* of chi-squared, in its standard deviations */
#define MAX_LOAD      0.5 /* what the load may differ from the baseline, as a share of it */
#define N_ROUNDS      2
#define FLOOR	      1e-4f /* expected samples of a covered bucket, at least */

/* A displayed function. */
typedef struct {
	double total;
	double squares; /* sum over blocks of its count squared by the block's */
	uint32_t block; /* its count in the present block */
	double deviation;
	size_t rank; /* 1 …: one of the chosen */
} Function;

/* The displayed functions of a stack, each once. */
typedef struct {
	uint32_t first, n; /* in `ids`; first 0: not looked at yet */
} StackIds;

typedef struct {
	const Series *series;
	const Store *store;
	FrameNames *names;
	GArray *ids;	    /* of uint32_t; [0] is nothing */
	StackIds *by_stack; /* by stack id */
	GArray *functions;  /* of Function, by display id */
	GArray *met;	    /* display ids with a count in the present block */
	double n_block, n_samples, n_blocks;
	int64_t block;
	uint16_t **counts; /* of the chosen, by bucket */
	uint32_t chosen[MAX_FUNCTIONS];
	size_t n_chosen;
} Mixer;

static void mixer_init(Mixer *self, const Series *series, const Store *store, NamesKind names)
{
	uint32_t nothing = 0;

	*self = (Mixer){ .series = series, .store = store };
	self->names = frame_names_new(store, names, 0);
	self->ids = g_array_new(FALSE, FALSE, sizeof(uint32_t));
	g_array_append_val(self->ids, nothing);
	self->by_stack = g_new0(StackIds, (gsize)store_n_stacks(store) + 1);
	self->functions = g_array_new(FALSE, TRUE, sizeof(Function));
	self->met = g_array_new(FALSE, FALSE, sizeof(uint32_t));
	self->counts = g_new0(uint16_t *, MAX_FUNCTIONS);
}

static void mixer_clear(Mixer *self)
{
	for (size_t i = 0; i < self->n_chosen; i++)
		g_free(self->counts[i]);
	g_free(self->counts);
	frame_names_free(self->names);
	g_array_unref(self->ids);
	g_free(self->by_stack);
	g_array_unref(self->functions);
	g_array_unref(self->met);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Mixer, mixer_clear)

static Function *function(const Mixer *self, uint32_t display)
{
	return &g_array_index(self->functions, Function, display);
}

static bool is_listed(const Mixer *self, uint32_t first, uint32_t display)
{
	for (guint i = first; i < self->ids->len; i++)
		if (g_array_index(self->ids, uint32_t, i) == display)
			return true;
	return false;
}

static void list_stack(Mixer *self, uint32_t stack, uint32_t first)
{
	for (; stack != 0; stack = store_stack_parent(self->store, stack)) {
		uint32_t n;
		const uint32_t *ids =
			frame_names_ids(self->names, store_stack_frame(self->store, stack), &n);

		for (uint32_t i = 0; i < n; i++) {
			if (ids[i] >= self->functions->len)
				g_array_set_size(self->functions, ids[i] + 1);
			if (!is_listed(self, first, ids[i]))
				g_array_append_val(self->ids, ids[i]);
		}
	}
}

static StackIds functions_of(Mixer *self, uint32_t stack)
{
	StackIds *row = &self->by_stack[stack];

	if (row->first == 0) {
		row->first = self->ids->len;
		list_stack(self, stack, row->first);
		row->n = self->ids->len - row->first;
	}
	return *row;
}

/* --- which functions --------------------------------------------------------------------- */

static void end_block(Mixer *self)
{
	for (guint i = 0; i < self->met->len; i++) {
		Function *row = function(self, g_array_index(self->met, uint32_t, i));

		row->squares += (double)row->block * row->block / self->n_block;
		row->block = 0;
	}
	g_array_set_size(self->met, 0);
	self->n_blocks += self->n_block > 0;
	self->n_samples += self->n_block;
	self->n_block = 0;
}

static void weigh_sample(Mixer *self, const SampleBlock *block, size_t i)
{
	int64_t number = (block->time_ns[i] - self->series->origin_ns) / BLOCK_NS;
	StackIds ids = functions_of(self, block->stack[i]);

	if (number != self->block)
		end_block(self);
	self->block = number;
	self->n_block++;
	for (uint32_t k = ids.first; k < ids.first + ids.n; k++) {
		uint32_t display = g_array_index(self->ids, uint32_t, k);
		Function *row = function(self, display);

		if (row->block++ == 0)
			g_array_append_val(self->met, display);
		row->total++;
	}
}

/* Pearson's statistic for "the same share in every block", in standard deviations. */
static double deviation_of(const Mixer *self, const Function *row)
{
	double share = row->total / self->n_samples;
	double n = MAX(self->n_blocks - 1, 1), chi2;

	if (row->total < MIN_SAMPLES || share > 0.95)
		return 0;
	chi2 = (row->squares - share * row->total) / (share * (1 - share));
	return (chi2 - n) / sqrt(2 * n);
}

static void choose_functions(Mixer *self)
{
	for (guint i = 0; i < self->functions->len; i++)
		function(self, i)->deviation = deviation_of(self, function(self, i));
	while (self->n_chosen < MAX_FUNCTIONS &&
	       (self->n_chosen + 1) * self->series->n * sizeof(uint16_t) <= MAX_COUNTS) {
		Function *best = NULL;

		for (guint i = 0; i < self->functions->len; i++) {
			Function *row = function(self, i);

			if (row->rank == 0 && row->deviation >= MIN_DEVIATION &&
			    (best == NULL || row->deviation > best->deviation))
				best = row;
		}
		if (best == NULL)
			return;
		self->chosen[self->n_chosen] = (uint32_t)(best - function(self, 0));
		self->counts[self->n_chosen] = g_new0(uint16_t, self->series->n);
		best->rank = ++self->n_chosen;
	}
}

static void count_sample(Mixer *self, const SampleBlock *block, size_t i)
{
	size_t bucket =
		(size_t)((block->time_ns[i] - self->series->origin_ns) / self->series->bucket_ns);
	StackIds ids = functions_of(self, block->stack[i]);

	for (uint32_t k = ids.first; k < ids.first + ids.n; k++) {
		size_t rank = function(self, g_array_index(self->ids, uint32_t, k))->rank;

		if (rank > 0 && self->counts[rank - 1][bucket] < UINT16_MAX)
			self->counts[rank - 1][bucket]++;
	}
}

static bool walk(Mixer *self, Selection *selection,
		 void (*each)(Mixer *self, const SampleBlock *block, size_t i), GError **error)
{
	g_autofree SampleBlock *block = g_new(SampleBlock, 1);

	selection_rewind(selection);
	do {
		if (!selection_next(selection, block, error))
			return false;
		for (size_t i = 0; i < block->n; i++)
			each(self, block, i);
	} while (block->n > 0);
	return true;
}

/* --- when -------------------------------------------------------------------------------- */

/* Share of the function in all samples but those of `segments`. */
static double usual_share(const Mixer *self, const uint16_t *counts, const GArray *segments)
{
	double own = 0, all = 0;
	guint next = 0;

	for (size_t i = 0; i < self->series->n; i++) {
		while (next < segments->len && g_array_index(segments, Segment, next).end <= i)
			next++;
		if (next < segments->len && g_array_index(segments, Segment, next).begin <= i)
			continue;
		own += counts[i];
		all += self->series->counts[i];
	}
	return MAX(own, 0.5) / MAX(all, 1);
}

static void search_function(const Mixer *self, SegmentSearch *search, const uint16_t *own,
			    float *expected, GArray *out)
{
	g_autoptr(GArray) segments = g_array_new(FALSE, FALSE, sizeof(Segment));
	g_autofree uint32_t *counts = g_new(uint32_t, self->series->n);

	for (size_t i = 0; i < self->series->n; i++)
		counts[i] = own[i];
	search->counts = counts;
	for (int round = 0; round < N_ROUNDS; round++) {
		float share = (float)usual_share(self, own, segments);

		for (size_t i = 0; i < self->series->n; i++)
			expected[i] = MAX(share * (float)self->series->counts[i],
					  FLOOR * self->series->covered[i]);
		g_array_set_size(segments, 0);
		segments_find(search, segments);
	}
	g_array_append_vals(out, segments->data, segments->len);
}

/* Whether the load is about what is usual then; else it is a spike or a drop. */
static bool is_usual_load(const Series *series, const float *baseline, const Segment *segment)
{
	double samples = 0, expected = 0;

	for (size_t i = segment->begin; i < segment->end; i++) {
		samples += series->counts[i];
		expected += (double)baseline[i];
	}
	return fabs(samples - expected) <= MAX(MAX_LOAD * expected, 3 * sqrt(expected));
}

static void keep_usual(const Series *series, const float *baseline, GArray *segments)
{
	guint n = 0;

	for (guint i = 0; i < segments->len; i++) {
		Segment segment = g_array_index(segments, Segment, i);

		if (is_usual_load(series, baseline, &segment))
			g_array_index(segments, Segment, n++) = segment;
	}
	g_array_set_size(segments, n);
}

bool mix_find(const Series *series, const float *baseline, const Store *store, Selection *selection,
	      NamesKind names, double min_score, size_t max_length, GArray *out, GError **error)
{
	g_auto(Mixer) self = { 0 };
	g_autoptr(GArray) found = g_array_new(FALSE, FALSE, sizeof(Segment));
	g_autofree float *expected = g_new(float, series->n);
	SegmentSearch search = { .expected = expected,
				 .n = series->n,
				 .min_score = min_score + log(MAX_FUNCTIONS),
				 .max_length = max_length };

	mixer_init(&self, series, store, names);
	if (!walk(&self, selection, weigh_sample, error))
		return false;
	end_block(&self);
	choose_functions(&self);
	if (!walk(&self, selection, count_sample, error))
		return false;
	for (size_t i = 0; i < self.n_chosen; i++)
		search_function(&self, &search, self.counts[i], expected, found);
	keep_usual(series, baseline, found);
	segments_choose(found, search.min_score, out);
	return true;
}
