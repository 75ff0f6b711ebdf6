/* SPDX-License-Identifier: MIT */
/*
 * The words for times. Numbers are read as integers (whole part and decimals apart) and scaled in
 * 128 bits: no digit that a nanosecond can hold is lost.
 */

#include "store/time-range.h"

#include <stdlib.h>

#include "store/error.h"
#include "store/wall-clock.h"

typedef __int128 Wide;

/* A decimal number as read: value = digits / 10^n_decimals. */
typedef struct {
	Wide digits;
	int n_decimals;
} Decimal;

/* More digits than a time has; the decimals are few enough that scaling stays within 128 bits. */
#define MAX_DIGITS   30
#define MAX_DECIMALS 18

static bool decimal_read(Text *text, Decimal *number)
{
	size_t i = 0;
	int n_digits = 0;
	bool has_point = false;

	*number = (Decimal){ 0, 0 };
	for (; i < text->len && n_digits < MAX_DIGITS; i++) {
		char c = text->data[i];

		if (c == '.' && !has_point) {
			has_point = true;
		} else if (g_ascii_isdigit(c) && number->n_decimals == MAX_DECIMALS) {
			continue; /* far below a nanosecond */
		} else if (g_ascii_isdigit(c)) {
			number->digits = number->digits * 10 + (c - '0');
			number->n_decimals += has_point;
			n_digits++;
		} else {
			break;
		}
	}
	*text = text_skip(*text, i);
	return n_digits > 0 && n_digits < MAX_DIGITS;
}

/* Later than any time there is: what is more is as good as this. */
#define FAR_NS (INT64_MAX / 4)

/* number * unit, rounded down, at most FAR_NS. */
static int64_t decimal_scale(Decimal number, int64_t unit)
{
	Wide value = number.digits, divisor = 1;

	for (int i = 0; i < number.n_decimals; i++)
		divisor *= 10;
	if (value / divisor > FAR_NS / unit)
		return FAR_NS;
	/* The whole part first, so that 30 digits times an hour stay within 128 bits. */
	value = (value / divisor) * unit + (value % divisor) * unit / divisor;
	return (int64_t)MIN(value, FAR_NS);
}

static const struct {
	const char *name;
	int64_t ns;
} units[] = {
	{ "ns", 1 },
	{ "us", 1000 },
	{ "\xc2\xb5s", 1000 }, /* MICRO SIGN */
	{ "ms", NS_PER_MS },
	{ "s", NS_PER_SECOND },
	{ "min", 60 * NS_PER_SECOND },
	{ "m", 60 * NS_PER_SECOND },
	{ "h", 3600 * NS_PER_SECOND },
	{ "d", 86400 * NS_PER_SECOND },
};

/* The unit that `text` begins with, or 0. */
static int64_t unit_read(Text *text)
{
	for (size_t i = 0; i < G_N_ELEMENTS(units); i++)
		if (text_starts(*text, units[i].name)) {
			*text = text_skip(*text, strlen(units[i].name));
			return units[i].ns;
		}
	return 0;
}

/* `12.34`, `1500ms`, `1h20m`; `has_unit` may be NULL. */
static bool duration_read(Text text, int64_t *ns, bool *has_unit)
{
	bool is_first = true;

	*ns = 0;
	while (is_first || text.len > 0) {
		Decimal number;
		int64_t unit;

		if (!decimal_read(&text, &number))
			return false;
		unit = unit_read(&text);
		if (has_unit != NULL)
			*has_unit = unit != 0;
		if (unit == 0 && (!is_first || text.len > 0))
			return false;
		*ns = MIN(*ns + decimal_scale(number, unit != 0 ? unit : NS_PER_SECOND), FAR_NS);
		is_first = false;
	}
	return true;
}

bool duration_parse(const char *text, int64_t *ns, GError **error)
{
	if (duration_read(text_from(text), ns, NULL) && *ns < FAR_NS)
		return true;
	return fail(error, FLAMEBEAT_ERROR_USAGE,
		    "expected a duration such as 1.3, 1500ms, 20us, 2m or 1h20m, got '%s'", text);
}

/* --- moments ----------------------------------------------------------------------------- */

static bool fail_clock(Text text, GError **error)
{
	return fail(
		error, FLAMEBEAT_ERROR_USAGE,
		"'%.*s' is a clock time, but this recording does not tell the wall clock: record "
		"with `perf record -k CLOCK_MONOTONIC` and print with `perf script --header`, or "
		"give seconds as on the heat map",
		(int)text.len, text.data);
}

#define NS_PER_DAY (86400 * NS_PER_SECOND)

/* A time of the day without its date is that of the recording's first day, or of the next where
 * that is nearer to the recording. */
static int64_t on_its_day(int64_t time_of_day, const TimeFrame *frame)
{
	int64_t first = MIN(frame->zero_ns, frame->start_ns) + frame->wall_offset_ns;
	int64_t end = frame->end_ns + frame->wall_offset_ns;
	int64_t moment = first - first % NS_PER_DAY + time_of_day;

	if (moment < first && first - moment > moment + NS_PER_DAY - end)
		moment += NS_PER_DAY;
	return moment;
}

static bool clock_time_read(Text text, const TimeFrame *frame, int64_t *ns, GError **error)
{
	int64_t wall_ns;
	bool has_date;

	if (!frame->has_wall)
		return fail_clock(text, error);
	if (!wall_time_read(text, &wall_ns, &has_date))
		return fail(error, FLAMEBEAT_ERROR_USAGE,
			    "expected a clock time such as 14:03:22.5 or 2026-11-21T14:03:22, got "
			    "'%.*s'",
			    (int)text.len, text.data);
	*ns = (has_date ? wall_ns : on_its_day(wall_ns, frame)) - frame->wall_offset_ns;
	return true;
}

/* One end. `is_absolute`: on the recording's clock. */
static bool end_read(Text text, const TimeFrame *frame, bool is_absolute, int64_t *ns,
		     GError **error)
{
	bool is_negative = text_starts(text, "-");
	int64_t offset;

	if (!is_absolute && memchr(text.data, ':', text.len) != NULL)
		return clock_time_read(text, frame, ns, error);
	if (!duration_read(is_negative ? text_skip(text, 1) : text, &offset, NULL))
		return fail(error, FLAMEBEAT_ERROR_USAGE,
			    "expected a time such as 12.34, 1500ms, 1h20m, -3 (from the end) or "
			    "@184694.2 (the recording's clock), got '%.*s'",
			    (int)text.len, text.data);
	if (is_absolute)
		*ns = is_negative ? -offset : offset;
	else
		*ns = time_add(is_negative ? frame->end_ns : frame->zero_ns,
			       is_negative ? -offset : offset);
	return true;
}

bool time_moment_parse(const char *text, const TimeFrame *frame, int64_t *ns, GError **error)
{
	bool is_absolute = *text == '@';

	return end_read(text_from(text + is_absolute), frame, is_absolute, ns, error);
}

/* `FROM..TO`: either may be left out. */
static bool read_ends(Text from, Text to, const TimeFrame *frame, bool is_absolute,
		      TimeRange *range, GError **error)
{
	*range = (TimeRange){ frame->start_ns, frame->end_ns };
	return (from.len == 0 || end_read(from, frame, is_absolute, &range->begin_ns, error)) &&
	       (to.len == 0 || end_read(to, frame, is_absolute, &range->end_ns, error));
}

/* `FROM+DURATION`. */
static bool read_length(Text from, Text length, const TimeFrame *frame, bool is_absolute,
			TimeRange *range, GError **error)
{
	int64_t length_ns;

	if (!end_read(from, frame, is_absolute, &range->begin_ns, error))
		return false;
	if (!duration_read(length, &length_ns, NULL))
		return fail(error, FLAMEBEAT_ERROR_USAGE,
			    "expected a duration after '+', got '%.*s'", (int)length.len,
			    length.data);
	range->end_ns = time_add(range->begin_ns, length_ns);
	return true;
}

bool time_range_parse(const char *string, const TimeFrame *frame, TimeRange *range,
		      bool *is_reversed, GError **error)
{
	bool is_absolute = *string == '@';
	Text text = text_from(string + is_absolute);
	ptrdiff_t dots = text_find(text, ".."), plus = text_find(text, "+");
	Text head = { text.data, (size_t)MAX(MAX(dots, plus), 0) };

	*is_reversed = false;
	if (dots >= 0) {
		head.len = (size_t)dots;
		if (!read_ends(head, text_skip(text, (size_t)dots + 2), frame, is_absolute, range,
			       error))
			return false;
	} else if (plus > 0) {
		if (!read_length(head, text_skip(text, (size_t)plus + 1), frame, is_absolute, range,
				 error))
			return false;
	} else {
		return fail(error, FLAMEBEAT_ERROR_USAGE,
			    "expected a range FROM..TO or FROM+DURATION, got '%s'", string);
	}
	if (range->end_ns < range->begin_ns) {
		*range = (TimeRange){ range->end_ns, range->begin_ns };
		*is_reversed = true;
	}
	return true;
}

const TimeFrame time_frame_any = { .end_ns = 1, .has_wall = true };

/* --- phases ------------------------------------------------------------------------------ */

static bool phase_end_read(Text text, int64_t every_ns, int64_t *ns)
{
	Text number_text = text;
	Decimal number;
	bool has_unit = false;

	if (!duration_read(text, ns, &has_unit))
		return false;
	if (has_unit)
		return *ns <= every_ns;
	/* A fraction of the period, scaled in one step: the same text gives the same end. */
	if (!decimal_read(&number_text, &number))
		return false;
	*ns = decimal_scale(number, every_ns);
	return *ns <= every_ns;
}

bool phase_parse(const char *string, int64_t every_ns, int64_t *begin_ns, int64_t *end_ns,
		 GError **error)
{
	Text text = text_from(string);
	ptrdiff_t dots = text_find(text, "..");

	if (dots > 0 && phase_end_read((Text){ text.data, (size_t)dots }, every_ns, begin_ns) &&
	    phase_end_read(text_skip(text, (size_t)dots + 2), every_ns, end_ns))
		return true;
	return fail(error, FLAMEBEAT_ERROR_USAGE,
		    "--phase: expected two fractions of the period such as 0.42..0.55, or two "
		    "durations within it such as 546ms..715ms, got '%s'",
		    string);
}

/* --- ranges ------------------------------------------------------------------------------ */

static int compare_ranges(const void *left, const void *right)
{
	const TimeRange *a = left, *b = right;

	return (a->begin_ns > b->begin_ns) - (a->begin_ns < b->begin_ns);
}

size_t time_ranges_normalize(TimeRange *ranges, size_t n)
{
	size_t n_kept = 0;

	if (n > 0)
		qsort(ranges, n, sizeof(*ranges), compare_ranges);
	for (size_t i = 0; i < n; i++) {
		if (ranges[i].end_ns <= ranges[i].begin_ns)
			continue;
		if (n_kept > 0 && ranges[i].begin_ns <= ranges[n_kept - 1].end_ns)
			ranges[n_kept - 1].end_ns =
				MAX(ranges[n_kept - 1].end_ns, ranges[i].end_ns);
		else
			ranges[n_kept++] = ranges[i];
	}
	return n_kept;
}

char *time_format_seconds(int64_t ns)
{
	uint64_t size = ns < 0 ? -(uint64_t)ns : (uint64_t)ns;
	g_autofree char *decimals =
		g_strdup_printf("%09" G_GUINT64_FORMAT, size % (uint64_t)NS_PER_SECOND);
	size_t n = strlen(decimals);

	while (n > 0 && decimals[n - 1] == '0')
		n--;
	return g_strdup_printf("%s%" G_GUINT64_FORMAT "%s%.*s", ns < 0 ? "-" : "",
			       size / (uint64_t)NS_PER_SECOND, n > 0 ? "." : "", (int)n, decimals);
}
