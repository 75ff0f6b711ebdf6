/* SPDX-License-Identifier: MIT */
/*
 * A gate for scripts. Conditions compare one number of the report's summary: NAME OP VALUE. With a
 * baseline, the report of an earlier run, periods that it does not have fail as well, and are
 * named: a new beat is a change even where no number has moved.
 */

#include <math.h>
#include <string.h>

#include "cli/recording.h"
#include "cli/report.h"
#include "store/error.h"

#define NEW_PERIODS "new_periods"

/* By metric: its key in "summary", and the unit of the number there. */
static const struct {
	const char *key;
	double unit;
} values[] = {
	{ "spikes_per_minute", 1 },
	{ "spikes", 1 },
	{ "drops", 1 },
	{ "periods", 1 },
	{ NEW_PERIODS, 1 },
	{ "largest_excess_samples", 1 },
	{ "longest_spike_ns", 1e9 },
};

const FailMetric report_metrics[] = {
	{ "spikes/min", "spikes a minute of covered time" },
	{ "spikes", "all of them" },
	{ "drops", "times at which the machine goes quiet" },
	{ "periods", "periodic activities" },
	{ "new-periods", "those that --baseline does not have" },
	{ "max-excess", "samples that the largest spike has over its surroundings" },
	{ "max-length", "seconds that the longest spike lasts" },
	{ NULL, NULL },
};

/* --- the baseline ------------------------------------------------------------------------ */

/* The same beat: within what both leave open, and what the length of a recording resolves. */
static bool is_same_period(const json_t *a, const json_t *b)
{
	double left = report_number(a, "period_ns"), right = report_number(b, "period_ns");
	double slack = 3 * (report_number(a, "error_ns") + report_number(b, "error_ns"));

	return fabs(left - right) <= MAX(slack, 0.01 * MAX(left, right));
}

static bool is_known(const json_t *period, const json_t *known)
{
	json_t *other;
	size_t i;

	json_array_foreach(known, i, other) if (is_same_period(period, other)) return true;
	return false;
}

/* Adds a reason for each new period; returns how many. */
static size_t name_new_periods(const json_t *report, const json_t *baseline, json_t *reasons)
{
	const json_t *known = report_array(json_object_get(baseline, "periods"), "periods");
	size_t i, n = 0;
	json_t *period;

	json_array_foreach(report_array(json_object_get(report, "periods"), "periods"), i, period)
	{
		g_autofree char *length = NULL;

		if (is_known(period, known))
			continue;
		n++;
		length = report_words_period(period);
		json_array_append_new(reasons,
				      json_sprintf("a new period: every %s, %s in %s", length,
						   *report_text(period, "function") != '\0'
							   ? report_text(period, "function")
							   : "no single function",
						   *report_text(period, "pool") != '\0'
							   ? report_text(period, "pool")
							   : "no single pool"));
	}
	return n;
}

const json_t *report_gate_find(const json_t *baseline, const char *name)
{
	const json_t *recordings = report_array(baseline, "recordings");
	json_t *recording;
	size_t i;

	if (recordings == NULL)
		return baseline;
	json_array_foreach(
		recordings, i,
		recording) if (g_str_equal(report_text(recording, "title"), name)) return recording;
	return NULL;
}

/* --- judging ----------------------------------------------------------------------------- */

static double value_of(const void *summary, int metric)
{
	const json_t *value = json_object_get(summary, values[metric].key);

	return json_is_number(value) ? json_number_value(value) / values[metric].unit : NAN;
}

bool report_gate_judge(const ReportSettings *settings, json_t *report, const json_t *baseline,
		       Notes *notes)
{
	g_autoptr(GError) error = NULL;
	json_t *summary = json_object_get(report, "summary"), *reasons = json_array();
	bool passes = true;
	json_t *reason;
	size_t i;

	if (baseline != NULL) {
		size_t n_new = name_new_periods(report, baseline, reasons);

		json_object_set_new(summary, NEW_PERIODS, json_integer((json_int_t)n_new));
		passes = n_new == 0;
	}
	if (!fail_if_check(settings->report.conditions, value_of, summary, &error)) {
		json_array_append_new(reasons, json_string(error->message));
		passes = false;
	}
	json_array_foreach(reasons, i, reason)
		notes_add(notes, "%s: %s", report_text(report, "title"), json_string_value(reason));
	json_object_set_new(report, "gate",
			    json_pack("{s:b, s:o}", "passes", passes, "reasons", reasons));
	return passes;
}
