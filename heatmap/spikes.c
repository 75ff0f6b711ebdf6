/* SPDX-License-Identifier: MIT */
/*
 * One pass over the samples makes the series and the totals by thread and stack; segments.h finds
 * the spikes in it; a walk over each spike's samples tells who it was.
 */

#include "heatmap/spikes.h"

#include <math.h>
#include <stdlib.h>

#include "heatmap/baseline.h"
#include "heatmap/mix.h"
#include "heatmap/segments.h"
#include "heatmap/series.h"
#include "store/error.h"

#define BUCKET_NS   (10 * NS_PER_MS)
#define FALSE_ALARM 0.1 /* spikes by chance in a recording */

void spikes_free(Spikes *self)
{
	if (self == NULL)
		return;
	for (size_t i = 0; i < self->n; i++)
		who_clear(&self->items[i].who);
	g_free(self->items);
	g_free(self);
}

char *spike_range_text(const Spikes *self, const Spike *spike)
{
	g_autofree char *begin = time_format_seconds(spike->range.begin_ns - self->zero_ns);
	g_autofree char *end = time_format_seconds(spike->range.end_ns - self->zero_ns);

	return g_strdup_printf("%s..%s", begin, end);
}

/* --- finding ----------------------------------------------------------------------------- */

static bool is_wanted(const SpikeSettings *settings, const Series *series, const Segment *segment)
{
	int64_t length_ns = (int64_t)(segment->end - segment->begin) * series->bucket_ns;

	return length_ns >= settings->min_length_ns &&
	       fabs(segment->samples - segment->expected) >= settings->min_excess;
}

static double peak_of(const Series *series, const Segment *segment, bool is_lack)
{
	uint32_t peak = series->counts[segment->begin];

	for (size_t i = segment->begin; i < segment->end; i++)
		peak = is_lack ? MIN(peak, series->counts[i]) : MAX(peak, series->counts[i]);
	return peak;
}

static Spike make_spike(const Series *series, const Segment *segment, bool is_lack)
{
	return (Spike){
		.range = { series_time(series, segment->begin), series_time(series, segment->end) },
		.samples = (uint64_t)segment->samples,
		.expected = segment->expected,
		.excess = segment->samples - segment->expected,
		.peak = peak_of(series, segment, is_lack),
		.score = segment->score,
	};
}

/* Buckets may reach over the ends of what was chosen. */
static void clamp_range(const Selection *selection, TimeRange *range)
{
	size_t n, first = 0, last;
	const TimeRange *ranges = selection_ranges(selection, &n);

	while (first < n && ranges[first].end_ns <= range->begin_ns)
		first++;
	for (last = first; last + 1 < n && ranges[last + 1].begin_ns < range->end_ns;)
		last++;
	if (first >= n)
		return;
	range->begin_ns = MAX(range->begin_ns, ranges[first].begin_ns);
	range->end_ns = MIN(range->end_ns, ranges[last].end_ns);
}

static void take_segments(const Series *series, const Selection *selection,
			  const SpikeSettings *settings, const GArray *segments, GArray *spikes)
{
	for (guint i = 0; i < segments->len; i++) {
		const Segment *segment = &g_array_index(segments, Segment, i);

		if (is_wanted(settings, series, segment)) {
			Spike spike = make_spike(series, segment, settings->kind == SPIKE_DROP);

			clamp_range(selection, &spike.range);
			g_array_append_val(spikes, spike);
		}
	}
}

/* What a search works on. */
typedef struct {
	const Series *series;
	const Store *store;
	Selection *selection;
	const SpikeSettings *settings;
} Hunt;

static bool find_segments(const Hunt *hunt, const Baseline *baseline, double min_score,
			  GArray *segments, GError **error)
{
	const Series *series = hunt->series;
	size_t max_length = (size_t)(hunt->settings->max_length_ns / series->bucket_ns);

	if (hunt->settings->kind == SPIKE_MIX)
		return mix_find(series, baseline->expected, hunt->store, hunt->selection,
				hunt->settings->names, min_score, max_length, segments, error);
	segments_find(&(SegmentSearch){ .counts = series->counts,
					.expected = baseline->expected,
					.n = series->n,
					.dispersion = baseline->dispersion,
					.is_lack = hunt->settings->kind == SPIKE_DROP,
					.min_score = min_score,
					.max_length = max_length },
		      segments);
	return true;
}

static bool find(const Hunt *hunt, GArray *spikes, GError **error)
{
	g_auto(Baseline) baseline = { 0 };
	g_autoptr(GArray) segments = g_array_new(FALSE, FALSE, sizeof(Segment));
	double min_score = segments_min_score(hunt->series->n_covered, FALSE_ALARM);

	if (!baseline_init(&baseline, hunt->series, hunt->settings->max_length_ns, min_score,
			   hunt->settings->kind == SPIKE_DROP))
		return fail(error, FLAMEBEAT_ERROR_FAILED, "out of memory for spikes");
	if (!find_segments(hunt, &baseline, min_score, segments, error))
		return false;
	take_segments(hunt->series, hunt->selection, hunt->settings, segments, spikes);
	return true;
}

/* --- who --------------------------------------------------------------------------------- */

static bool tally_range(Selection *selection, TimeRange range, SampleBlock *block, Tally *tally,
			GError **error)
{
	selection_rewind_to(selection, range);
	do {
		if (!selection_next(selection, block, error))
			return false;
		for (size_t i = 0; i < block->n; i++)
			tally_add(tally, block, i);
	} while (block->n > 0);
	return true;
}

/* Takes the samples of all spikes out of `rest`. */
static bool take_out(const Spikes *self, Selection *selection, SampleBlock *block, Tally *on,
		     Tally *rest, GError **error)
{
	for (size_t i = 0; i < self->n; i++)
		if (!tally_range(selection, self->items[i].range, block, on, error))
			return false;
	tally_subtract(rest, on);
	tally_reset(on);
	return true;
}

static double length_of(const Spike *spike)
{
	return (double)(spike->range.end_ns - spike->range.begin_ns);
}

static bool find_who(Spikes *self, const Store *store, Selection *selection, NamesKind names,
		     Tally *rest, GError **error)
{
	static const WhoQuestion questions[] = {
		[SPIKE_LOAD] = WHO_MORE, [SPIKE_DROP] = WHO_LESS, [SPIKE_MIX] = WHO_ELSE
	};
	g_autoptr(WhoFinder) finder = who_finder_new(store, names);
	g_autofree SampleBlock *block = g_new(SampleBlock, 1);
	g_auto(Tally) on = { 0 };
	double rest_ns = self->covered_ns;

	tally_init(&on, store);
	if (!take_out(self, selection, block, &on, rest, error))
		return false;
	for (size_t i = 0; i < self->n; i++)
		rest_ns -= length_of(&self->items[i]);
	for (size_t i = 0; i < self->n; i++) {
		Spike *spike = &self->items[i];
		double scale;

		tally_reset(&on);
		if (!tally_range(selection, spike->range, block, &on, error))
			return false;
		scale = self->kind == SPIKE_MIX ? on.total / MAX(rest->total, 1)
						: length_of(spike) / MAX(rest_ns, 1);
		spike->samples = (uint64_t)on.total;
		spike->who = who_find(finder, &on, rest, scale, questions[self->kind]);
	}
	return true;
}

/* --- rhythm ------------------------------------------------------------------------------ */

static int compare_doubles(const void *left, const void *right)
{
	double a = *(const double *)left, b = *(const double *)right;

	return (a > b) - (a < b);
}

static double median(double *values, size_t n)
{
	qsort(values, n, sizeof(double), compare_doubles);
	return n % 2 == 1 ? values[n / 2] : (values[n / 2 - 1] + values[n / 2]) / 2;
}

/* Distances of about twice, three times, … the median count as that many beats. */
static void find_rhythm(Spikes *self)
{
	size_t n = self->n > 0 ? self->n - 1 : 0;
	g_autofree double *gaps = g_new(double, n + 1);

	for (size_t i = 0; i < self->n; i++)
		self->items[i].gap_ns =
			i > 0 ? self->items[i].range.begin_ns - self->items[i - 1].range.begin_ns
			      : -1;
	if (n < 2)
		return;
	for (size_t i = 0; i < n; i++)
		gaps[i] = (double)self->items[i + 1].gap_ns;
	self->median_gap_ns = median(gaps, n);
	for (size_t i = 0; i < n; i++) {
		double n_beats = MAX(round(gaps[i] / self->median_gap_ns), 1);

		self->n_missed += (uint32_t)MIN(n_beats - 1, 1e6);
		gaps[i] = fabs(gaps[i] - n_beats * self->median_gap_ns);
	}
	self->jitter_ns = 1.4826 * median(gaps, n);
}

/* --- all --------------------------------------------------------------------------------- */

/* What lasts a good part of the recording is no spike in it. */
static void set_defaults(SpikeSettings *settings, const Series *series)
{
	double covered_ns = series->n_covered * (double)series->bucket_ns;

	if (settings->max_length_ns == 0)
		settings->max_length_ns =
			MIN(SPIKE_MAX_LENGTH_NS, (int64_t)(covered_ns / SPIKE_MIN_SHARE));
	settings->max_length_ns = MAX(settings->max_length_ns, series->bucket_ns);
}

Spikes *spikes_new(const Store *store, Selection *selection, const SpikeSettings *asked,
		   Notes *notes, GError **error)
{
	g_autoptr(Spikes) self = g_new0(Spikes, 1);
	g_autoptr(GArray) found = g_array_new(FALSE, FALSE, sizeof(Spike));
	g_auto(Series) series = { 0 };
	g_auto(Tally) rest = { 0 };
	SpikeSettings settings = *asked;

	tally_init(&rest, store);
	if (!selection_require_time(selection, notes, error) ||
	    !series_init(&series, store, selection, BUCKET_NS, false, &rest, error))
		return NULL;
	set_defaults(&settings, &series);
	if (!find(&(Hunt){ &series, store, selection, &settings }, found, error))
		return NULL;
	self->kind = settings.kind;
	self->zero_ns = series.zero_ns;
	self->bucket_ns = series.bucket_ns;
	self->covered_ns = series.n_covered * (double)series.bucket_ns;
	self->counts = series.selection;
	self->items = (Spike *)g_array_steal(found, &self->n);
	find_rhythm(self);
	return find_who(self, store, selection, settings.names, &rest, error)
		       ? g_steal_pointer(&self)
		       : NULL;
}
