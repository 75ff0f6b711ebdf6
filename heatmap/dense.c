/* SPDX-License-Identifier: MIT */
/*
 * A scan statistic. A run of cells with x samples where the average makes e expected is scored by
 * the logarithm of Poisson's likelihood ratio, x ln(x / e) - (x - e): the odds of "busier here"
 * against "chance". The best window of 1, 2, 3, 5, 8, … cells is grown and trimmed at its ends
 * while that raises its score, split at its quietest stretch while two ranges explain it better
 * than one, set aside, and the rest searched again. Windows never cross a hole of the recording or
 * a range found before. Weights count in units of the mean sample.
 */

#include "heatmap/dense.h"

#include <math.h>

#define MIN_RATIO 1.5
#define MIN_MARGIN                                                                                 \
	3.0	      /* beyond ln(windows tried): one in twenty recordings of noise has a range   \
		       */
#define MAX_STRETCH 4 /* cells that growing may take at once: gaps it can bridge */

static const uint32_t window_cells[] = { 1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144, 233 };

/* Cells [begin, end) of the series. */
typedef struct {
	size_t begin;
	size_t end;
} Run;

typedef struct {
	const uint64_t *values; /* one a cell, in the order of time */
	size_t n;
	size_t n_covered;
	double mean;	   /* of the covered cells */
	double least;	   /* score of what chance hardly makes */
	double sample;	   /* weight of one */
	GArray *free_runs; /* of Run: covered and not taken yet, ascending */
} Series;

typedef struct {
	Run run;
	size_t free_run; /* that it lies in */
	uint64_t weight;
	double score; /* 0: none */
} Candidate;

static double score(const Series *self, uint64_t weight, size_t n_cells)
{
	double expected = self->mean * (double)n_cells / self->sample;
	double found = (double)weight / self->sample;
	if (found < MIN_RATIO * expected)
		return 0;
	return found * log(found / expected) - (found - expected);
}

/* --- the series ---------------------------------------------------------------------------- */

/* Weight by column, where rows are no parts of time; g_free() it. */
static uint64_t *sum_columns(const Heatmap *heatmap)
{
	uint64_t *sums = g_new0(uint64_t, heatmap->n_columns);
	for (uint32_t c = 0; c < heatmap->n_columns; c++) {
		for (uint32_t r = 0; r < heatmap->n_rows; r++)
			sums[c] += heatmap_cell(heatmap, c, r);
	}
	return sums;
}

static uint32_t rows_in_time(const Heatmap *heatmap)
{
	return heatmap->by == HEATMAP_BY_TIME ? heatmap->n_rows : 1;
}

static int64_t cell_time(const Heatmap *heatmap, size_t cell)
{
	uint32_t n_rows = rows_in_time(heatmap);
	uint32_t c = (uint32_t)(cell / n_rows), r = (uint32_t)(cell % n_rows);
	return n_rows == 1 ? heatmap->origin_ns + c * heatmap->column_ns
			   : heatmap_cell_begin_ns(heatmap, c, r);
}

/* The series without the silence before the first sample in the first column and after the last
 * one in the last: there the recording had not begun, or was over. */
static Run trim_ends(const Series *self, uint32_t n_rows)
{
	Run run = { 0, self->n };
	while (run.begin < MIN(n_rows, self->n) && self->values[run.begin] == 0)
		run.begin++;
	while (run.end > self->n - n_rows && run.end > run.begin && self->values[run.end - 1] == 0)
		run.end--;
	return run;
}

/* Splits the series at holes and finds the mean of what is left. */
static void find_covered(Series *self, const Heatmap *heatmap)
{
	uint32_t n_rows = rows_in_time(heatmap);
	Run whole = trim_ends(self, n_rows), run = { whole.begin, whole.begin };
	double sum = 0;
	for (size_t i = whole.begin; i < whole.end; i++) {
		bool is_hole =
			heatmap_is_hole(heatmap, (uint32_t)(i / n_rows), (uint32_t)(i % n_rows));
		if (!is_hole) {
			sum += (double)self->values[i];
			self->n_covered++;
			run.end = i + 1;
			continue;
		}
		if (run.begin < run.end)
			g_array_append_val(self->free_runs, run);
		run = (Run){ i + 1, i + 1 };
	}
	if (run.begin < run.end)
		g_array_append_val(self->free_runs, run);
	self->mean = self->n_covered > 0 ? sum / (double)self->n_covered : 0;
}

/* --- the search ---------------------------------------------------------------------------- */

static void scan_windows(const Series *self, size_t free_run, uint32_t length, Candidate *best)
{
	Run run = g_array_index(self->free_runs, Run, free_run);
	double least = MIN_RATIO * self->mean * length;
	uint64_t weight = 0;
	for (size_t i = run.begin; i < run.end; i++) {
		weight += self->values[i];
		if (i >= run.begin + length)
			weight -= self->values[i - length];
		if ((double)weight < least || i + 1 < run.begin + length)
			continue;
		double window_score = score(self, weight, length);
		if (window_score > best->score)
			*best = (Candidate){
				{ i + 1 - length, i + 1 }, free_run, weight, window_score
			};
	}
}

/* Takes `trial` for `best` where it scores more. */
static bool improve(const Series *self, Candidate *best, Candidate trial)
{
	trial.score = score(self, trial.weight, trial.run.end - trial.run.begin);
	if (trial.score <= best->score)
		return false;
	*best = trial;
	return true;
}

/* Moves one end of `best` outward by up to MAX_STRETCH cells. */
static bool grow(const Series *self, Candidate *best, bool is_end)
{
	Run limits = g_array_index(self->free_runs, Run, best->free_run);
	Candidate trial = *best;
	for (int i = 0; i < MAX_STRETCH; i++) {
		if (is_end ? trial.run.end == limits.end : trial.run.begin == limits.begin)
			return false;
		trial.weight += self->values[is_end ? trial.run.end++ : --trial.run.begin];
		if (improve(self, best, trial))
			return true;
	}
	return false;
}

/* Moves one end of `best` inward by a cell. */
static bool trim(const Series *self, Candidate *best, bool is_end)
{
	Candidate trial = *best;
	if (trial.run.end - trial.run.begin == 1)
		return false;
	trial.weight -= self->values[is_end ? --trial.run.end : trial.run.begin++];
	return improve(self, best, trial);
}

/* The stretch within `run` that falls furthest short of MIN_RATIO, by Kadane's algorithm. */
static Run quietest_stretch(const Series *self, Run run)
{
	double target = MIN_RATIO * self->mean, lack = 0, most = 0;
	Run stretch = { run.begin, run.begin }, quietest = stretch;
	for (size_t i = run.begin; i < run.end; i++) {
		if (lack <= 0) {
			lack = 0;
			stretch.begin = i;
		}
		lack += target - (double)self->values[i];
		stretch.end = i + 1;
		if (lack > most) {
			most = lack;
			quietest = stretch;
		}
	}
	return quietest;
}

static Candidate part_of(const Series *self, const Candidate *whole, size_t begin, size_t end)
{
	Candidate part = { { begin, end }, whole->free_run, 0, 0 };
	for (size_t i = begin; i < end; i++)
		part.weight += self->values[i];
	if (begin < end)
		part.score = score(self, part.weight, end - begin);
	return part;
}

/* Replaces `best` by the better of the two ranges that it is made of, where it is. */
static bool split(const Series *self, Candidate *best)
{
	Run quietest = quietest_stretch(self, best->run);
	Candidate left = part_of(self, best, best->run.begin, quietest.begin);
	Candidate right = part_of(self, best, quietest.end, best->run.end);
	if (left.score + right.score <= best->score + self->least)
		return false;
	*best = left.score >= right.score ? left : right;
	return true;
}

static Candidate find_best(const Series *self)
{
	Candidate best = { .score = 0 };
	for (size_t i = 0; i < self->free_runs->len; i++) {
		for (size_t w = 0; w < G_N_ELEMENTS(window_cells); w++)
			scan_windows(self, i, window_cells[w], &best);
	}
	bool is_moving = best.score > 0;
	while (is_moving)
		is_moving = trim(self, &best, false) || trim(self, &best, true) ||
			    grow(self, &best, false) || grow(self, &best, true);
	while (best.score >= self->least && split(self, &best))
		;
	return best;
}

/* Takes a run out of the free run that it lies in. */
static void take(Series *self, const Candidate *candidate)
{
	Run *left = &g_array_index(self->free_runs, Run, candidate->free_run);
	Run right = { candidate->run.end, left->end };
	left->end = candidate->run.begin;
	g_array_insert_val(self->free_runs, candidate->free_run + 1, right);
}

static uint64_t heaviest_cell(const Series *self, Run run)
{
	uint64_t max = 0;
	for (size_t i = run.begin; i < run.end; i++)
		max = MAX(max, self->values[i]);
	return max;
}

/* What a stretch of covered time holds on average. */
static double average_weight(const Series *self, const Heatmap *heatmap, int64_t length_ns)
{
	double cell_ns = (double)heatmap->column_ns / rows_in_time(heatmap);
	return (double)heatmap->total / ((double)self->n_covered * cell_ns) * (double)length_ns;
}

static DenseRange make_range(const Series *self, const Heatmap *heatmap, const Candidate *found)
{
	DenseRange range = { .range = { cell_time(heatmap, found->run.begin),
					cell_time(heatmap, found->run.end) },
			     .weight = found->weight };
	int64_t length_ns = range.range.end_ns - range.range.begin_ns;
	if (heatmap->cell == CELL_PEAK) {
		range.weight = heaviest_cell(self, found->run);
		length_ns = CELL_PART_NS;
	}
	range.ratio = (double)range.weight / average_weight(self, heatmap, length_ns);
	return range;
}

size_t heatmap_densest(const Heatmap *self, DenseRange *out, size_t max)
{
	bool is_by_time = self->by == HEATMAP_BY_TIME;
	g_autofree uint64_t *sums = is_by_time ? NULL : sum_columns(self);
	g_autoptr(GArray) free_runs = g_array_new(FALSE, FALSE, sizeof(Run));
	Series series = { .values = is_by_time ? self->cells : sums,
			  .n = (size_t)self->n_columns * rows_in_time(self),
			  .sample = 1,
			  .free_runs = free_runs };
	if (self->counts.samples > 0 && self->counts.weight > 0)
		series.sample = (double)self->counts.weight / (double)self->counts.samples;
	find_covered(&series, self);
	if (series.mean <= 0)
		return 0;

	series.least = log((double)series.n * G_N_ELEMENTS(window_cells)) + MIN_MARGIN;
	size_t n = 0;
	while (n < max) {
		Candidate found = find_best(&series);
		if (found.score <= 0)
			break;
		take(&series, &found);
		if ((double)found.weight < 2 * series.sample)
			continue;
		out[n] = make_range(&series, self, &found);
		out[n++].is_clear = found.score >= series.least;
	}
	return n;
}
