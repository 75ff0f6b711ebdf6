/* SPDX-License-Identifier: MIT */
/* The report on a recording for people, from its JSON. */

#include "cli/info.h"

#include "render/text-escape.h"

#define LABEL "%-16s "

static uint64_t number(const json_t *info, const char *key)
{
	return (uint64_t)json_integer_value(json_object_get(info, key));
}

/* `noun`: what is counted, with a blank before it, or nothing. */
static void print_count(FILE *out, const char *label, uint64_t value, const char *noun)
{
	g_autofree char *text = format_count(value);

	fprintf(out, LABEL "%s%s%s\n", label, text, noun, *noun != '\0' ? plural(value) : "");
}

static void print_wall(FILE *out, const json_t *info)
{
	const json_t *zone = json_object_get(info, "wall_zone");
	g_autofree char *zero = wall_time_format(
		json_integer_value(json_object_get(info, "wall_zero_ns")), true, 3);

	if (json_is_string(zone))
		fprintf(out, LABEL "0 is %s %s (from: %s)\n", "wall clock", zero,
			json_string_value(zone),
			json_string_value(json_object_get(info, "wall_source")));
	else
		fprintf(out, LABEL "unknown (perf record -k CLOCK_MONOTONIC tells it)\n",
			"wall clock");
}

#define MAX_HOLES 5

/* As --range takes them. */
static void print_holes(FILE *out, const json_t *info, gint64 zero)
{
	const json_t *holes = json_object_get(info, "holes"), *hole;
	size_t i;

	json_array_foreach(holes, i, hole)
	{
		gint64 begin = json_integer_value(json_object_get(hole, "start_ns"));
		gint64 end = json_integer_value(json_object_get(hole, "end_ns"));
		g_autofree char *from = time_format_seconds(begin - zero);
		g_autofree char *to = time_format_seconds(end - zero);

		if (i < MAX_HOLES)
			fprintf(out, LABEL "%s..%s\n", "", from, to);
	}
	if (json_array_size(holes) > MAX_HOLES)
		fprintf(out, LABEL "and %" G_GSIZE_FORMAT " more\n", "",
			json_array_size(holes) - MAX_HOLES);
	if (json_is_true(json_object_get(info, "silence_is_ambiguous")))
		fprintf(out,
			LABEL "no idle CPU was sampled: whether a silence is idleness or a "
			      "pause in sampling is unknown\n",
			"");
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
		fprintf(out, LABEL "none: heat maps and ranges need them\n", "timestamps");
		return;
	}
	fprintf(out, LABEL "%s s, from %s to %s on the recording's clock\n", "length", length, from,
		to);
	fprintf(out, LABEL "%s on the recording's clock\n", "zero", zero_text);
	print_wall(out, info);
	fprintf(out, LABEL "%s s, %" G_GSIZE_FORMAT " hole%s\n", "covered", covered, n_holes,
		plural(n_holes));
	print_holes(out, info, zero);
}

/* What the event's samples stand for, where they have periods. */
static void print_periods(FILE *out, const json_t *event)
{
	uint64_t low = number(event, "period_p5"), high = number(event, "period_p95");
	g_autofree char *from = format_count(low), *to = format_count(high);

	if (json_is_true(json_object_get(event, "periods_vary")))
		fprintf(out,
			LABEL "  its periods vary %" G_GUINT64_FORMAT "-fold (most are %s to "
			      "%s): counts overstate what follows idleness; --weight period "
			      "does not\n",
			"", high / low, from, to);
}

static void print_events(FILE *out, const json_t *info)
{
	size_t i;
	json_t *event;

	json_array_foreach(json_object_get(info, "events"), i, event)
	{
		const json_t *rate = json_object_get(event, "rate_hz");
		g_autofree char *samples = format_count(number(event, "samples"));
		g_autofree char *period = format_count(number(event, "period"));
		g_autofree char *name = text_to_terminal(
			text_from(json_string_value(json_object_get(event, "name"))));

		fprintf(out, LABEL "%s: %s sample%s", i == 0 ? "events" : "", name, samples,
			plural(number(event, "samples")));
		if (json_is_real(rate))
			fprintf(out, ", %.1f a second", json_real_value(rate));
		fprintf(out, ", period %s\n", period);
		print_periods(out, event);
	}
}

static void print_order(FILE *out, const json_t *info)
{
	uint64_t n = number(info, "out_of_order");
	g_autofree char *count = format_count(n);
	g_autofree char *step = time_format_seconds((gint64)number(info, "max_step_back_ns"));

	if (n == 0)
		fprintf(out, LABEL "0 samples\n", "out of order");
	else
		fprintf(out, LABEL "%s sample%s, by up to %s s (sorted)\n", "out of order", count,
			plural(n), step);
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

		fprintf(out, LABEL "%" G_GUINT64_FORMAT " %s\n", "",
			(guint64)json_integer_value(value), safe);
	}
	json_array_foreach(json_object_get(info, "skipped_examples"), i, value)
	{
		g_autofree char *line = text_to_terminal(text_from(json_string_value(value)));
		fprintf(out, LABEL "  %s\n", "", line);
	}
	print_order(out, info);
	print_count(out, "lost by perf", number(info, "lost"), " sample");
	if (number(info, "throttled") > 0)
		print_count(out, "throttled", number(info, "throttled"), " time");
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
		fprintf(out, LABEL "%s\n", safe_key, text);
	}
}

static double percent(const json_t *object, const char *key)
{
	return 100 * json_real_value(json_object_get(object, key));
}

static const char *advice_on_short_stacks(const json_t *info)
{
	if (!json_is_true(json_object_get(info, "has_call_chains")))
		return ": recorded without call chains; record with -g";
	return percent(json_object_get(info, "quality"), "short_stacks_share") > 25
		       ? ": frame pointers are missing, record with --call-graph dwarf"
		       : "";
}

static void print_quality(FILE *out, const json_t *info)
{
	const json_t *quality = json_object_get(info, "quality");
	size_t i;
	json_t *row;

	fprintf(out, LABEL "%.1f %% of frames, %.1f %% of leaves\n", "without symbol",
		percent(quality, "frames_unresolved_share"),
		percent(quality, "leaves_unresolved_share"));
	json_array_foreach(json_object_get(quality, "unresolved"), i, row)
	{
		g_autofree char *dso =
			text_to_terminal(text_from(json_string_value(json_object_get(row, "dso"))));

		fprintf(out, LABEL "%.1f %% in %s: %s\n", "", percent(row, "share"), dso,
			json_string_value(json_object_get(row, "fix")));
	}
	fprintf(out, LABEL "%.1f %% of samples have 1 or 2 frames%s\n", "short stacks",
		percent(quality, "short_stacks_share"), advice_on_short_stacks(info));
	if (percent(quality, "depth_limit_share") > 0)
		fprintf(out, LABEL "%.1f %% of samples are at perf's limit of 127 frames\n",
			"cut stacks", percent(quality, "depth_limit_share"));
	if (percent(quality, "without_stack_share") > 0)
		fprintf(out, LABEL "%.1f %% of samples%s\n", "without stack",
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
		fprintf(out, LABEL, kind);
		json_array_foreach(rows, i, row)
		{
			g_autofree char *name = text_to_terminal(
				text_from(json_string_value(json_object_get(row, "name"))));

			fprintf(out, "%s%s (%" G_GUINT64_FORMAT ")", i > 0 ? ", " : "", name,
				number(row, "samples"));
		}
		fputc('\n', out);
	}
}

static void print_samples(FILE *out, const json_t *info)
{
	g_autofree char *samples = format_count(number(info, "samples"));
	g_autofree char *all = format_count(number(info, "samples_in_all"));

	if (json_is_true(json_object_get(info, "is_filtered")))
		fprintf(out, LABEL "%s of %s pass the filters and are told of here\n", "samples",
			samples, all);
	else
		fprintf(out, LABEL "%s\n", "samples", samples);
	if (number(info, "untimed_samples") > 0)
		print_count(out, "without time", number(info, "untimed_samples"), " sample");
	print_count(out, "frames", number(info, "frames"), "");
}

static void print_idle(FILE *out, const json_t *info)
{
	uint64_t n_idle = number(info, "idle_samples"), n = number(info, "samples");
	g_autofree char *count = format_count(n_idle);

	fprintf(out, LABEL "%s sample%s (%.1f %%)%s\n", "idle", count, plural(n_idle),
		100 * (double)n_idle / (double)MAX(n, 1),
		json_is_true(json_object_get(info, "idle_presumed"))
			? ", presumed: no kernel symbols (kptr_restrict?)"
			: "");
}

/* The largest first. */
static int compare_sizes(const void *left, const void *right)
{
	const json_t *a = json_object_iter_value(*(void *const *)left);
	const json_t *b = json_object_iter_value(*(void *const *)right);

	return (json_integer_value(a) < json_integer_value(b)) -
	       (json_integer_value(a) > json_integer_value(b));
}

static void print_sizes(FILE *out, const json_t *info)
{
	json_t *sections = json_object_get(info, "section_bytes");
	g_autoptr(GPtrArray) order = g_ptr_array_new();
	g_autofree char *all = NULL;
	uint64_t sum = 0;

	for (void *i = json_object_iter(sections); i != NULL;
	     i = json_object_iter_next(sections, i)) {
		sum += (uint64_t)json_integer_value(json_object_iter_value(i));
		g_ptr_array_add(order, i);
	}
	g_ptr_array_sort(order, compare_sizes);
	all = format_count(sum);
	fprintf(out, LABEL "%s bytes:", "in the store", all);
	for (guint i = 0; i < order->len; i++) {
		uint64_t n = (uint64_t)json_integer_value(json_object_iter_value(order->pdata[i]));
		g_autofree char *size = format_count(n);

		if (n > 0)
			fprintf(out, "%s %s %s", i > 0 ? "," : "",
				json_object_iter_key(order->pdata[i]), size);
	}
	fputc('\n', out);
}

static void print_cpus(FILE *out, const json_t *info)
{
	const char *list = json_string_value(json_object_get(info, "cpu_list"));
	g_autofree char *count = format_count(number(info, "cpus"));

	if (list != NULL)
		fprintf(out, LABEL "%s (%s)\n", "CPUs seen", count, list);
	else
		fprintf(out, LABEL "none told\n", "CPUs seen");
}

static void print_what_ran(FILE *out, const json_t *info)
{
	print_events(out, info);
	print_time(out, info);
	print_cpus(out, info);
	print_count(out, "threads", number(info, "threads"), "");
	print_idle(out, info);
	print_count(out, "call tree", number(info, "stack_nodes"), " node");
	print_top(out, info);
	print_quality(out, info);
}

void info_print_text(FILE *out, const json_t *info)
{
	print_samples(out, info);
	if (number(info, "samples") > 0)
		print_what_ran(out, info);
	print_reading(out, info);
	print_sizes(out, info);
	print_header(out, info);
}
