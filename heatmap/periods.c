/* SPDX-License-Identifier: MIT */
/*
 * One pass over the samples makes the series, their times, and the totals by thread and stack;
 * beats.h finds the beats; a second pass tells who runs in them.
 */

#include "heatmap/periods.h"

#include <math.h>
#include <string.h>

#include "heatmap/alias.h"
#include "heatmap/beats.h"
#include "heatmap/sample-clock.h"
#include "heatmap/series.h"
#include "store/error.h"

#define MIN_PERIOD_NS  (20 * NS_PER_MS)
#define MIN_CYCLES     3 /* of the longest period that can be asked for */
#define DEFAULT_CYCLES 5
#define BUCKETS_EACH   4 /* in the shortest period */

void periods_free(Periods *self)
{
	if (self == NULL)
		return;
	for (size_t i = 0; i < self->n; i++)
		who_clear(&self->items[i].who);
	g_free(self->items);
	g_free(self);
}

/* --- bounds ------------------------------------------------------------------------------ */

static bool check_bounds(const Periods *self, GError **error)
{
	if (self->min_period_ns >= self->max_period_ns)
		return fail(error, FLAMEBEAT_ERROR_USAGE,
			    "no period can be looked for: %.4g s (--min-period) is not less than "
			    "%.4g s (--max-period; at most a third of the covered time)",
			    (double)self->min_period_ns / 1e9, (double)self->max_period_ns / 1e9);
	return true;
}

/* The shortest period: what was asked for, or what regular sampling can tell. */
static int64_t min_period(const PeriodSettings *settings, const SampleClock *clock)
{
	int64_t tick_ns = (int64_t)(2 * clock->tick_ns);

	return settings->min_period_ns > 0 ? settings->min_period_ns : MAX(MIN_PERIOD_NS, tick_ns);
}

static int64_t max_period(const PeriodSettings *settings, double covered_ns, Notes *notes)
{
	int64_t longest = (int64_t)(covered_ns / MIN_CYCLES);

	if (settings->max_period_ns == 0)
		return (int64_t)(covered_ns / DEFAULT_CYCLES);
	if (settings->max_period_ns > longest)
		notes_add_shortfall(notes,
				    "--max-period is more than a third of the covered time, which "
				    "was taken instead: %.4g s",
				    (double)longest / 1e9);
	return MIN(settings->max_period_ns, longest);
}

/* --- what was found ---------------------------------------------------------------------- */

/* Where in the period, counted from zero, the beat begins; told in the middle of the recording,
 * since a period of whole nanoseconds is a little off. */
static double phase_of(const Series *series, const FoundBeat *found, int64_t period_ns)
{
	double n = floor(ldexp(1, 31) / found->beat.period);
	double middle = (found->beat.origin + n * found->beat.period) * series->time_unit_ns;
	int64_t at_ns = series->first_ns - series->zero_ns + (int64_t)middle;
	int64_t rest = at_ns % period_ns;

	return (double)(rest < 0 ? rest + period_ns : rest) / (double)period_ns;
}

static Period make_period(const Series *series, const FoundBeat *found)
{
	double unit = series->time_unit_ns;
	int64_t period_ns = (int64_t)(found->beat.period * unit + 0.5);

	return (Period){
		.period_ns = period_ns,
		.error_ns = (int64_t)ceil(found->error * unit),
		.phase = phase_of(series, found, period_ns),
		.duty = found->beat.width / found->beat.period,
		.excess = found->excess,
		.sigma = found->sigma,
		.log10_p = MIN(found->log10_p, 0),
		.n_cycles = found->n_cycles,
	};
}

/* Strongest first. */
static int compare_periods(const void *left, const void *right)
{
	const Period *a = left, *b = right;

	return (a->sigma < b->sigma) - (a->sigma > b->sigma);
}

/* --- who --------------------------------------------------------------------------------- */

/* What is in a period's window, and the profile around it. */
typedef struct {
	Tally on;
	double on_ns; /* covered */
	double profile_ns[PERIOD_PROFILE_BINS];
} Inside;

static double phase_at(const Periods *self, const Period *period, int64_t time_ns)
{
	int64_t rest = (time_ns - self->zero_ns) % period->period_ns;

	return (double)(rest < 0 ? rest + period->period_ns : rest) / (double)period->period_ns;
}

static bool is_inside(const Period *period, double phase)
{
	double at = phase - period->phase;

	return (at < 0 ? at + 1 : at) < period->duty;
}

static bool tally_all(Periods *self, Selection *selection, Inside *insides, GError **error)
{
	g_autofree SampleBlock *block = g_new(SampleBlock, 1);

	selection_rewind(selection);
	do {
		if (!selection_next(selection, block, error))
			return false;
		for (size_t i = 0; i < block->n * self->n; i++) {
			Period *period = &self->items[i % self->n];
			size_t sample = i / self->n;
			double phase = phase_at(self, period, block->time_ns[sample]);

			period->profile[(size_t)(phase * PERIOD_PROFILE_BINS)]++;
			if (is_inside(period, phase))
				tally_add(&insides[i % self->n].on, block, sample);
		}
	} while (block->n > 0);
	return true;
}

/* Covered time by phase, of a range shorter than the period. */
static void cover_part(const Periods *self, const Period *period, double begin, double end,
		       Inside *inside)
{
	double bin_ns = (double)period->period_ns / PERIOD_PROFILE_BINS;
	double first = fmod(begin - (double)self->zero_ns, (double)period->period_ns) / bin_ns;
	double last;

	first += first < 0 ? PERIOD_PROFILE_BINS : 0;
	last = first + (end - begin) / bin_ns;
	for (double bin = floor(first); bin < last; bin++)
		inside->profile_ns[(size_t)bin % PERIOD_PROFILE_BINS] +=
			(MIN(bin + 1, last) - MAX(bin, first)) * bin_ns;
}

static void cover_all(const Periods *self, const Period *period, const GArray *ranges,
		      Inside *inside)
{
	for (guint i = 0; i < ranges->len; i++) {
		const TimeRange *range = &g_array_index(ranges, TimeRange, i);
		int64_t n = (range->end_ns - range->begin_ns) / period->period_ns;

		for (size_t bin = 0; bin < PERIOD_PROFILE_BINS; bin++)
			inside->profile_ns[bin] +=
				(double)(n * period->period_ns) / PERIOD_PROFILE_BINS;
		cover_part(self, period, (double)(range->begin_ns + n * period->period_ns),
			   (double)range->end_ns, inside);
	}
	for (size_t bin = 0; bin < PERIOD_PROFILE_BINS; bin++)
		inside->on_ns += inside->profile_ns[bin];
	inside->on_ns *= period->duty;
}

static void name_period(const Periods *self, Period *period, Inside *inside, WhoFinder *finder,
			Tally *all)
{
	double rest_ns = self->covered_ns - inside->on_ns;

	for (size_t bin = 0; bin < PERIOD_PROFILE_BINS; bin++)
		period->profile[bin] = inside->profile_ns[bin] > 0 ? period->profile[bin] * 1e9 /
									     inside->profile_ns[bin]
								   : 0;
	tally_subtract(all, &inside->on);
	period->who = who_find(finder, &inside->on, all, inside->on_ns / MAX(rest_ns, 1), WHO_MORE);
	tally_join(all, &inside->on);
}

static bool find_who(Periods *self, const Store *store, Selection *selection, const GArray *ranges,
		     NamesKind names, Tally *all, GError **error)
{
	g_autoptr(WhoFinder) finder = who_finder_new(store, names);
	g_autofree Inside *insides = g_new0(Inside, self->n + 1);
	bool is_fine;

	for (size_t i = 0; i < self->n; i++)
		tally_init(&insides[i].on, store);
	is_fine = tally_all(self, selection, insides, error);
	for (size_t i = 0; i < self->n; i++) {
		if (is_fine) {
			cover_all(self, &self->items[i], ranges, &insides[i]);
			name_period(self, &self->items[i], &insides[i], finder, all);
		}
		tally_clear(&insides[i].on);
	}
	return is_fine;
}

/* --- all --------------------------------------------------------------------------------- */

static bool find(Periods *self, Series *series, const SampleClock *clock, GError **error)
{
	g_autoptr(GArray) found = g_array_new(FALSE, FALSE, sizeof(FoundBeat));
	g_autoptr(GArray) periods = g_array_new(FALSE, FALSE, sizeof(Period));
	double unit = series->time_unit_ns;
	BeatSearch search = { .min_period = (double)self->min_period_ns / unit,
			      .max_period = (double)self->max_period_ns / unit,
			      .min_width = MAX((double)series->bucket_ns, clock->tick_ns) / unit,
			      .alpha = PERIOD_ALPHA };

	sample_clock_spread(clock, series);
	if (!beats_find(series, &search, found))
		return fail(error, FLAMEBEAT_ERROR_FAILED, "out of memory for periods");
	for (guint i = 0; i < found->len; i++) {
		Period period = make_period(series, &g_array_index(found, FoundBeat, i));

		g_array_append_val(periods, period);
	}
	g_array_sort(periods, compare_periods);
	self->items = (Period *)g_array_steal(periods, &self->n);
	return true;
}

static void describe(Periods *self, const Series *series, const SampleClock *clock,
		     const Store *store)
{
	self->zero_ns = series->zero_ns;
	self->tick_ns = (int64_t)clock->tick_ns;
	self->covered_ns = series->n_covered * (double)series->bucket_ns;
	self->n_lost = store_fact_count(store, FACT_LOST);
	self->counts = series->selection;
}

Periods *periods_new(const Store *store, Selection *selection, const PeriodSettings *settings,
		     Notes *notes, GError **error)
{
	g_autoptr(Periods) self = g_new0(Periods, 1);
	g_auto(Series) series = { 0 };
	g_auto(Tally) all = { 0 };
	SampleClock clock;

	tally_init(&all, store);
	if (!selection_require_time(selection, notes, error) ||
	    !sample_clock_find(&clock, store, selection, error))
		return NULL;
	self->min_period_ns = min_period(settings, &clock);
	if (!series_init(&series, store, selection, self->min_period_ns / BUCKETS_EACH, true, &all,
			 error))
		return NULL;
	describe(self, &series, &clock, store);
	self->min_period_ns = MAX(self->min_period_ns, series.bucket_ns * BUCKETS_EACH);
	self->max_period_ns = max_period(settings, self->covered_ns, notes);
	if (settings->min_period_ns + settings->max_period_ns > 0 && !check_bounds(self, error))
		return NULL;
	if (self->min_period_ns >= self->max_period_ns)
		return g_steal_pointer(&self);
	if (!find(self, &series, &clock, error) ||
	    !find_who(self, store, selection, series.ranges, settings->names, &all, error) ||
	    !alias_mark(self, &clock, selection, error))
		return NULL;
	return g_steal_pointer(&self);
}
