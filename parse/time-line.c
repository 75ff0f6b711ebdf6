/* SPDX-License-Identifier: MIT */
/* Placing several recordings: by the wall clock, by the clock they share, or end to end. */

#include "parse/time-line.h"

#include <string.h>

#include "store/error.h"

static const Store *store_at(const TimeLine *self, guint i)
{
	return g_ptr_array_index(self->stores, i);
}

/* Whether each of them tells `fact`; then they can be placed by it, on the first one's clock. */
static bool place_by(TimeLine *self, const char *fact)
{
	int64_t first = 0;

	for (guint i = 0; i < self->stores->len; i++) {
		int64_t offset;

		if (!store_fact_signed(store_at(self, i), fact, &offset))
			return false;
		if (i == 0)
			first = offset;
		self->shifts_ns[i] = time_add(offset, -first);
	}
	return true;
}

/* Each where the one before it ends. */
static void lay_end_to_end(TimeLine *self)
{
	int64_t last_ns = INT64_MIN;

	for (guint i = 0; i < self->stores->len; i++) {
		const Store *store = store_at(self, i);

		self->shifts_ns[i] = 0;
		if (store->n_timed == 0)
			continue;
		if (last_ns != INT64_MIN)
			self->shifts_ns[i] = time_add(last_ns, store->tick_ns - store->start_ns);
		last_ns = time_add(store->last_ns, self->shifts_ns[i]);
	}
}

#define CONCAT_HINT "give one of them, or --concat to lay them end to end"

/* Clocks of one host and boot differ from the wall clock by the same, give or take its corrections.
 */
#define SAME_BOOT_NS (10 * NS_PER_SECOND)

/* The first input that tells `fact`; the number of inputs: none does. */
static guint first_with(const TimeLine *self, const char *fact)
{
	guint i = 0;

	while (i < self->stores->len && store_fact(store_at(self, i), fact).len == 0)
		i++;
	return i;
}

static bool check_boots(const TimeLine *self, GError **error)
{
	guint first = first_with(self, FACT_WALL_UTC);

	for (guint i = first + 1; i < self->stores->len; i++) {
		int64_t a, b, difference;

		if (!store_fact_signed(store_at(self, first), FACT_WALL_UTC, &a) ||
		    !store_fact_signed(store_at(self, i), FACT_WALL_UTC, &b))
			continue;
		if (!__builtin_sub_overflow(a, b, &difference) && difference <= SAME_BOOT_NS &&
		    difference >= -SAME_BOOT_NS)
			continue;
		return fail(error, FLAMEBEAT_ERROR_USAGE,
			    "%s and %s are of two boots, whose clocks have nothing in "
			    "common; " CONCAT_HINT,
			    (const char *)g_ptr_array_index(self->paths, first),
			    (const char *)g_ptr_array_index(self->paths, i));
	}
	return true;
}

static bool check_hosts(const TimeLine *self, GError **error)
{
	guint first = first_with(self, "hostname");

	for (guint i = first + 1; i < self->stores->len; i++) {
		Text a = store_fact(store_at(self, first), "hostname");
		Text b = store_fact(store_at(self, i), "hostname");

		if (b.len > 0 && !text_equal(a, b))
			return fail(error, FLAMEBEAT_ERROR_USAGE,
				    "%s and %s are of two hosts (%.*s, %.*s) and not all inputs "
				    "tell the wall clock; " CONCAT_HINT,
				    (const char *)g_ptr_array_index(self->paths, first),
				    (const char *)g_ptr_array_index(self->paths, i), (int)a.len,
				    a.data, (int)b.len, b.data);
	}
	return true;
}

/* A folded weight is a number of samples, a period is not: they cannot be added up. */
static bool check_weights(const TimeLine *self, GError **error)
{
	for (guint i = 1; i < self->stores->len; i++)
		if (store_fact_count(store_at(self, i), FACT_WEIGHTED) !=
		    store_fact_count(store_at(self, 0), FACT_WEIGHTED))
			return fail(error, FLAMEBEAT_ERROR_USAGE,
				    "%s and %s: folded stacks and samples of perf cannot be one "
				    "recording; give one kind",
				    (const char *)g_ptr_array_index(self->paths, 0),
				    (const char *)g_ptr_array_index(self->paths, i));
	return true;
}

static void note_hosts(const TimeLine *self, Notes *notes)
{
	Text first = store_fact(store_at(self, 0), "hostname");

	for (guint i = 1; i < self->stores->len; i++) {
		Text other = store_fact(store_at(self, i), "hostname");

		if (!text_equal(first, other))
			notes_add(notes, "%s is of host %.*s, %s of %.*s: placed by the wall clock",
				  (const char *)g_ptr_array_index(self->paths, 0), (int)first.len,
				  first.data, (const char *)g_ptr_array_index(self->paths, i),
				  (int)other.len, other.data);
	}
}

bool time_line_place(TimeLine *self, bool is_concatenated, Notes *notes, GError **error)
{
	if (!check_weights(self, error))
		return false;
	if (is_concatenated) {
		lay_end_to_end(self);
		return true;
	}
	if (place_by(self, FACT_WALL_UTC) || place_by(self, FACT_WALL_LOCAL)) {
		note_hosts(self, notes);
		return true;
	}
	memset(self->shifts_ns, 0, self->stores->len * sizeof(*self->shifts_ns));
	return check_hosts(self, error) && check_boots(self, error);
}
