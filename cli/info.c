/* SPDX-License-Identifier: MIT */
/*
 * The report on a recording: gathered once as JSON (contract, `info --json`), from which the text
 * is printed, so that the two cannot disagree.
 */

#include "cli/info.h"

#include <jansson.h>

#include "cli/quality.h"
#include "cli/table.h"
#include "render/text-escape.h"
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

static json_t *events_json(const Store *store)
{
	json_t *events = json_array();

	for (uint32_t i = 0; i < store_n_events(store); i++) {
		g_autofree char *samples = g_strdup_printf(FACT_EVENT_SAMPLES "%u", i);
		g_autofree char *period = g_strdup_printf(FACT_EVENT_PERIOD "%u", i);

		json_array_append_new(events,
				      json_pack("{s:o, s:o, s:o}", "name",
						text_json(store_event_name(store, i)), "samples",
						integer(store_fact_count(store, samples)), "period",
						integer(store_fact_count(store, period))));
	}
	return events;
}

static json_t *holes_json(const Store *store)
{
	Text fact = store_fact(store, FACT_HOLES);
	g_autofree char *text = g_strndup(fact.data, fact.len);
	g_auto(GStrv) words = g_strsplit(text, " ", -1);
	json_t *holes = json_array();

	for (int i = 0; words[i] != NULL && *words[i] != '\0'; i++) {
		char *end;
		gint64 begin_ns = g_ascii_strtoll(words[i], &end, 10);
		gint64 end_ns =
			g_str_has_prefix(end, "..") ? g_ascii_strtoll(end + 2, NULL, 10) : begin_ns;

		json_array_append_new(holes,
				      json_pack("{s:I, s:I}", "start_ns", (json_int_t)begin_ns,
						"end_ns", (json_int_t)end_ns));
	}
	return holes;
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

static void set_times(json_t *info, const Recording *recording)
{
	const Store *store = recording->store;
	bool is_timed = store->n_timed > 0;
	const WallClock *wall = selection_wall(recording->selection);
	bool is_walled = is_timed && wall->is_known;

	json_object_set_new(info, "start_ns",
			    is_timed ? json_integer(store_start_ns(store)) : json_null());
	json_object_set_new(info, "end_ns",
			    is_timed ? json_integer(store_last_ns(store)) : json_null());
	json_object_set_new(info, "zero_ns",
			    is_timed ? json_integer(selection_zero_ns(recording->selection))
				     : json_null());
	set(info, "covered_ns", store_fact_count(store, FACT_COVERED_NS));
	json_object_set_new(info, "holes", holes_json(store));
	json_object_set_new(info, "clock", fact_json(store, "clockid"));
	json_object_set_new(info, "wall_zero_ns",
			    is_walled
				    ? json_integer(time_add(selection_zero_ns(recording->selection),
							    wall->offset_ns))
				    : json_null());
	json_object_set_new(info, "wall_source",
			    is_walled ? json_string(wall->source) : json_null());
	json_object_set_new(info, "wall_zone", is_walled ? json_string(wall->zone) : json_null());
}

static json_t *gather(const Recording *recording, const SelectionCounts *counts)
{
	const Store *store = recording->store;
	json_t *info = json_object();
	uint64_t n_skipped;
	json_t *skips = skips_json(store, &n_skipped);

	json_object_set_new(info, "schema", json_string("flamebeat/info/1"));
	json_object_set_new(info, "format", fact_json(store, FACT_FORMAT));
	set(info, "samples", counts != NULL ? counts->samples : store->n_samples);
	json_object_set_new(info, "is_filtered", json_boolean(counts != NULL));
	set(info, "untimed_samples", store->n_samples - store->n_timed);
	set(info, "frames", store_fact_count(store, FACT_FRAMES));
	json_object_set_new(info, "events", events_json(store));
	set_times(info, recording);
	set(info, "cpus", n_cpus(store));
	json_object_set_new(info, "cpu_list", fact_json(store, FACT_CPUS));
	set(info, "threads", store_n_threads(store));
	set(info, "comms", n_comms(store));
	set(info, "stack_nodes", store_n_stacks(store) - 1);
	set(info, "distinct_frames", store_n_frames(store));
	set(info, "idle_samples", store_fact_count(store, FACT_IDLE_SAMPLES));
	json_object_set_new(info, "idle_presumed",
			    json_boolean(store_fact_count(store, FACT_IDLE_PRESUMED) != 0));
	set(info, "lost", store_fact_count(store, FACT_LOST));
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
	return info;
}

bool info_print_json(FILE *out, const Recording *recording, const SelectionCounts *counts,
		     GError **error)
{
	json_t *info = gather(recording, counts);
	bool ok = quality_add(info, recording->store, error);

	if (ok) {
		json_dumpf(info, out, JSON_INDENT(2) | JSON_REAL_PRECISION(6));
		fputc('\n', out);
	}
	json_decref(info);
	return ok;
}

/* --- text -------------------------------------------------------------------------------- */

static uint64_t number(const json_t *info, const char *key)
{
	return (uint64_t)json_integer_value(json_object_get(info, key));
}

/* `noun`: what is counted, with a blank before it, or nothing. */
static void print_count(FILE *out, const char *label, uint64_t value, const char *noun)
{
	g_autofree char *text = format_count(value);

	fprintf(out, "%-16s %s%s%s\n", label, text, noun, *noun != '\0' ? plural(value) : "");
}

static void print_wall(FILE *out, const json_t *info)
{
	const json_t *zone = json_object_get(info, "wall_zone");
	g_autofree char *zero = wall_time_format(
		json_integer_value(json_object_get(info, "wall_zero_ns")), true, 3);

	if (json_is_string(zone))
		fprintf(out, "%-16s 0 is %s %s (from: %s)\n", "wall clock", zero,
			json_string_value(zone),
			json_string_value(json_object_get(info, "wall_source")));
	else
		fprintf(out, "%-16s unknown (perf record -k CLOCK_MONOTONIC tells it)\n",
			"wall clock");
}

static void print_time(FILE *out, const json_t *info)
{
	gint64 start = json_integer_value(json_object_get(info, "start_ns"));
	gint64 end = json_integer_value(json_object_get(info, "end_ns"));
	gint64 zero = json_integer_value(json_object_get(info, "zero_ns"));
	g_autofree char *from = time_format_seconds(start);
	g_autofree char *to = time_format_seconds(end);
	g_autofree char *zero_text = time_format_seconds(zero);
	g_autofree char *length = time_format_seconds(end - start);
	g_autofree char *covered = time_format_seconds((gint64)number(info, "covered_ns"));
	size_t n_holes = json_array_size(json_object_get(info, "holes"));

	if (json_is_null(json_object_get(info, "start_ns"))) {
		fprintf(out, "%-16s none: heat maps and ranges need them\n", "timestamps");
		return;
	}
	fprintf(out, "%-16s %s s, from %s to %s on the recording's clock\n", "length", length, from,
		to);
	fprintf(out, "%-16s %s on the recording's clock\n", "zero", zero_text);
	print_wall(out, info);
	fprintf(out, "%-16s %s s, %" G_GSIZE_FORMAT " hole%s\n", "covered", covered, n_holes,
		n_holes == 1 ? "" : "s");
}

static void print_events(FILE *out, const json_t *info)
{
	size_t i;
	json_t *event;

	json_array_foreach(json_object_get(info, "events"), i, event)
	{
		g_autofree char *samples = format_count(number(event, "samples"));
		g_autofree char *name = text_to_terminal(
			text_from(json_string_value(json_object_get(event, "name"))));

		fprintf(out, "%-16s %s: %s sample%s, period %" G_GUINT64_FORMAT "\n",
			i == 0 ? "events" : "", name, samples, plural(number(event, "samples")),
			number(event, "period"));
	}
}

static void print_reading(FILE *out, const json_t *info)
{
	const json_t *reasons = json_object_get(info, "skipped_reasons");
	const char *reason;
	json_t *value;
	size_t i;

	print_count(out, "lines", number(info, "lines"), "");
	print_count(out, "skipped lines", number(info, "skipped_lines"), "");
	json_object_foreach((json_t *)reasons, reason, value)
	{
		g_autofree char *safe = text_to_terminal(text_from(reason));

		fprintf(out, "%-16s %" G_GUINT64_FORMAT " %s\n", "",
			(guint64)json_integer_value(value), safe);
	}
	json_array_foreach(json_object_get(info, "skipped_examples"), i, value)
	{
		g_autofree char *line = text_to_terminal(text_from(json_string_value(value)));
		fprintf(out, "%-16s   %s\n", "", line);
	}
	print_count(out, "out of order, sorted", number(info, "out_of_order"), " sample");
	print_count(out, "lost by perf", number(info, "lost"), " sample");
	if (number(info, "suspicious") > 0)
		print_count(out, "may be forged", number(info, "suspicious"), " place");
	if (number(info, "truncated_stacks") > 0)
		print_count(out, "truncated", number(info, "truncated_stacks"), " stack");
}

static void print_header(FILE *out, const json_t *info)
{
	const char *key;
	json_t *value;

	json_object_foreach(json_object_get(info, "header"), key, value)
	{
		g_autofree char *text = text_to_terminal(text_from(json_string_value(value)));
		g_autofree char *safe_key = text_to_terminal(text_from(key));
		fprintf(out, "%-16s %s\n", safe_key, text);
	}
}

static double percent(const json_t *object, const char *key)
{
	return 100 * json_real_value(json_object_get(object, key));
}

static void print_quality(FILE *out, const json_t *info)
{
	const json_t *quality = json_object_get(info, "quality");
	size_t i;
	json_t *row;

	fprintf(out, "%-16s %.1f %% of frames, %.1f %% of leaves\n", "without symbol",
		percent(quality, "frames_unresolved_share"),
		percent(quality, "leaves_unresolved_share"));
	json_array_foreach(json_object_get(quality, "unresolved"), i, row)
	{
		g_autofree char *dso =
			text_to_terminal(text_from(json_string_value(json_object_get(row, "dso"))));

		fprintf(out, "%-16s %.1f %% in %s: %s\n", "", percent(row, "share"), dso,
			json_string_value(json_object_get(row, "fix")));
	}
	fprintf(out, "%-16s %.1f %% of samples have 1 or 2 frames%s\n", "short stacks",
		percent(quality, "short_stacks_share"),
		percent(quality, "short_stacks_share") > 25
			? ": frame pointers are missing, record with --call-graph dwarf"
			: "");
	if (percent(quality, "depth_limit_share") > 0)
		fprintf(out, "%-16s %.1f %% of samples are at perf's limit of 127 frames\n",
			"cut stacks", percent(quality, "depth_limit_share"));
	if (percent(quality, "without_stack_share") > 0)
		fprintf(out, "%-16s %.1f %% of samples%s\n", "without stack",
			percent(quality, "without_stack_share"),
			percent(quality, "without_stack_share") > 50 ? ": record with -g" : "");
}

static void print_top(FILE *out, const json_t *info)
{
	const char *kind;
	json_t *rows, *row;
	size_t i;

	json_object_foreach(json_object_get(info, "top"), kind, rows)
	{
		fprintf(out, "%-16s", kind);
		json_array_foreach(rows, i, row)
		{
			g_autofree char *name = text_to_terminal(
				text_from(json_string_value(json_object_get(row, "name"))));

			fprintf(out, "%s%s (%" G_GUINT64_FORMAT ")", i > 0 ? ", " : " ", name,
				number(row, "samples"));
		}
		fputc('\n', out);
	}
}

static void print_all(FILE *out, const json_t *info, const Recording *recording,
		      const SelectionCounts *counts)
{
	uint64_t n_samples = recording->store->n_samples;

	print_count(out, "samples", number(info, "samples"),
		    counts != NULL ? " pass the filters; what follows is of the whole recording"
				   : "");
	if (number(info, "untimed_samples") > 0)
		print_count(out, "without time", number(info, "untimed_samples"), " sample");
	print_count(out, "frames", number(info, "frames"), "");
	print_events(out, info);
	print_time(out, info);
	print_count(out, "CPUs seen", number(info, "cpus"), "");
	print_count(out, "threads", number(info, "threads"), "");
	fprintf(out, "%-16s %" G_GUINT64_FORMAT " sample%s (%.1f %%)%s\n", "idle",
		number(info, "idle_samples"), plural(number(info, "idle_samples")),
		100 * (double)number(info, "idle_samples") / (double)MAX(n_samples, 1),
		json_is_true(json_object_get(info, "idle_presumed"))
			? ", presumed: no kernel symbols (kptr_restrict?)"
			: "");
	print_count(out, "call tree", number(info, "stack_nodes"), " node");
	print_top(out, info);
	print_quality(out, info);
	print_reading(out, info);
	print_header(out, info);
}

bool info_print_text(FILE *out, const Recording *recording, const SelectionCounts *counts,
		     GError **error)
{
	json_t *info = gather(recording, counts);
	bool ok = quality_add(info, recording->store, error);

	if (ok)
		print_all(out, info, recording, counts);
	json_decref(info);
	return ok;
}
