/* SPDX-License-Identifier: MIT */
/* What is said of a change, in figures. */

#include "render/diff-words.h"

#include <math.h>

#include "render/number.h"

#define TIMES_SIGN "\xc3\x97"

void diff_format_value(char text[DIFF_WORDS_SIZE], const Diff *diff, double value)
{
	char number[DIFF_WORDS_SIZE];

	switch (diff->settings.normalize) {
	case NORMALIZE_SHARE:
		g_ascii_formatd(number, sizeof(number), "%.2f", 100 * value);
		g_snprintf(text, DIFF_WORDS_SIZE, "%s%%", number);
		return;
	case NORMALIZE_RATE:
		g_ascii_formatd(number, sizeof(number), "%.4g", value);
		g_snprintf(text, DIFF_WORDS_SIZE, "%s/s", number);
		return;
	default:
		g_ascii_formatd(text, DIFF_WORDS_SIZE, "%.6g", value);
	}
}

void diff_format_delta(char text[DIFF_WORDS_SIZE], double delta)
{
	/* Digits behind the point only as far as they say something. */
	g_ascii_formatd(text, DIFF_WORDS_SIZE, fabs(delta) < 1000 ? "%+.2f" : "%+.0f", delta);
	if (fabs(delta) < 0.005)
		g_strlcpy(text, "0.00", DIFF_WORDS_SIZE);
}

void diff_format_ratio(char text[DIFF_WORDS_SIZE], double ratio)
{
	if (isnan(ratio))
		g_strlcpy(text, "-", DIFF_WORDS_SIZE);
	else if (isinf(ratio))
		g_strlcpy(text, "inf", DIFF_WORDS_SIZE);
	else if (ratio >= 1000)
		g_ascii_formatd(text, DIFF_WORDS_SIZE, "%.0f", ratio);
	else
		g_ascii_formatd(text, DIFF_WORDS_SIZE, "%.3g", ratio);
}

void diff_format_q(char text[DIFF_WORDS_SIZE], double q)
{
	g_ascii_formatd(text, DIFF_WORDS_SIZE, q < 0.0001 ? "%.0e" : "%.2g", q);
}

/* --- a node -------------------------------------------------------------------------------- */

static void write_change(FILE *out, const Diff *diff, const DiffItem *item, const char *unit)
{
	const DiffVerdict *verdict = &item->verdict[MEASURE_TOTAL];
	char delta[DIFF_WORDS_SIZE], ratio[DIFF_WORDS_SIZE];
	char low[DIFF_WORDS_SIZE], high[DIFF_WORDS_SIZE];
	g_autofree char *delta_unit = diff_delta_unit(diff, unit);
	double from, to;

	diff_interval(diff, item, MEASURE_TOTAL, &from, &to);
	diff_format_delta(delta, verdict->delta);
	diff_format_ratio(ratio, verdict->ratio);
	diff_format_ratio(low, from);
	diff_format_ratio(high, to);
	fprintf(out, "%s %s", delta, delta_unit);
	if (isinf(verdict->ratio))
		fprintf(out, ", only in new (95%%: at least " TIMES_SIGN "%s)", low);
	else if (verdict->ratio == 0)
		fprintf(out, ", only in base (95%%: at most " TIMES_SIGN "%s)", high);
	else if (!isnan(verdict->ratio))
		fprintf(out, ", " TIMES_SIGN "%s (95%%: %s to %s)", ratio, low, high);
}

static void write_verdict(FILE *out, const Diff *diff, const DiffVerdict *verdict)
{
	char q[DIFF_WORDS_SIZE], limit[DIFF_WORDS_SIZE];

	diff_format_q(q, verdict->q);
	if (!verdict->is_certain) {
		fputs(", within noise", out);
	} else if (!verdict->is_significant) {
		g_ascii_formatd(limit, sizeof(limit), "%.3g", diff->settings.min_change);
		fprintf(out, ", below %s points (q %s)", limit, q);
	} else {
		fprintf(out, ", q %s", q);
	}
}

static void write_side(FILE *out, const Diff *diff, const DiffItem *item, DiffSide side)
{
	char value[DIFF_WORDS_SIZE];

	diff_format_value(value, diff, item->verdict[MEASURE_TOTAL].value[side]);
	fprintf(out, ", %s", value);
}

void diff_write_words(FILE *out, const Diff *diff, const DiffItem *item, const char *unit)
{
	const DiffVerdict *self = &item->verdict[MEASURE_SELF];
	char delta[DIFF_WORDS_SIZE];

	fputs(" (", out);
	number_write_grouped(out, item->tally[MEASURE_TOTAL][SIDE_NEW].weight);
	fprintf(out, " %s", unit);
	write_side(out, diff, item, SIDE_NEW);
	fputs("; base ", out);
	number_write_grouped(out, item->tally[MEASURE_TOTAL][SIDE_BASE].weight);
	write_side(out, diff, item, SIDE_BASE);
	fputs(": ", out);
	write_change(out, diff, item, unit);
	write_verdict(out, diff, &item->verdict[MEASURE_TOTAL]);
	if (self->value[SIDE_NEW] > 0 || self->value[SIDE_BASE] > 0) {
		diff_format_delta(delta, self->delta);
		fprintf(out, "; self %s%s", delta, self->is_certain ? "" : ", within noise");
	}
	fputc(')', out);
}
