/* SPDX-License-Identifier: MIT */
/* Dates by GLib, always in UTC: the zone of whoever runs the program has no say. */

#include "store/wall-clock.h"

#include "store/time-range.h"

#define NS_PER_DAY (86400 * NS_PER_SECOND)

/* Exactly `n` digits at the start of `text`, which moves on. */
static bool take_digits(Text *text, size_t n, int *value)
{
	*value = 0;
	if (text->len < n)
		return false;
	for (size_t i = 0; i < n; i++) {
		if (!g_ascii_isdigit(text->data[i]))
			return false;
		*value = *value * 10 + (text->data[i] - '0');
	}
	*text = text_skip(*text, n);
	return true;
}

static bool take_char(Text *text, char wanted)
{
	if (text->len == 0 || text->data[0] != wanted)
		return false;
	*text = text_skip(*text, 1);
	return true;
}

/* Decimals of a second; none is 0. */
static bool take_decimals(Text *text, int64_t *ns)
{
	int64_t unit = NS_PER_SECOND / 10;

	*ns = 0;
	if (!take_char(text, '.'))
		return true;
	for (; text->len > 0 && g_ascii_isdigit(text->data[0]); unit /= 10) {
		*ns += (text->data[0] - '0') * unit;
		*text = text_skip(*text, 1);
	}
	return true;
}

static bool take_date(Text *text, int64_t *ns)
{
	int year, month, day;
	g_autoptr(GDateTime) date = NULL;

	if (!take_digits(text, 4, &year) || !take_char(text, '-') ||
	    !take_digits(text, 2, &month) || !take_char(text, '-') || !take_digits(text, 2, &day))
		return false;
	date = g_date_time_new_utc(year, month, day, 0, 0, 0);
	if (date == NULL || !(take_char(text, 'T') || take_char(text, ' ')))
		return false;
	/* Years beyond what 64 bits of nanoseconds hold are nobody's. */
	if (year < 1970 || year > 2200)
		return false;
	*ns = g_date_time_to_unix(date) * NS_PER_SECOND;
	return true;
}

static bool take_time(Text *text, int64_t *ns)
{
	int hours, minutes, seconds = 0;
	int64_t decimals = 0;

	if (!take_digits(text, 2, &hours) || !take_char(text, ':') ||
	    !take_digits(text, 2, &minutes) || hours > 24 || minutes > 59)
		return false;
	if (take_char(text, ':') &&
	    (!take_digits(text, 2, &seconds) || seconds > 60 || !take_decimals(text, &decimals)))
		return false;
	*ns = ((hours * 60 + minutes) * 60ll + seconds) * NS_PER_SECOND + decimals;
	return true;
}

bool wall_time_read(Text text, int64_t *wall_ns, bool *has_date)
{
	int64_t day = 0, time = 0;

	*has_date = text.len > 4 && text.data[4] == '-';
	if ((*has_date && !take_date(&text, &day)) || !take_time(&text, &time))
		return false;
	*wall_ns = day + time;
	return text.len == 0;
}

bool utc_offset_read(Text text, int64_t *offset_ns)
{
	bool is_negative = text_starts(text, "-");
	int hours = 0, minutes = 0;
	size_t n = 0;

	if (is_negative || text_starts(text, "+"))
		text = text_skip(text, 1);
	while (n < text.len && n < 2 && g_ascii_isdigit(text.data[n]))
		n++;
	if (n == 0 || !take_digits(&text, n, &hours))
		return false;
	if (take_char(&text, ':') && !take_digits(&text, 2, &minutes))
		return false;
	*offset_ns = (hours * 60 + minutes) * 60ll * NS_PER_SECOND * (is_negative ? -1 : 1);
	return text.len == 0 && hours <= 18 && minutes <= 59;
}

char *wall_time_format(int64_t wall_ns, bool with_date, int digits)
{
	int64_t second = wall_ns / NS_PER_SECOND - (wall_ns % NS_PER_SECOND < 0);
	g_autoptr(GDateTime) time = g_date_time_new_from_unix_utc(second);
	g_autofree char *text = NULL;
	g_autofree char *decimals = NULL;

	if (time == NULL)
		return g_strdup("?");
	text = g_date_time_format(time, with_date ? "%Y-%m-%d %H:%M:%S" : "%H:%M:%S");
	if (digits == 0)
		return g_steal_pointer(&text);
	decimals =
		g_strdup_printf("%09" G_GINT64_FORMAT, (gint64)(wall_ns - second * NS_PER_SECOND));
	return g_strdup_printf("%s.%.*s", text, digits, decimals);
}
