/* SPDX-License-Identifier: MIT */
/* Reading a store: names by id, facts, times. */

#include "store/store.h"

#include "store/error.h"
#include "store/limits.h"
#include "store/store-file.h"

Store *store_ref(Store *self)
{
	g_atomic_int_inc(&self->n_more_refs);
	return self;
}

void store_free(Store *self)
{
	if (self == NULL || g_atomic_int_add(&self->n_more_refs, -1) > 0)
		return;
	self->release(self);
	g_free(self);
}

Text store_string(const Store *self, uint32_t id)
{
	const Column *offsets = &self->columns[SECTION_STRING_OFFSET];
	const char *bytes = (const char *)self->columns[SECTION_STRING_BYTES].data;
	uint64_t begin = column_get(offsets, id);

	return (Text){ bytes + begin, column_get(offsets, (uint64_t)id + 1) - begin };
}

static Text string_of(const Store *self, StoreSection section, uint32_t row)
{
	return store_string(self, (uint32_t)column_get(&self->columns[section], row));
}

StoreFrame store_frame(const Store *self, uint32_t id)
{
	StoreFrame frame = {
		.symbol = string_of(self, SECTION_FRAME_SYMBOL, id),
		.dso = string_of(self, SECTION_FRAME_DSO, id),
		.address = column_get(&self->columns[SECTION_FRAME_ADDRESS], id),
		.flags = (uint32_t)column_get(&self->columns[SECTION_FRAME_FLAGS], id),
	};

	if (frame.flags & FRAME_AT_LINE) {
		frame.line = store_string(self, (uint32_t)frame.address);
		frame.address = 0;
		frame.flags &= ~FRAME_AT_LINE;
	}
	return frame;
}

StoreThread store_thread(const Store *self, uint32_t id)
{
	return (StoreThread){
		.comm = string_of(self, SECTION_THREAD_COMM, id),
		.pid = (int32_t)column_get(&self->columns[SECTION_THREAD_PID], id),
		.tid = (int32_t)column_get(&self->columns[SECTION_THREAD_TID], id),
	};
}

Text store_event_name(const Store *self, uint32_t id)
{
	return string_of(self, SECTION_EVENT_NAME, id);
}

Text store_fact(const Store *self, const char *key)
{
	Text wanted = text_from(key);
	uint32_t low = 0, high = store_n_facts(self);

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		int order = text_compare(string_of(self, SECTION_FACT_KEY, middle), wanted);

		if (order == 0)
			return string_of(self, SECTION_FACT_VALUE, middle);
		if (order < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return TEXT("");
}

Text store_fact_key(const Store *self, uint32_t i)
{
	return string_of(self, SECTION_FACT_KEY, i);
}

Text store_fact_value(const Store *self, uint32_t i)
{
	return string_of(self, SECTION_FACT_VALUE, i);
}

uint64_t store_fact_count(const Store *self, const char *key)
{
	Text value = store_fact(self, key);
	g_autofree char *text = g_strndup(value.data, value.len);

	return g_ascii_strtoull(text, NULL, 10);
}

bool store_fact_signed(const Store *self, const char *key, int64_t *value)
{
	Text text = store_fact(self, key);
	g_autofree char *copy = g_strndup(text.data, text.len);

	*value = CLAMP(g_ascii_strtoll(copy, NULL, 10), -(MAX_TIME_NS / 2), MAX_TIME_NS / 2);
	return text.len > 0;
}

int64_t store_start_ns(const Store *self)
{
	return self->start_ns;
}

int64_t store_last_ns(const Store *self)
{
	return self->last_ns;
}

uint64_t store_bucket_of(const Store *self, uint64_t i)
{
	uint64_t low = 0, high = self->n_buckets;

	while (high - low > 1) {
		uint64_t middle = low + (high - low) / 2;

		if (self->buckets[middle].first <= i)
			low = middle;
		else
			high = middle;
	}
	return low;
}

/* Row of the first bucket that ends after `time_ns`. */
static uint64_t bucket_at(const Store *self, int64_t time_ns)
{
	int64_t number = time_ns / self->bucket_ns - (time_ns % self->bucket_ns < 0);
	uint64_t low = 0, high = self->n_buckets;

	while (low < high) {
		uint64_t middle = low + (high - low) / 2;

		if (self->buckets[middle].number < number)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static uint64_t bucket_end(const Store *self, uint64_t bucket)
{
	return bucket + 1 < self->n_buckets ? self->buckets[bucket + 1].first : self->n_timed;
}

bool store_lower_bound(const Store *self, int64_t time_ns, uint64_t *index, GError **error)
{
	uint64_t bucket = bucket_at(self, time_ns), low, high;

	*index = self->n_timed;
	if (bucket >= self->n_buckets)
		return true;
	low = self->buckets[bucket].first;
	high = bucket_end(self, bucket);
	if (!store_touch(self, SECTION_TIME, low, high - low, error))
		return false;
	while (low < high) {
		uint64_t middle = low + (high - low) / 2;

		if (store_time_ns(self, middle, bucket) < time_ns)
			low = middle + 1;
		else
			high = middle;
	}
	*index = low;
	return true;
}

bool store_touch(const Store *self, StoreSection section, uint64_t first, uint64_t n,
		 GError **error)
{
	return self->file == NULL || store_file_touch(self, section, first, n, error);
}

bool store_fail_sample(uint64_t i, GError **error)
{
	return fail(error, FLAMEBEAT_ERROR_DAMAGED,
		    "the store is damaged (sample %" G_GUINT64_FORMAT
		    " refers to what is not there); make it anew with `flamebeat ingest`",
		    i);
}
