/* SPDX-License-Identifier: MIT */
/* Three plain passes over the finished columns: events and CPUs, idleness, gaps. */

#include "store/survey.h"

#include "store/builder-private.h"
#include "store/idle.h"
#include "store/summary.h"
#include "store/weight.h"

/* --- events and CPUs --------------------------------------------------------------------- */

static void set_event_fact(StoreBuilder *facts, const char *prefix, uint32_t event, uint64_t value)
{
	g_autofree char *key = g_strdup_printf("%s%u", prefix, event);

	store_builder_set_count(facts, key, value);
}

/* Periods fall into 16 classes an octave; those below 16 are a class each. */
#define N_CLASSES (61 * 16)

static uint32_t class_of(uint64_t period)
{
	int exponent = 63 - __builtin_clzll(period | 1);

	return period < 16 ? (uint32_t)period
			   : (uint32_t)(exponent - 3) * 16 + (period >> (exponent - 4) & 15);
}

/* The least period of a class. */
static uint64_t class_value(uint32_t class)
{
	return class < 16 ? class : (uint64_t)(16 + class % 16) << (class / 16 - 1);
}

typedef struct {
	uint64_t samples, period;
	uint64_t n_periods; /* that are not 0 */
	uint64_t *classes;  /* how many of them each holds; NULL: there are none */
} EventTally;

static void count_period(EventTally *self, uint64_t period)
{
	self->period = weight_add(self->period, period);
	if (period == 0)
		return;
	if (self->classes == NULL)
		self->classes = g_new0(uint64_t, N_CLASSES);
	self->classes[class_of(period)]++;
	self->n_periods++;
}

/* The period that `rank` others are not larger than. */
static uint64_t period_at(const EventTally *self, uint64_t rank)
{
	uint64_t n = 0;

	for (uint32_t class = 0; class < N_CLASSES; class ++) {
		n += self->classes[class];
		if (n > rank)
			return class_value(class);
	}
	return 0;
}

static void set_event_facts(StoreBuilder *facts, uint32_t event, const EventTally *tally)
{
	uint64_t n_outside = tally->n_periods / 20;

	set_event_fact(facts, FACT_EVENT_SAMPLES, event, tally->samples);
	set_event_fact(facts, FACT_EVENT_PERIOD, event, tally->period);
	if (tally->n_periods == 0)
		return;
	set_event_fact(facts, FACT_EVENT_PERIOD_LOW, event, period_at(tally, n_outside));
	set_event_fact(facts, FACT_EVENT_PERIOD_HIGH, event,
		       period_at(tally, tally->n_periods - 1 - n_outside));
}

static void survey_events(const Store *store, StoreBuilder *facts)
{
	uint32_t n_events = store_n_events(store);
	g_autofree EventTally *tallies = g_new0(EventTally, n_events + 1);

	for (uint64_t i = 0; i < store->n_samples; i++) {
		EventTally *tally = &tallies[column_get(&store->columns[SECTION_EVENT], i)];
		uint64_t period = column_get(&store->columns[SECTION_PERIOD], i);

		tally->samples++;
		count_period(tally, period > 0 ? period - 1 : 0);
	}
	for (uint32_t event = 0; event < n_events; event++) {
		set_event_facts(facts, event, &tallies[event]);
		g_free(tallies[event].classes);
	}
}

static int compare_cpus(const void *left, const void *right)
{
	guint a = *(const guint *)left, b = *(const guint *)right;

	return (a > b) - (a < b);
}

/* The distinct CPUs, ascending, each + 1. A number from the input has no say in memory use. */
static GArray *distinct_cpus(const Store *store)
{
	g_autoptr(GHashTable) seen = g_hash_table_new(NULL, NULL);
	GArray *cpus = g_array_new(FALSE, FALSE, sizeof(guint));
	guint last = 0;

	for (uint64_t i = 0; i < store->n_samples; i++) {
		guint cpu = (guint)column_get(&store->columns[SECTION_CPU], i);

		if (cpu != 0 && cpu != last && g_hash_table_add(seen, GUINT_TO_POINTER(cpu)))
			g_array_append_val(cpus, cpu);
		last = cpu;
	}
	g_array_sort(cpus, compare_cpus);
	return cpus;
}

static void survey_cpus(const Store *store, StoreBuilder *facts)
{
	g_autoptr(GString) list = g_string_new(NULL);
	g_autoptr(GArray) cpus = distinct_cpus(store);

	for (guint i = 0; i < cpus->len; i++) {
		guint first = g_array_index(cpus, guint, i), end = first;

		while (i + 1 < cpus->len && g_array_index(cpus, guint, i + 1) == end + 1) {
			i++;
			end++;
		}
		g_string_append_printf(list, list->len > 0 ? ",%u" : "%u", first - 1);
		if (end > first)
			g_string_append_printf(list, "-%u", end - 1);
	}
	store_builder_set_fact(facts, FACT_CPUS, text_from(list->str));
}

/* --- idleness ---------------------------------------------------------------------------- */

enum { LEAF_NAMED = 1, LEAF_IDLE = 2 };

static uint8_t *leaf_kinds(const Store *store)
{
	uint8_t *kinds = g_try_malloc0((gsize)store_n_frames(store) + 1);

	for (uint32_t i = 0; kinds != NULL && i < store_n_frames(store); i++) {
		Text symbol = store_frame(store, i).symbol;

		kinds[i] = (symbol.len > 0 ? LEAF_NAMED : 0) |
			   (idle_is_routine(symbol) ? LEAF_IDLE : 0);
	}
	return kinds;
}

static bool *idle_tasks(const Store *store)
{
	bool *is_task = g_try_new0(bool, store_n_threads(store) + 1);

	for (uint32_t i = 0; is_task != NULL && i < store_n_threads(store); i++) {
		StoreThread thread = store_thread(store, i);

		is_task[i] = idle_is_task(&thread);
	}
	return is_task;
}

static bool survey_idle(const Store *store, StoreBuilder *facts)
{
	g_autofree uint8_t *kinds = leaf_kinds(store);
	g_autofree bool *is_task = idle_tasks(store);
	uint64_t n_task = 0, n_named = 0, n_idle = 0;

	if (kinds == NULL || is_task == NULL)
		return false;
	for (uint64_t i = 0; i < store->n_samples; i++) {
		uint32_t stack = (uint32_t)column_get(&store->columns[SECTION_STACK], i);
		uint8_t kind = stack != 0 ? kinds[store_stack_frame(store, stack)] : 0;

		if (!is_task[column_get(&store->columns[SECTION_THREAD], i)])
			continue;
		n_task++;
		n_named += (kind & LEAF_NAMED) != 0;
		n_idle += (kind & LEAF_IDLE) != 0;
	}
	store_builder_set_count(facts, FACT_IDLE_PRESUMED, n_task > 0 && n_named == 0);
	store_builder_set_count(facts, FACT_IDLE_SAMPLES, n_named == 0 ? n_task : n_idle);
	return true;
}

/* --- coverage ---------------------------------------------------------------------------- */

static int64_t average_gap(const Store *store)
{
	return (store->last_ns - store->start_ns) / (int64_t)MAX(store->n_timed, 1);
}

/* What is being made: gaps are walked in order of time, and so are the parts. */
typedef struct {
	GString *holes; /* `begin..end`, separated by blanks */
	uint64_t covered_ns;
	int64_t long_ns;  /* longer silences are holes */
	int64_t brief_ns; /* between two parts, longer silences are */
	const TimeRange *parts;
	size_t n_parts, part;
} Coverage;

static int64_t times(int64_t ns, int64_t factor)
{
	return ns > INT64_MAX / factor ? INT64_MAX : ns * factor;
}

/* Whether no part of the recording covers all of the time between two samples. */
static bool is_between_parts(Coverage *self, int64_t begin_ns, int64_t end_ns)
{
	while (self->part < self->n_parts && self->parts[self->part].end_ns <= begin_ns)
		self->part++;
	return self->n_parts > 0 &&
	       (self->part == self->n_parts || self->parts[self->part].begin_ns > begin_ns ||
		self->parts[self->part].end_ns < end_ns);
}

static void cover(Coverage *self, int64_t begin_ns, int64_t end_ns)
{
	int64_t gap_ns = end_ns - begin_ns;
	bool is_hole = gap_ns > self->long_ns ||
		       (gap_ns > self->brief_ns && is_between_parts(self, begin_ns, end_ns));

	if (!is_hole)
		self->covered_ns += (uint64_t)gap_ns;
	else
		g_string_append_printf(self->holes, "%s%" G_GINT64_FORMAT "..%" G_GINT64_FORMAT,
				       self->holes->len > 0 ? " " : "", begin_ns, end_ns);
}

static void walk_gaps(Coverage *self, const Store *store)
{
	int64_t last = store->start_ns;

	for (uint64_t i = 0, bucket = 0; i < store->n_timed; i++) {
		int64_t time_ns;

		while (bucket + 1 < store->n_buckets && store->buckets[bucket + 1].first <= i)
			bucket++;
		time_ns = store_time_ns(store, i, bucket);
		cover(self, last, time_ns);
		last = time_ns;
	}
}

static void survey_coverage(const Store *store, StoreBuilder *facts)
{
	g_autoptr(GString) holes = g_string_new(NULL);
	TimeRange *parts = (TimeRange *)(void *)facts->parts->data;
	int64_t average = average_gap(store);
	Coverage coverage = { .holes = holes,
			      .long_ns = MAX(HOLE_MIN_NS, times(average, HOLE_GAPS)),
			      .brief_ns = times(average, HOLE_PART_GAPS),
			      .parts = parts,
			      .n_parts = time_ranges_normalize(parts, facts->parts->len) };

	/* Where parts are far apart the average says nothing of how densely they were sampled. */
	if (coverage.n_parts > 1)
		coverage.brief_ns = MIN(coverage.brief_ns, HOLE_MIN_NS / 2);
	walk_gaps(&coverage, store);
	store_builder_set_count(facts, FACT_COVERED_NS, coverage.covered_ns);
	store_builder_set_fact(facts, FACT_HOLES, text_from(holes->str));
}

static bool survey_summary(const Store *store, StoreBuilder *facts)
{
	g_autoptr(Summary) summary =
		summary_count(store, store_builder_has_fact(facts, FACT_WEIGHTED));

	if (summary != NULL)
		summary_record(summary, facts);
	return summary != NULL;
}

bool survey_store(const Store *store, StoreBuilder *facts)
{
	survey_events(store, facts);
	survey_cpus(store, facts);
	survey_coverage(store, facts);
	return survey_idle(store, facts) && survey_summary(store, facts);
}
