/* SPDX-License-Identifier: MIT */
/*
 * Stores from hostile files: opened, verified, walked, written anew, appended. An input is a whole
 * `*.beat` file. Checksums would keep a fuzzer out for ever, so the mutator takes the file apart,
 * changes a field, a column or the bucket index, and puts it together with the right places,
 * lengths and checksums; now and then it leaves something wrong.
 */

#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "parse/load.h"
#include "store/error.h"
#include "store/store-layout.h"
#include "tests/fuzz/fuzz.h"

/* A file of a kilobyte can claim 4 billion samples in columns of width 0. */
#define MAX_APPENDED 5000

/* --- the target -------------------------------------------------------------------------- */

static Store *open_bytes(const uint8_t *data, size_t size)
{
	g_autoptr(GBytes) bytes = g_bytes_new(data, size);
	GError *error = NULL;
	Store *store = store_open_bytes(bytes, "fuzz", &error);

	if (error != NULL)
		g_assert_true(error->code == FLAMEBEAT_ERROR_DAMAGED ||
			      error->code == FLAMEBEAT_ERROR_LIMIT);
	return fuzz_check(store != NULL, error) ? store : NULL;
}

/* Lookups that walk() does not do, at the edges. */
static void look_up(const Store *store)
{
	int64_t times[] = { INT64_MIN, -1, 0, store->start_ns, store->last_ns, INT64_MAX };

	for (size_t i = 0; i < G_N_ELEMENTS(times); i++) {
		uint64_t index = 0;
		GError *error = NULL;

		if (fuzz_check(store_lower_bound(store, times[i], &index, &error), error))
			g_assert_true(index <= store->n_timed);
	}
	for (uint32_t i = 0; i < store_n_facts(store); i++) {
		Text key = store_fact_key(store, i);
		g_autofree char *name = g_strndup(key.data, key.len);
		int64_t value;

		store_fact_signed(store, name, &value);
	}
}

/* What is written of a store can be opened. */
static void write_anew(const Store *store)
{
	g_autoptr(GBytes) bytes = fuzz_store_bytes(store);
	g_autoptr(Store) again = NULL;
	size_t size;
	const uint8_t *data;

	if (bytes == NULL)
		return;
	data = g_bytes_get_data(bytes, &size);
	again = open_bytes(data, size);
	g_assert_nonnull(again);
	g_assert_true(store_verify(again, NULL));
}

/* The file and a copy of it as one recording, through the door that the program uses. */
static void append(const uint8_t *data, size_t size, FuzzChoices *choices)
{
	LoadSettings settings = { .is_concatenated = fuzz_choose(choices, 2) == 0 };
	char *paths[] = { (char *)fuzz_file(0, data, size), (char *)fuzz_file(1, data, size),
			  NULL };
	g_autoptr(Notes) notes = notes_new();
	GError *error = NULL;
	g_autoptr(Store) sum = load_recording(paths, &settings, notes, &error);

	if (fuzz_check(sum != NULL, error))
		fuzz_walk(sum, choices, FUZZ_SOUND);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	FuzzChoices choices = fuzz_choices(data, size);
	bool is_verified = fuzz_choose(&choices, 2) == 0;
	g_autoptr(Store) store = open_bytes(data, size);
	GError *error = NULL;

	if (store == NULL)
		return 0;
	if (is_verified && !fuzz_check(store_verify(store, &error), error))
		return 0;
	look_up(store);
	fuzz_walk(store, &choices, 0);
	write_anew(store);
	if (store->n_samples <= MAX_APPENDED)
		append(data, size, &choices);
	return 0;
}

/* --- a file in parts --------------------------------------------------------------------- */

#define PART_BYTES 8192 /* of one section; mutated files stay small */

typedef struct {
	StoreHeader header;
	StoreSectionEntry entries[N_SECTIONS];
	GArray *buckets; /* of StoreBucket */
	uint8_t bytes[N_SECTIONS][PART_BYTES];
	size_t n_bytes[N_SECTIONS]; /* of values, as far as it is there and fits */
} Parts;

static size_t section_length(const StoreSectionEntry *entry)
{
	uint64_t length;

	if (__builtin_mul_overflow(entry->n, entry->width, &length))
		return PART_BYTES;
	return (size_t)MIN(column_bytes(entry->n, entry->width), PART_BYTES);
}

/* False where there is too little to take apart. */
static bool parts_read(Parts *self, const uint8_t *data, size_t size)
{
	size_t index = sizeof(self->header) + sizeof(self->entries);
	uint64_t sums;

	if (size < index)
		return false;
	memcpy(&self->header, data, sizeof(self->header));
	memcpy(self->entries, data + sizeof(self->header), sizeof(self->entries));
	sums = self->header.n_blocks;
	if (sums > size / 8 || self->header.n_buckets > size / sizeof(StoreBucket) ||
	    index + sums * 8 + self->header.n_buckets * sizeof(StoreBucket) > size)
		return false;
	g_array_append_vals(self->buckets, data + index + sums * 8, (guint)self->header.n_buckets);
	for (int i = 0; i < N_SECTIONS; i++) {
		const StoreSectionEntry *entry = &self->entries[i];
		size_t length = section_length(entry);

		if (entry->offset < size)
			memcpy(self->bytes[i], data + entry->offset,
			       MIN(length, size - entry->offset));
		self->n_bytes[i] = length;
	}
	return true;
}

/* Places, lengths and numbers of blocks that fit the sections. */
static size_t parts_plan(Parts *self)
{
	StoreHeader *header = &self->header;
	uint64_t offset;

	header->n_buckets = self->buckets->len;
	header->n_blocks = N_SECTIONS; /* PART_BYTES and padding are less than a block */
	header->index_bytes = sizeof(self->entries) + header->n_blocks * sizeof(uint64_t) +
			      header->n_buckets * sizeof(StoreBucket);
	offset = sizeof(*header) + header->index_bytes;
	for (int i = 0; i < N_SECTIONS; i++) {
		self->entries[i].offset = offset;
		offset += store_section_bytes(self->n_bytes[i], 8);
	}
	header->file_bytes = offset;
	return (size_t)offset;
}

/* Size of the file put into `data`; 0 where it would not fit. */
static size_t parts_write(Parts *self, uint8_t *data, size_t max_size)
{
	size_t size = parts_plan(self), at = sizeof(self->header);
	uint64_t sums[N_SECTIONS];

	if (size > max_size)
		return 0;
	memset(data, 0, size);
	for (int i = 0; i < N_SECTIONS; i++) {
		uint8_t *section = data + self->entries[i].offset;

		memcpy(section, self->bytes[i], self->n_bytes[i]);
		sums[i] = XXH3_64bits(section, store_section_bytes(self->n_bytes[i], 8));
	}
	memcpy(data + at, self->entries, sizeof(self->entries));
	at += sizeof(self->entries);
	memcpy(data + at, sums, sizeof(sums));
	at += sizeof(sums);
	if (self->buckets->len > 0)
		memcpy(data + at, self->buckets->data, self->buckets->len * sizeof(StoreBucket));
	self->header.checksum = 0;
	memcpy(data, &self->header, sizeof(self->header));
	self->header.checksum = XXH3_64bits(data, sizeof(self->header) + self->header.index_bytes);
	memcpy(data, &self->header, sizeof(self->header));
	return size;
}

/* --- changes ----------------------------------------------------------------------------- */

static uint64_t wide(FuzzChoices *choices)
{
	return (uint64_t)fuzz_choose(choices, UINT32_MAX) << 32 | fuzz_choose(choices, UINT32_MAX);
}

/* A number near `old`, or one where something ends. */
static uint64_t new_number(FuzzChoices *choices, uint64_t old)
{
	static const uint64_t edges[] = {
		0,
		1,
		2,
		255,
		65535,
		INT32_MAX,
		0x80000000ull,
		UINT32_MAX,
		UINT32_MAX - 1,
		0xfffffff0ull,
		1ull << 32,
		INT64_MAX,
		1ull << 63,
		UINT64_MAX,
		500000000ull,
		1000ull,
		1000000000ull,
		INT64_MAX - 1,
		1ull << 62,
		4096,
	};

	switch (fuzz_choose(choices, 4)) {
	case 0:
		return old + 1;
	case 1:
		return old - 1;
	case 2:
		return edges[fuzz_choose(choices, G_N_ELEMENTS(edges))];
	default:
		return wide(choices) >> fuzz_choose(choices, 64);
	}
}

static void change_header(Parts *self, FuzzChoices *choices)
{
	StoreHeader *header = &self->header;
	uint64_t *fields[] = { &header->n_samples,
			       &header->n_timed,
			       (uint64_t *)&header->bucket_ns,
			       (uint64_t *)&header->tick_ns,
			       (uint64_t *)&header->start_ns,
			       (uint64_t *)&header->last_ns };
	uint64_t *field = fields[fuzz_choose(choices, G_N_ELEMENTS(fields))];

	*field = new_number(choices, *field);
}

/* The sample columns together, so that their lengths agree. */
static void change_n_samples(Parts *self, FuzzChoices *choices)
{
	uint64_t n = fuzz_choose(choices, 8) == 0 ? new_number(choices, self->header.n_samples)
						  : fuzz_choose(choices, 64);
	uint64_t n_timed = fuzz_choose(choices, 2) == 0 ? n : MIN(n, self->header.n_timed);

	self->header.n_samples = n;
	self->header.n_timed = n_timed;
	for (int i = SECTION_TIME; i <= SECTION_PERIOD; i++) {
		self->entries[i].n = i == SECTION_TIME ? n_timed : n;
		self->n_bytes[i] = section_length(&self->entries[i]);
	}
}

static void change_entry(Parts *self, FuzzChoices *choices, int section)
{
	StoreSectionEntry *entry = &self->entries[section];

	switch (fuzz_choose(choices, 3)) {
	case 0:
		entry->n = new_number(choices, entry->n);
		break;
	case 1:
		entry->base = new_number(choices, entry->base);
		break;
	default:
		entry->width = fuzz_choose(choices, 66);
	}
	self->n_bytes[section] = section_length(entry);
}

static void change_values(Parts *self, FuzzChoices *choices, int section)
{
	StoreSectionEntry *entry = &self->entries[section];
	size_t room = MIN(self->n_bytes[section] + 16, PART_BYTES), n = self->n_bytes[section];
	bool is_resized = fuzz_choose(choices, 4) == 0 && entry->width > 0 && entry->width <= 64;

	if (n == 0 && !is_resized)
		return;
	n = LLVMFuzzerMutate(self->bytes[section], n, is_resized ? room : n);
	if (!is_resized) /* what the mutation took off at the end is still there */
		return;
	memset(self->bytes[section] + n, 0, PART_BYTES - n);
	entry->n = n * 8 / entry->width;
	self->n_bytes[section] = section_length(entry);
}

static void change_buckets(Parts *self, FuzzChoices *choices)
{
	StoreBucket *bucket, added = { 0 };
	guint i;

	if (self->buckets->len == 0 || fuzz_choose(choices, 6) == 0) {
		if (self->buckets->len > 0)
			added = g_array_index(self->buckets, StoreBucket, self->buckets->len - 1);
		added.number = (int64_t)((uint64_t)added.number + 1);
		added.first++;
		g_array_append_val(self->buckets, added);
		return;
	}
	i = fuzz_choose(choices, self->buckets->len);
	bucket = &g_array_index(self->buckets, StoreBucket, i);
	if (fuzz_choose(choices, 6) == 0)
		g_array_remove_index(self->buckets, i);
	else if (fuzz_choose(choices, 2) == 0)
		bucket->number = (int64_t)new_number(choices, (uint64_t)bucket->number);
	else
		bucket->first = new_number(choices, bucket->first);
}

static void change_parts(Parts *self, FuzzChoices *choices)
{
	int section = (int)fuzz_choose(choices, N_SECTIONS);

	switch (fuzz_choose(choices, 8)) {
	case 0:
		change_header(self, choices);
		break;
	case 1:
		change_n_samples(self, choices);
		break;
	case 2:
		change_entry(self, choices, section);
		break;
	case 3:
		change_buckets(self, choices);
		break;
	case 4:
		change_values(self, choices, SECTION_STRING_BYTES);
		break;
	default:
		change_values(self, choices, section);
	}
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned int seed)
{
	FuzzChoices choices = { seed };
	g_autofree Parts *parts = g_new0(Parts, 1);
	size_t n = 0;

	parts->buckets = g_array_new(FALSE, TRUE, sizeof(StoreBucket));
	if (fuzz_choose(&choices, 32) != 0 && parts_read(parts, data, size)) {
		for (uint32_t i = 1 + fuzz_choose(&choices, 3); i-- > 0;)
			change_parts(parts, &choices);
		n = parts_write(parts, data, max_size);
	}
	g_array_unref(parts->buckets);
	return n > 0 ? n : LLVMFuzzerMutate(data, size, max_size);
}
