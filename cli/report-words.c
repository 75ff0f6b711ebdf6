/* SPDX-License-Identifier: MIT */
/*
 * Findings as sentences. Everything here is read from the report's JSON, so that the sentences say
 * what the tables say. Names are put between REPORT_NAME_BEGIN and REPORT_NAME_END, which no name
 * can hold: the commands replace controls when they print JSON.
 */

#include <math.h>
#include <string.h>

#include "cli/duration-text.h"
#include "cli/recording.h"
#include "cli/report.h"
#include "store/time-range.h"
#include "store/wall-clock.h"

#define MAX_PERIODS 5

static char *name_of(const json_t *item, const char *key)
{
	const char *name = report_text(item, key);

	return *name != '\0' ? g_strdup_printf("%c%s%c", REPORT_NAME_BEGIN, name, REPORT_NAME_END)
			     : g_strdup("");
}

char *report_words_plain(const char *text, const char *quote)
{
	GString *plain = g_string_new(NULL);

	for (const char *c = text; *c != '\0'; c++) {
		if (*c == REPORT_NAME_BEGIN || *c == REPORT_NAME_END)
			g_string_append(plain, quote);
		else
			g_string_append_c(plain, *c);
	}
	return g_string_free(plain, FALSE);
}

/* --- one period -------------------------------------------------------------------------- */

char *report_words_period(const json_t *period)
{
	double ns = report_number(period, "period_ns");
	double error_ns = report_number(period, "error_ns");
	double unit_ns = ns < 1e6 ? 1e3 : ns < 1e9 ? 1e6 : ns < 600e9 ? 1e9 : 60e9;
	const char *unit = ns < 1e6 ? "us" : ns < 1e9 ? "ms" : ns < 600e9 ? "s" : "min";
	double error = error_ns / unit_ns;
	int digits = 2;

	/* As many decimals as the first digit of the error has, but always those that matter. */
	if (error > 0)
		digits = (int)CLAMP(-floor(log10(error)), ns < 1e9 ? 0 : 2, 6);
	if (error <= 0)
		return g_strdup_printf("%.*f %s", digits, ns / unit_ns, unit);
	return g_strdup_printf("%.*f %s \xc2\xb1 %.*f", digits, ns / unit_ns, unit, digits, error);
}

/* ": `f` in `pool`", or nothing where nobody stands out. */
static void append_who(GString *text, const json_t *item)
{
	g_autofree char *function = name_of(item, "function");
	g_autofree char *pool = name_of(item, "pool");

	if (*function != '\0' || *pool != '\0')
		g_string_append_printf(text, ": %s%s%s", function,
				       *function != '\0' && *pool != '\0' ? " in " : "", pool);
}

static void append_cpus(GString *text, const json_t *item)
{
	int n = (int)report_number(item, "cpus");

	if (n > 0)
		g_string_append_printf(text, ", %d CPU%s", n, n == 1 ? "" : "s");
}

static char *describe_period(const json_t *period)
{
	GString *text = g_string_new("Every ");
	g_autofree char *length = report_words_period(period);
	g_autofree char *active =
		duration_text(report_number(period, "duty") * report_number(period, "period_ns"));
	g_autofree char *excess =
		format_count((uint64_t)MAX(report_number(period, "excess_samples"), 0));
	double share = 100 * report_number(period, "pool_share");

	g_string_append_printf(text, "%s, %s", length, active);
	append_cpus(text, period);
	append_who(text, period);
	if (share > 0)
		g_string_append_printf(text, ", %.0f %% of the excess", share);
	g_string_append_printf(text, " (%s samples above the rest", excess);
	if (json_is_number(json_object_get(period, "p_value")))
		g_string_append_printf(text, ", p %s %.0e",
				       report_number(period, "p_value") < 1e-15 ? "<" : "=",
				       MAX(report_number(period, "p_value"), 1e-15));
	g_string_append(text, ").");
	if (report_number(period, "alias_hz") > 0)
		g_string_append_printf(text,
				       " It may be work of %.4g Hz seen through the sampling "
				       "clock: record again with another -F.",
				       report_number(period, "alias_hz"));
	return g_string_free(text, FALSE);
}

/* --- spikes ------------------------------------------------------------------------------ */

static const json_t *largest(const json_t *items)
{
	const json_t *best = NULL;
	json_t *item;
	size_t i;

	json_array_foreach(items, i, item) if (best == NULL ||
					       fabs(report_number(item, "excess_samples")) >
						       fabs(report_number(best, "excess_samples")))
		best = item;
	return best;
}

static char *describe_spikes(const json_t *spikes, const char *noun, const char *plural_noun)
{
	const json_t *items = report_array(spikes, "spikes");
	double minutes = report_number(spikes, "covered_ns") / 60e9;
	size_t n = json_array_size(items);
	const json_t *top = largest(items);
	GString *text = g_string_new(NULL);
	g_autofree char *gap = duration_text(report_number(spikes, "median_gap_ns"));
	g_autofree char *length = NULL;

	if (top == NULL)
		return g_string_free(text, FALSE);
	length = duration_text(report_number(top, "end_ns") - report_number(top, "start_ns"));
	g_string_append_printf(text, "%zu %s", n, n == 1 ? noun : plural_noun);
	if (minutes > 0)
		g_string_append_printf(text, " (%.3g a minute)", (double)n / minutes);
	if (report_number(spikes, "median_gap_ns") > 0)
		g_string_append_printf(text, ", usually %s apart", gap);
	g_string_append_printf(text, "; the largest at %s s, %s long, %+.0f samples",
			       report_text(top, "range"), length,
			       report_number(top, "excess_samples"));
	append_cpus(text, top);
	append_who(text, top);
	g_string_append_c(text, '.');
	return g_string_free(text, FALSE);
}

/* Whether a stretch shares time with one of `items`, both in order of time. */
static bool overlaps_any(const json_t *stretch, const json_t *items)
{
	json_t *item;
	size_t i;

	json_array_foreach(items, i,
			   item) if (report_number(item, "start_ns") <
					     report_number(stretch, "end_ns") &&
				     report_number(item, "end_ns") >
					     report_number(stretch, "start_ns")) return true;
	return false;
}

/* Other code at the same load: where there is a spike, that says it all. g_free() the text, "" if
 * there is nothing. */
static char *describe_mixes(const json_t *report)
{
	const json_t *mixes = json_object_get(report, "mixes");
	const json_t *spikes = report_array(json_object_get(report, "spikes"), "spikes");
	json_t *alone = json_array(), *stretches, *item;
	size_t i;
	char *text;

	json_array_foreach(report_array(mixes, "spikes"), i, item) if (!overlaps_any(item, spikes))
		json_array_append(alone, item);
	stretches = json_pack("{s:o, s:f}", "spikes", alone, "covered_ns",
			      report_number(mixes, "covered_ns"));
	text = describe_spikes(stretches, "stretch of other code at the same load",
			       "stretches of other code at the same load");
	json_decref(stretches);
	return text;
}

/* What stands out most before the onset, by a bin at least. */
static char *describe_trigger(const json_t *report)
{
	const json_t *onsets = json_object_get(report, "onsets");
	const json_t *best = NULL;
	g_autofree char *name = NULL;
	json_t *top;
	size_t i;

	json_array_foreach(report_array(onsets, "top"), i,
			   top) if (report_number(top, "lag_ms") < 0 &&
				    (best == NULL || report_number(top, "deviations") >
							     report_number(best, "deviations")))
		best = top;
	if (best == NULL || report_number(onsets, "onsets") < 3)
		return g_strdup("");
	name = name_of(best, "function");
	return g_strdup_printf("Before the spikes: %s stands out %.0f ms ahead of the onset (%.0f "
			       "samples, usually %.1f).",
			       name, -report_number(best, "lag_ms"), report_number(best, "samples"),
			       report_number(best, "expected"));
}

static void add_text(GPtrArray *findings, char *text)
{
	if (*text != '\0')
		g_ptr_array_add(findings, text);
	else
		g_free(text);
}

static void add_spikes(GPtrArray *findings, const json_t *report, const char *key, const char *noun,
		       const char *plural_noun)
{
	add_text(findings, describe_spikes(json_object_get(report, key), noun, plural_noun));
}

GPtrArray *report_words_findings(const json_t *report)
{
	GPtrArray *findings = g_ptr_array_new_with_free_func(g_free);
	const json_t *periods = report_array(json_object_get(report, "periods"), "periods");
	json_t *period;
	size_t i;

	json_array_foreach(periods, i, period) if (i < MAX_PERIODS)
		g_ptr_array_add(findings, describe_period(period));
	add_spikes(findings, report, "spikes", "spike", "spikes");
	add_text(findings, describe_mixes(report));
	add_spikes(findings, report, "drops", "drop", "drops");
	add_text(findings, describe_trigger(report));
	if (findings->len == 0)
		g_ptr_array_add(findings, g_strdup("No period and no spike stands out from what "
						   "chance makes of a steady load."));
	return findings;
}

/* --- facts ------------------------------------------------------------------------------- */

static void add_wall(GPtrArray *facts, const json_t *info)
{
	json_t *wall = json_object_get(info, "wall_zero_ns");
	int64_t offset =
		(int64_t)(report_number(info, "start_ns") - report_number(info, "zero_ns"));
	g_autofree char *start = NULL;

	if (!json_is_integer(wall))
		return;
	start = wall_time_format(time_add(json_integer_value(wall), offset), true, 0);
	g_ptr_array_add(facts,
			g_strdup_printf("from %s %s", start, report_text(info, "wall_zone")));
}

static void add_count(GPtrArray *facts, double n, const char *noun)
{
	g_autofree char *number = format_count((uint64_t)MAX(n, 0));

	g_ptr_array_add(facts, g_strdup_printf("%s %s%s", number, noun, n == 1 ? "" : "s"));
}

GPtrArray *report_words_facts(const json_t *report)
{
	GPtrArray *facts = g_ptr_array_new_with_free_func(g_free);
	const json_t *info = json_object_get(report, "info");
	const json_t *summary = json_object_get(report, "summary");
	double covered_ns = report_number(info, "covered_ns");
	g_autofree char *covered = duration_text(covered_ns);

	add_wall(facts, info);
	g_ptr_array_add(facts, g_strdup_printf("%s recorded", covered));
	if (*report_text(json_object_get(report, "spikes"), "event") != '\0')
		g_ptr_array_add(facts,
				g_strdup(report_text(json_object_get(report, "spikes"), "event")));
	add_count(facts, report_number(info, "cpus"), "CPU");
	add_count(facts, report_number(summary, "samples"), "sample");
	if (report_number(info, "idle_samples") > 0)
		add_count(facts, report_number(info, "idle_samples"), "idle sample");
	if (report_number(info, "lost") > 0)
		add_count(facts, report_number(info, "lost"), "LOST sample");
	return facts;
}
