/* SPDX-License-Identifier: MIT */
/*
 * The report on a recording: gathered once as JSON (contract, `info --json`), from which the text
 * is printed, so that the two cannot disagree.
 */

#include "cli/info.h"

#include "cli/quality.h"
#include "cli/table.h"
#include "render/text-escape.h"
#include "store/covered-time.h"
#include "store/extract.h"
#include "store/idle.h"
#include "store/store-file.h"

static json_t *integer(uint64_t value)
{
	return json_integer((json_int_t)MIN(value, G_MAXINT64));
}

static json_t *text_json(Text text)
{
	g_autofree char *valid = text_to_utf8(text, 0);

	return json_string(valid);
}

static json_t *fact_json(const Store *store, const char *key)
{
	Text value = store_fact(store, key);

	return value.len > 0 ? text_json(value) : json_null();
}

static uint64_t event_fact(const Store *store, const char *prefix, uint32_t event)
{
	g_autofree char *key = g_strdup_printf("%s%u", prefix, event);

	return store_fact_count(store, key);
}

/* Larger differences between the periods of one event are said. */
#define PERIODS_VARY 4

static json_t *event_json(const Store *store, uint32_t i, uint64_t covered_ns)
{
	uint64_t samples = event_fact(store, FACT_EVENT_SAMPLES, i);
	uint64_t low = event_fact(store, FACT_EVENT_PERIOD_LOW, i);
	uint64_t high = event_fact(store, FACT_EVENT_PERIOD_HIGH, i);
	json_t *event = json_object();

	json_object_set_new(event, "name", text_json(store_event_name(store, i)));
	json_object_set_new(event, "samples", integer(samples));
	json_object_set_new(event, "period", integer(event_fact(store, FACT_EVENT_PERIOD, i)));
	json_object_set_new(
		event, "rate_hz",
		covered_ns > 0 ? json_real((double)samples * NS_PER_SECOND / (double)covered_ns)
			       : json_null());
	json_object_set_new(event, "period_p5", low > 0 ? integer(low) : json_null());
	json_object_set_new(event, "period_p95", high > 0 ? integer(high) : json_null());
	json_object_set_new(
		event, "periods_vary",
		json_boolean(low > 0 && high / low >= PERIODS_VARY && high > PERIODS_VARY * low));
	return event;
}

static json_t *events_json(const Store *store, uint64_t covered_ns)
{
	json_t *events = json_array();

	for (uint32_t i = 0; i < store_n_events(store); i++)
		json_array_append_new(events, event_json(store, i, covered_ns));
	return events;
}

/* Silences of what was chosen by --range. */
static GArray *holes_new(const Recording *recording)
{
	const Store *store = recording->store;
	TimeRange extent = { store_start_ns(store), store_last_ns(store) };
	size_t n_ranges;
	const TimeRange *ranges = selection_ranges(recording->selection, &n_ranges);
	g_autoptr(GArray) chosen = n_ranges > 0 ? time_set_new(ranges, n_ranges) : time_set_all();
	g_autoptr(GArray) whole = time_set_new(&extent, store->n_timed > 0 ? 1 : 0);
	g_autoptr(GArray) covered = covered_time(store);
	g_autoptr(GArray) outside = time_set_complement(covered);
	g_autoptr(GArray) holes = time_set_intersect(whole, outside);

	return time_set_intersect(holes, chosen);
}

static json_t *holes_json(const Recording *recording)
{
	g_autoptr(GArray) set = holes_new(recording);
	json_t *holes = json_array();

	for (guint i = 0; i < set->len; i++) {
		const TimeRange *hole = &g_array_index(set, TimeRange, i);

		json_array_append_new(holes, json_pack("{s:I, s:I}", "start_ns",
						       (json_int_t)hole->begin_ns, "end_ns",
						       (json_int_t)hole->end_ns));
	}
	return holes;
}

/* Frames that stacks have: of inlined ones the table holds a form without DSO as well. */
static uint64_t n_frames(const Store *store)
{
	g_autofree bool *is_used = g_new0(bool, (gsize)store_n_frames(store) + 1);
	uint64_t n = 0;

	for (uint32_t i = 1; i < store_n_stacks(store); i++) {
		bool *is_met = &is_used[store_stack_frame(store, i)];

		n += !*is_met;
		*is_met = true;
	}
	return n;
}

/* Whether any stack has more than one frame. */
static bool has_chains(const Store *store)
{
	for (uint32_t i = 1; i < store_n_stacks(store); i++)
		if (store_stack_parent(store, i) != 0)
			return true;
	return false;
}

static uint64_t n_comms(const Store *store)
{
	g_autoptr(GHashTable) seen = g_hash_table_new(NULL, NULL);

	for (uint32_t i = 0; i < store_n_threads(store); i++)
		g_hash_table_add(seen, GSIZE_TO_POINTER(column_get(
					       &store->columns[SECTION_THREAD_COMM], i)));
	return g_hash_table_size(seen);
}

/* The number of CPUs in a list such as `0-3,7`. */
static uint64_t n_cpus(const Store *store)
{
	Text fact = store_fact(store, FACT_CPUS);
	g_autofree char *text = g_strndup(fact.data, fact.len);
	g_auto(GStrv) parts = g_strsplit(text, ",", -1);
	uint64_t n = 0;

	for (int i = 0; parts[i] != NULL && *parts[i] != '\0'; i++) {
		const char *dash = strchr(parts[i], '-');
		guint64 first = g_ascii_strtoull(parts[i], NULL, 10);

		n += dash != NULL ? g_ascii_strtoull(dash + 1, NULL, 10) - first + 1 : 1;
	}
	return n;
}

/* Facts whose keys begin with `prefix`, by the rest of the key: {reason: lines}. */
static json_t *skips_json(const Store *store, uint64_t *total)
{
	json_t *reasons = json_object();

	*total = 0;
	for (uint32_t i = 0; i < store_n_facts(store); i++) {
		Text key = store_fact_key(store, i);
		g_autofree char *name = g_strndup(key.data, key.len);

		if (!text_starts(key, FACT_SKIPPED))
			continue;
		*total += store_fact_count(store, name);
		json_object_set_new(reasons, name + strlen(FACT_SKIPPED),
				    integer(store_fact_count(store, name)));
	}
	return reasons;
}

static json_t *examples_json(const Store *store)
{
	json_t *lines = json_array();

	for (uint32_t i = 0; i < store_n_facts(store); i++)
		if (text_starts(store_fact_key(store, i), FACT_SKIPPED_LINE))
			json_array_append_new(lines, text_json(store_fact_value(store, i)));
	return lines;
}

static json_t *header_json(const Store *store)
{
	json_t *header = json_object();

	for (uint32_t i = 0; i < store_n_facts(store); i++) {
		Text key = store_fact_key(store, i);
		g_autofree char *name = g_strndup(key.data, key.len);

		if (!text_starts(key, "flamebeat."))
			json_object_set_new(header, name, text_json(store_fact_value(store, i)));
	}
	return header;
}

static json_t *sections_json(const Store *store)
{
	json_t *sections = json_object();

	for (int i = 0; i < N_SECTIONS; i++)
		json_object_set_new(
			sections, store_section_name((StoreSection)i),
			integer(column_bytes(store->columns[i].n, store->columns[i].width)));
	return sections;
}

static void set(json_t *object, const char *key, uint64_t value)
{
	json_object_set_new(object, key, integer(value));
}

static void set_signed(json_t *object, const char *key, bool is_known, int64_t value)
{
	json_object_set_new(object, key, is_known ? json_integer(value) : json_null());
}

static void set_wall(json_t *info, const Recording *recording)
{
	const WallClock *wall = selection_wall(recording->selection);
	bool is_known = recording->store->n_timed > 0 && wall->is_known;

	set_signed(info, "wall_zero_ns", is_known,
		   time_add(selection_zero_ns(recording->selection), wall->offset_ns));
	json_object_set_new(info, "wall_source",
			    is_known ? json_string(wall->source) : json_null());
	json_object_set_new(info, "wall_zone", is_known ? json_string(wall->zone) : json_null());
}

/* Without a sample of an idle CPU, nothing tells a silence from a pause in sampling. */
static bool has_idle_task(const Store *store)
{
	for (uint32_t i = 0; i < store_n_threads(store); i++) {
		StoreThread thread = store_thread(store, i);

		if (idle_is_task(&thread))
			return true;
	}
	return false;
}

/* Coverage is told by all samples, whatever the filters. */
static void set_times(json_t *info, const Recording *recording, const Store *shown)
{
	const Store *whole = recording->store;

	set_signed(info, "start_ns", shown->n_timed > 0, store_start_ns(shown));
	set_signed(info, "end_ns", shown->n_timed > 0, store_last_ns(shown));
	set_signed(info, "zero_ns", whole->n_timed > 0, selection_zero_ns(recording->selection));
	set(info, "covered_ns", covered_time_of(whole, recording->selection));
	json_object_set_new(info, "holes", holes_json(recording));
	json_object_set_new(info, "silence_is_ambiguous", json_boolean(!has_idle_task(whole)));
	json_object_set_new(info, "clock", fact_json(whole, "clockid"));
	set_wall(info, recording);
}

/* Which idle samples are presumed is told by all of them, too. */
static void set_idle(json_t *info, const Store *whole, const Store *shown)
{
	bool is_presumed = store_fact_count(whole, FACT_IDLE_PRESUMED) != 0;
	bool is_known = is_presumed || store_fact_count(shown, FACT_IDLE_PRESUMED) == 0;

	set(info, "idle_samples", is_known ? store_fact_count(shown, FACT_IDLE_SAMPLES) : 0);
	json_object_set_new(info, "idle_presumed", json_boolean(is_presumed));
}

static void set_samples(json_t *info, const Recording *recording, const Store *shown)
{
	set(info, "samples", shown->n_samples);
	json_object_set_new(info, "is_filtered", json_boolean(shown != recording->store));
	set(info, "samples_in_all", recording->store->n_samples);
	set(info, "untimed_samples", shown->n_samples - shown->n_timed);
	set(info, "frames", store_fact_count(shown, FACT_FRAMES));
	json_object_set_new(
		info, "events",
		events_json(shown, covered_time_of(recording->store, recording->selection)));
	set_times(info, recording, shown);
	set(info, "cpus", n_cpus(shown));
	json_object_set_new(info, "cpu_list", fact_json(shown, FACT_CPUS));
	set(info, "threads", store_n_threads(shown));
	set(info, "comms", n_comms(shown));
	set(info, "stack_nodes", store_n_stacks(shown) - 1);
	set(info, "distinct_frames", n_frames(shown));
	json_object_set_new(info, "has_call_chains", json_boolean(has_chains(shown)));
	set_idle(info, recording->store, shown);
}

static void set_reading(json_t *info, const Store *store)
{
	uint64_t n_skipped;
	json_t *skips = skips_json(store, &n_skipped);

	set(info, "lost", store_fact_count(store, FACT_LOST));
	set(info, "throttled", store_fact_count(store, FACT_THROTTLED));
	set(info, "suspicious", store_fact_count(store, FACT_SUSPICIOUS));
	set(info, "out_of_order", store_fact_count(store, FACT_REVERSALS));
	set(info, "max_step_back_ns", store_fact_count(store, FACT_MAX_REVERSAL));
	set(info, "truncated_stacks", store_fact_count(store, FACT_TRUNCATED));
	set(info, "side_records", store_fact_count(store, FACT_SIDE_RECORDS));
	set(info, "lines", store_fact_count(store, FACT_LINES));
	set(info, "text_bytes", store_fact_count(store, FACT_BYTES));
	set(info, "skipped_lines", n_skipped);
	json_object_set_new(info, "skipped_reasons", skips);
	json_object_set_new(info, "skipped_examples", examples_json(store));
	json_object_set_new(info, "header", header_json(store));
	json_object_set_new(info, "section_bytes", sections_json(store));
}

json_t *info_new(const Recording *recording, bool is_filtered, GError **error)
{
	g_autoptr(Store) chosen = NULL;
	const Store *shown = recording->store;
	json_t *info;

	if (is_filtered) {
		chosen = selection_extract(recording->store, recording->selection, error);
		if (chosen == NULL)
			return NULL;
		shown = chosen;
	}
	info = json_object();
	json_object_set_new(info, "schema", json_string("flamebeat/info/1"));
	json_object_set_new(info, "format", fact_json(recording->store, FACT_FORMAT));
	set_samples(info, recording, shown);
	set_reading(info, recording->store);
	if (quality_add(info, shown, error))
		return info;
	json_decref(info);
	return NULL;
}

void info_print_json(FILE *out, const json_t *info)
{
	json_dumpf(info, out, JSON_INDENT(2) | JSON_REAL_PRECISION(6));
	fputc('\n', out);
}

void info_print_csv(FILE *out, const json_t *info)
{
	const char *key;
	json_t *value;

	fputs("key,value\r\n", out);
	json_object_foreach((json_t *)info, key, value)
	{
		if (json_is_object(value) || json_is_array(value))
			continue;
		fprintf(out, "%s,", key);
		if (json_is_string(value))
			table_write_csv(out, json_string_value(value));
		else if (json_is_integer(value))
			fprintf(out, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
		else if (json_is_real(value))
			fprintf(out, "%.6g", json_real_value(value));
		else if (json_is_boolean(value))
			fputs(json_is_true(value) ? "true" : "false", out);
		fputs("\r\n", out);
	}
}
