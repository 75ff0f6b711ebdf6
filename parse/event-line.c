/* SPDX-License-Identifier: MIT */
/*
 * Candidates for the time are tried from left to right; the first with a thread id on its left
 * and an event on its right is it, else the one that scores best. Never the first number (names
 * hold numbers), never the last time-like token (payloads hold times). A name that looks like the
 * beginning of an event line is told by its length: perf pads ids and times, so that what it
 * prints before a payload is longer than MAX_COMM.
 */

#include "parse/event-line.h"

#include <glib.h>

/* The last word of `text`, which has no blanks at its end. */
static Text last_word(Text text)
{
	size_t i = text.len;

	while (i > 0 && !text_is_blank(text.data[i - 1]))
		i--;
	return text_skip(text, i);
}

static Text first_word(Text text)
{
	size_t i = 0;

	while (i < text.len && !text_is_blank(text.data[i]))
		i++;
	return (Text){ text.data, i };
}

static void drop_last(Text *text, size_t n)
{
	text->len -= n;
	*text = text_trim_right(*text);
}

/* All of `text` as a decimal number, or false; numbers that do not fit saturate. */
static bool read_u64(Text text, uint64_t *value)
{
	*value = 0;
	for (size_t i = 0; i < text.len; i++) {
		if (!g_ascii_isdigit(text.data[i]))
			return false;
		if (__builtin_mul_overflow(*value, 10, value) ||
		    __builtin_add_overflow(*value, (uint64_t)(text.data[i] - '0'), value))
			*value = UINT64_MAX;
	}
	return text.len > 0;
}

/* A thread or process id: an optional sign and digits; one that does not fit is unknown. */
static bool read_id(Text text, int32_t *id)
{
	bool is_negative = text_starts(text, "-");
	uint64_t value;

	if (!read_u64(is_negative ? text_skip(text, 1) : text, &value))
		return false;
	*id = value <= INT32_MAX ? (is_negative ? -(int32_t)value : (int32_t)value) : ID_NONE;
	return true;
}

/* --- the left part ----------------------------------------------------------------------- */

/* `2026-11-21 01:56:29.881755`, before the time. */
static void take_tod(Text *left, Text *tod)
{
	Text clock = last_word(*left), date;

	if (clock.len < 15 || clock.data[2] != ':' || clock.data[5] != ':' || clock.data[8] != '.')
		return;
	date = last_word(text_trim_right((Text){ left->data, left->len - clock.len }));
	if (date.len != 10 || date.data[4] != '-' || date.data[7] != '-')
		return;
	*tod = (Text){ date.data, (size_t)(clock.data + clock.len - date.data) };
	left->len = (size_t)(date.data - left->data);
	*left = text_trim_right(*left);
}

/* Letters for where the sample was taken (-F +misc), only behind an id or a CPU. */
static void drop_misc(Text *left)
{
	Text word = last_word(*left), before;

	if (word.len == 0 || word.len > 4)
		return;
	for (size_t i = 0; i < word.len; i++)
		if (word.data[i] == '\0' || strchr("KUHGgMESp", word.data[i]) == NULL)
			return;
	before = text_trim_right((Text){ left->data, left->len - word.len });
	if (before.len > 0 &&
	    (g_ascii_isdigit(before.data[before.len - 1]) || before.data[before.len - 1] == ']'))
		*left = before;
}

static bool take_cpu(Text *left, int32_t *cpu)
{
	Text word = last_word(*left);
	int32_t id;

	*cpu = ID_NONE;
	if (word.len < 4 || word.data[0] != '[' || word.data[word.len - 1] != ']' ||
	    !read_id((Text){ word.data + 1, word.len - 2 }, &id))
		return false;
	*cpu = id >= 0 ? id : ID_NONE;
	drop_last(left, word.len);
	return true;
}

/* `tid` or `pid/tid`. */
static bool take_ids(Text *left, EventLine *event)
{
	Text word = last_word(*left);
	const char *slash = word.len > 0 ? memchr(word.data, '/', word.len) : NULL;
	Text tid = slash != NULL ? text_skip(word, (size_t)(slash + 1 - word.data)) : word;

	event->pid = event->tid = ID_NONE;
	if (!read_id(tid, &event->tid))
		return false;
	if (slash != NULL &&
	    !read_id((Text){ word.data, (size_t)(slash - word.data) }, &event->pid)) {
		event->tid = ID_NONE;
		return false;
	}
	drop_last(left, word.len);
	return true;
}

/* `VM:%5d VCPU:%03d`, before the comm of a guest's sample. */
static Text without_guest(Text left)
{
	Text rest = left, word;
	int32_t id;

	if (!text_starts(rest, "VM:"))
		return left;
	rest = text_trim_left(text_skip(rest, strlen("VM:")));
	word = first_word(rest);
	if (!read_id(word, &id))
		return left;
	rest = text_trim_left(text_skip(rest, word.len));
	if (text_starts(rest, "VCPU:"))
		rest = text_trim_left(text_skip(rest, first_word(rest).len));
	return rest;
}

static int parse_left(Text left, EventLine *event)
{
	bool has_cpu;

	left = text_trim_right(left);
	take_tod(&left, &event->tod);
	drop_misc(&left);
	has_cpu = take_cpu(&left, &event->cpu);
	event->has_tid = take_ids(&left, event);
	event->comm = without_guest(text_trim_left(left));
	return (event->has_tid ? 4 : 0) + (has_cpu ? 1 : 0);
}

/* --- the right part ---------------------------------------------------------------------- */

/* Length of the event's name: up to the first `:` that a blank or the end follows; -1: none. */
static ptrdiff_t event_length(Text text)
{
	for (size_t i = 0; i < text.len; i++)
		if (text.data[i] == ':' && (i + 1 == text.len || text_is_blank(text.data[i + 1])))
			return (ptrdiff_t)i;
	return -1;
}

/* The one frame of a sample without call chain is its address first, in columns of its own. */
#define FRAME_COLUMN	 2
#define FRAME_END_COLUMN 18

/* Takes digits that more text follows; alone they are a period too. Leaves the blanks behind. */
static Text take_period(Text right, EventLine *event)
{
	Text trimmed = text_trim_left(right), word = first_word(trimmed);
	size_t n_blanks = right.len - trimmed.len;

	if (n_blanks >= FRAME_COLUMN && n_blanks + word.len == FRAME_END_COLUMN)
		return right;
	event->has_period = read_u64(word, &event->period);
	return event->has_period ? text_skip(trimmed, word.len) : right;
}

/* Digits and a point: the time, and what stands on its left is part of a name. */
static bool is_number(Text text)
{
	for (size_t i = 0; i < text.len; i++)
		if (!g_ascii_isdigit(text.data[i]) && text.data[i] != '.')
			return false;
	return true;
}

static int parse_right(Text right, EventLine *event)
{
	ptrdiff_t n;

	event->payload = take_period(right, event);
	right = text_trim_left(event->payload);
	event->event = (Text){ right.data, 0 };
	if (right.len == 0)
		return 1;
	if (text_starts(right, "PERF_RECORD_") || text_starts(right, "DEFERRED CALLCHAIN")) {
		event->event = right;
		event->payload = text_skip(right, right.len);
		return 2;
	}
	n = event_length(right);
	if (n <= 0)
		return 0;
	event->event.len = (size_t)n;
	if (memchr(right.data, ' ', (size_t)n) == NULL && !is_number(event->event)) {
		event->payload = text_skip(right, (size_t)n + 1);
		return 2;
	}
	/* Part of a payload: no event was printed. */
	event->event.len = 0;
	return -1;
}

/* --- the time ---------------------------------------------------------------------------- */

/* seconds and decimals as nanoseconds; what does not fit is no time. */
static int64_t to_ns(Text seconds, uint64_t decimals, int64_t unit)
{
	uint64_t whole;
	int64_t ns;

	if (!read_u64(seconds, &whole) || whole > INT64_MAX ||
	    __builtin_mul_overflow((int64_t)whole, NS_PER_SECOND, &ns) ||
	    __builtin_add_overflow(ns, (int64_t)decimals * unit, &ns))
		return TIME_NONE;
	return ns;
}

/* Whether a time ends before the colon at `colon`; `begin` is where it begins. */
static bool read_time(Text line, size_t colon, size_t *begin, EventLine *event)
{
	size_t point = colon, first;
	uint64_t decimals;
	size_t n;

	while (point > 0 && g_ascii_isdigit(line.data[point - 1]))
		point--;
	n = colon - point;
	if (n == 0 || n > 9 || point == 0 || line.data[point - 1] != '.')
		return false;
	first = point - 1;
	while (first > 0 && g_ascii_isdigit(line.data[first - 1]))
		first--;
	if (first == point - 1 || (first > 0 && !text_is_blank(line.data[first - 1])))
		return false;
	event->is_short_us = n < 6;
	if (n != 6 && n != 9 && !(n < 6 && memchr(line.data, '\t', first) != NULL))
		return false;
	read_u64((Text){ line.data + point, n }, &decimals);
	event->time_ns =
		to_ns((Text){ line.data + first, point - 1 - first }, decimals, n == 9 ? 1 : 1000);
	*begin = first;
	return true;
}

/* The next colon at or after `from` that a blank or the end of the line follows. */
static size_t next_colon(Text line, size_t from)
{
	while (from < line.len) {
		const char *colon = memchr(line.data + from, ':', line.len - from);

		if (colon == NULL)
			break;
		from = (size_t)(colon - line.data);
		if (from + 1 == line.len || text_is_blank(line.data[from + 1]))
			return from;
		from++;
	}
	return line.len;
}

/* A name holds two at most, and what follows the right one does not matter. */
#define MAX_CANDIDATES 16

#define SCORE_GOOD 6 /* a thread id and an event */

bool event_line_parse(Text line, EventLine *event)
{
	int best = 0, n_candidates = 0;

	line = text_trim_left(line);
	for (size_t colon = next_colon(line, 0); colon < line.len;
	     colon = next_colon(line, colon + 1)) {
		EventLine candidate = { .cpu = ID_NONE };
		size_t begin;
		int score;

		if (!read_time(line, colon, &begin, &candidate))
			continue;
		if (++n_candidates > MAX_CANDIDATES)
			break;
		score = parse_left((Text){ line.data, begin }, &candidate) +
			parse_right(text_skip(line, colon + 1), &candidate);
		if (score > best ||
		    (score >= SCORE_GOOD && candidate.has_tid && candidate.comm.len <= MAX_COMM)) {
			best = score;
			*event = candidate;
		}
		if (candidate.has_tid && score >= SCORE_GOOD && colon >= MAX_COMM)
			break;
	}
	return best > 0;
}

/* A time that is none of perf's, such as `1510,143803:` of another locale: the record has one. */
static bool ends_in_odd_time(Text comm)
{
	Text word = last_word(comm);
	size_t i = 0;

	while (i < word.len && g_ascii_isdigit(word.data[i]))
		i++;
	return i > 0 && i + 1 < word.len && (word.data[i] == ',' || word.data[i] == '.') &&
	       text_ends(word, ":");
}

bool event_line_parse_untimed(Text line, EventLine *event)
{
	Text left = text_trim_right(line), word;

	*event = (EventLine){ .time_ns = TIME_NONE, .cpu = ID_NONE };
	word = last_word(left);
	if (word.len < 2 || word.data[word.len - 1] != ':')
		return false;
	event->event = (Text){ word.data, word.len - 1 };
	event->payload = text_skip(line, line.len);
	drop_last(&left, word.len);
	word = last_word(left);
	if (read_u64(word, &event->period)) {
		Text before = text_trim_right((Text){ left.data, left.len - word.len });
		Text previous = last_word(before);
		EventLine ids;

		/* Digits are a period only where an id or a CPU stands before them. */
		event->has_period =
			take_ids(&before, &ids) || (previous.len > 3 && previous.data[0] == '[');
		if (event->has_period)
			drop_last(&left, word.len);
	}
	take_cpu(&left, &event->cpu);
	event->has_tid = take_ids(&left, event);
	event->comm = text_trim_left(left);
	return event->has_tid && !ends_in_odd_time(event->comm);
}

bool event_line_parse_bare(Text line, EventLine *event)
{
	Text left = text_trim_right(line);

	*event = (EventLine){ .time_ns = TIME_NONE, .cpu = ID_NONE };
	event->event = event->payload = text_skip(line, line.len);
	take_cpu(&left, &event->cpu);
	event->has_tid = take_ids(&left, event);
	event->comm = text_trim_left(left);
	return event->has_tid;
}

bool event_line_is_bare(Text line)
{
	EventLine event;

	return event_line_parse_bare(line, &event);
}
