/* SPDX-License-Identifier: MIT */
/*
 * Opening a store. Nothing is believed before it was checked: first the sizes, then the checksum
 * of header and index, then the bounds of every section, then checksums and contents of the tables
 * (every id in them must exist). Sample columns are checked block by block when touched; their
 * values are checked by who decodes them (selection.c).
 */

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "store/error.h"
#include "store/limits.h"
#include "store/store-layout.h"

struct StoreFile {
	char *name;
	const uint8_t *bytes;
	size_t n_bytes;
	GBytes *owner;			       /* keeps the bytes; NULL when mapped */
	StoreSectionEntry entries[N_SECTIONS]; /* with widths in bits, whatever the version */
	const uint64_t *sums;
	uint64_t first_sum[N_SECTIONS];
	uint8_t *is_verified; /* a flag a block; set more than once at worst */
};

/* Samples that all of a file may hold beyond one a byte: identical ones take none. */
#define MAX_FREE_SAMPLES (1u << 20)

static const char *const section_names[] = {
	"time",	       "stack",		"thread",	 "cpu",		 "event",
	"period",      "cgroup",	"string offset", "string",	 "frame symbol",
	"frame dso",   "frame address", "frame flags",	 "stack parent", "stack frame",
	"thread comm", "thread pid",	"thread tid",	 "event name",	 "fact key",
	"fact value",
};
G_STATIC_ASSERT(G_N_ELEMENTS(section_names) == N_SECTIONS);

const char *store_section_name(StoreSection section)
{
	return section_names[section];
}

static bool damaged(const struct StoreFile *file, const char *what, GError **error)
{
	return fail(error, FLAMEBEAT_ERROR_DAMAGED,
		    "%s: the store is damaged (%s); make it anew with `flamebeat ingest`",
		    file->name, what);
}

static bool damaged_section(const struct StoreFile *file, int section, const char *what,
			    GError **error)
{
	g_autofree char *text = g_strdup_printf("section '%s': %s", section_names[section], what);

	return damaged(file, text, error);
}

/* --- header and index -------------------------------------------------------------------- */

static bool check_header(const struct StoreFile *file, const StoreHeader *header, GError **error)
{
	if (memcmp(header->magic, STORE_MAGIC, STORE_MAGIC_LEN) != 0)
		return damaged(file, "it does not begin as a store does", error);
	if (header->version > STORE_VERSION)
		return fail(error, FLAMEBEAT_ERROR_DAMAGED,
			    "%s: the store has version %u, this flamebeat reads up to %u; "
			    "use a newer flamebeat",
			    file->name, header->version, STORE_VERSION);
	if (header->version == 0 || header->n_sections != N_SECTIONS)
		return damaged(file, "its version makes no sense", error);
	if (header->file_bytes != file->n_bytes)
		return damaged(file, "it is not as long as it says: cut off?", error);
	if (header->index_bytes > file->n_bytes - sizeof(*header))
		return damaged(file, "its index is longer than the file", error);
	return true;
}

static bool check_sum(const struct StoreFile *file, const StoreHeader *header, GError **error)
{
	StoreHeader blank = *header;
	XXH3_state_t state;

	blank.checksum = 0;
	XXH3_64bits_reset(&state);
	XXH3_64bits_update(&state, &blank, sizeof(blank));
	XXH3_64bits_update(&state, file->bytes + sizeof(blank), header->index_bytes);
	if (XXH3_64bits_digest(&state) != header->checksum)
		return damaged(file, "checksum of header and index", error);
	return true;
}

/* The index must be exactly as long as what it says is in it. */
static bool check_index_size(const struct StoreFile *file, const StoreHeader *header,
			     GError **error)
{
	uint64_t sums, buckets, total;

	if (__builtin_mul_overflow(header->n_blocks, sizeof(uint64_t), &sums) ||
	    __builtin_mul_overflow(header->n_buckets, sizeof(StoreBucket), &buckets) ||
	    __builtin_add_overflow(sums, buckets, &total) ||
	    __builtin_add_overflow(total, N_SECTIONS * sizeof(StoreSectionEntry), &total) ||
	    total != header->index_bytes)
		return damaged(file, "size of the index", error);
	return true;
}

static bool check_section(const struct StoreFile *file, int i, uint64_t *offset, GError **error)
{
	const StoreSectionEntry *entry = &file->entries[i];
	uint64_t bits;

	if (!column_width_is_valid(entry->width) || entry->offset != *offset)
		return damaged_section(file, i, "place or width", error);
	/* A constant column has no bytes that would bound its length. */
	if (entry->n > UINT32_MAX && i != SECTION_STRING_BYTES)
		return damaged_section(file, i, "length", error);
	if (__builtin_mul_overflow(entry->n, entry->width, &bits) || bits / 8 > file->n_bytes ||
	    store_section_bytes(entry->n, entry->width) > file->n_bytes - *offset)
		return damaged_section(file, i, "it ends beyond the file", error);
	*offset += store_section_bytes(entry->n, entry->width);
	return true;
}

static bool check_sections(struct StoreFile *file, const StoreHeader *header, GError **error)
{
	uint64_t offset = sizeof(*header) + header->index_bytes, n_blocks = 0;

	for (int i = 0; i < N_SECTIONS; i++) {
		const StoreSectionEntry *entry = &file->entries[i];

		if (!check_section(file, i, &offset, error))
			return false;
		file->first_sum[i] = n_blocks;
		n_blocks += store_section_blocks(entry->n, entry->width);
	}
	if (offset != file->n_bytes || n_blocks != header->n_blocks)
		return damaged(file, "its sections do not fill it", error);
	return true;
}

/* Times come from buckets: their product must not overflow. */
static bool check_buckets(const struct StoreFile *file, const StoreHeader *header,
			  const StoreBucket *buckets, GError **error)
{
	uint64_t n = header->n_timed;
	int64_t most = header->bucket_ns > 0 ? MAX_TIME_NS / header->bucket_ns + 1 : 0;
	bool ok = header->bucket_ns > 0 && (header->tick_ns == 1 || header->tick_ns == 1000) &&
		  n <= header->n_samples && (n == 0) == (header->n_buckets == 0) &&
		  header->start_ns <= header->last_ns && header->start_ns >= MIN_TIME_NS &&
		  header->last_ns <= MAX_TIME_NS && header->bucket_ns <= MAX_TIME_NS;

	for (uint64_t i = 0; ok && i < header->n_buckets; i++) {
		ok = buckets[i].first < n && buckets[i].number >= -most &&
		     buckets[i].number <= most;
		ok = ok && (i == 0 ? buckets[i].first == 0
				   : buckets[i].first > buckets[i - 1].first &&
					     buckets[i].number > buckets[i - 1].number);
	}
	return ok || damaged(file, "its bucket index", error);
}

/* --- blocks ------------------------------------------------------------------------------ */

static bool verify_blocks(struct StoreFile *file, StoreSection section, uint64_t first,
			  uint64_t end, GError **error)
{
	const StoreSectionEntry *entry = &file->entries[section];
	uint64_t n_bytes = store_section_bytes(entry->n, entry->width);

	for (uint64_t b = first; b < end; b++) {
		uint64_t sum = file->first_sum[section] + b, begin = b * STORE_BLOCK;
		const uint8_t *data = file->bytes + entry->offset + begin;

		if (__atomic_load_n(&file->is_verified[sum], __ATOMIC_RELAXED))
			continue;
		if (XXH3_64bits(data, MIN(STORE_BLOCK, n_bytes - begin)) != file->sums[sum])
			return damaged_section(file, (int)section, "checksum", error);
		__atomic_store_n(&file->is_verified[sum], 1, __ATOMIC_RELAXED);
	}
	return true;
}

static bool verify_section(struct StoreFile *file, StoreSection section, GError **error)
{
	const StoreSectionEntry *entry = &file->entries[section];

	return verify_blocks(file, section, 0, store_section_blocks(entry->n, entry->width), error);
}

bool store_file_touch(const Store *self, StoreSection section, uint64_t first, uint64_t n,
		      GError **error)
{
	uint64_t width = self->columns[section].width;

	if (n == 0 || width == 0)
		return true;
	return verify_blocks(self->file, section, first * width / 8 / STORE_BLOCK,
			     ((first + n) * width - 1) / 8 / STORE_BLOCK + 1, error);
}

bool store_verify(const Store *self, GError **error)
{
	if (self->file == NULL)
		return true;
	for (int i = 0; i < N_SECTIONS; i++)
		if (!verify_section(self->file, (StoreSection)i, error))
			return false;
	return true;
}

/* --- tables ------------------------------------------------------------------------------ */

/* Every value of `section` must be below `limit`. */
static bool check_ids(const Store *store, StoreSection section, uint64_t limit, GError **error)
{
	const Column *column = &store->columns[section];

	for (uint64_t i = 0; i < (column->width > 0 ? column->n : MIN(column->n, 1)); i++)
		if (column_get(column, i) >= limit)
			return damaged_section(store->file, (int)section, "an id that is not there",
					       error);
	return true;
}

/* The lines of frames are strings in the column of addresses. */
static bool check_lines(const Store *store, uint64_t n_strings, GError **error)
{
	const Column *flags = &store->columns[SECTION_FRAME_FLAGS];
	const Column *addresses = &store->columns[SECTION_FRAME_ADDRESS];

	for (uint64_t i = 0; i < flags->n; i++)
		if ((column_get(flags, i) & FRAME_AT_LINE) != 0 &&
		    column_get(addresses, i) >= n_strings)
			return damaged_section(store->file, SECTION_FRAME_ADDRESS,
					       "an id that is not there", error);
	return true;
}

static bool check_strings(const Store *store, GError **error)
{
	const Column *offsets = &store->columns[SECTION_STRING_OFFSET];
	const Column *bytes = &store->columns[SECTION_STRING_BYTES];
	uint64_t last = 0;

	if (offsets->n < 2 || column_get(offsets, 0) != 0 || bytes->base != 0 || bytes->width != 8)
		return damaged_section(store->file, SECTION_STRING_OFFSET, "shape", error);
	for (uint64_t i = 0; i < offsets->n; i++) {
		uint64_t end = column_get(offsets, i);

		if (end < last || end > bytes->n)
			return damaged_section(store->file, SECTION_STRING_OFFSET, "order", error);
		last = end;
	}
	return true;
}

static bool check_stacks(const Store *store, GError **error)
{
	const Column *parents = &store->columns[SECTION_STACK_PARENT];

	if (parents->n == 0 || column_get(parents, 0) != 0 ||
	    (parents->n > 1 && store_n_frames(store) == 0))
		return damaged_section(store->file, SECTION_STACK_PARENT, "the empty stack", error);
	for (uint64_t i = 1; i < parents->n; i++)
		if (column_get(parents, i) >= i)
			return damaged_section(store->file, SECTION_STACK_PARENT, "order", error);
	return true;
}

/* Columns of one table are equally long. */
static bool check_lengths(const Store *store, GError **error)
{
	static const StoreSection twins[][2] = {
		{ SECTION_FRAME_SYMBOL, SECTION_FRAME_DSO },
		{ SECTION_FRAME_SYMBOL, SECTION_FRAME_ADDRESS },
		{ SECTION_FRAME_SYMBOL, SECTION_FRAME_FLAGS },
		{ SECTION_STACK_PARENT, SECTION_STACK_FRAME },
		{ SECTION_THREAD_COMM, SECTION_THREAD_PID },
		{ SECTION_THREAD_COMM, SECTION_THREAD_TID },
		{ SECTION_FACT_KEY, SECTION_FACT_VALUE },
	};

	for (size_t i = 0; i < G_N_ELEMENTS(twins); i++)
		if (store->columns[twins[i][0]].n != store->columns[twins[i][1]].n)
			return damaged_section(store->file, (int)twins[i][1], "length", error);
	/* Rows of a table differ, so that one of its columns has bytes; what is reserved for the
	 * rows must not be more than a file of this size can hold. */
	for (int i = SECTION_STRING_OFFSET; i < N_SECTIONS; i++)
		if (store->columns[i].n > store->file->n_bytes)
			return damaged_section(store->file, i, "length", error);
	for (int i = SECTION_STACK; i <= SECTION_CGROUP; i++)
		if (store->columns[i].n != store->n_samples)
			return damaged_section(store->file, i, "length", error);
	/* Columns of one value have no bytes that would bound their number. */
	if (store->n_samples > store->file->n_bytes + MAX_FREE_SAMPLES)
		return damaged_section(store->file, SECTION_STACK, "length", error);
	if (store->columns[SECTION_TIME].n != store->n_timed)
		return damaged_section(store->file, SECTION_TIME, "length", error);
	return true;
}

/* Facts are looked up by halving; stacks are walked to the root. */
static bool check_facts(const Store *store, GError **error)
{
	for (uint32_t i = 1; i < store_n_facts(store); i++)
		if (text_compare(store_fact_key(store, i - 1), store_fact_key(store, i)) >= 0)
			return damaged_section(store->file, SECTION_FACT_KEY, "order", error);
	return store_n_events(store) <= MAX_EVENTS ||
	       damaged_section(store->file, SECTION_EVENT_NAME, "length", error);
}

static bool check_depths(const Store *store, GError **error)
{
	uint32_t n = store_n_stacks(store);
	g_autofree uint32_t *depths = g_try_new0(uint32_t, n);

	if (depths == NULL)
		return fail(error, FLAMEBEAT_ERROR_LIMIT, "%s: out of memory", store->file->name);
	for (uint32_t i = 1; i < n; i++) {
		depths[i] = depths[store_stack_parent(store, i)] + 1;
		if (depths[i] > MAX_MAX_FRAMES + 1)
			return damaged_section(store->file, SECTION_STACK_PARENT, "depth", error);
	}
	return true;
}

static bool check_tables(const Store *store, GError **error)
{
	uint64_t n_strings;

	for (int i = SECTION_STRING_OFFSET; i < N_SECTIONS; i++)
		if (!verify_section(store->file, (StoreSection)i, error))
			return false;
	if (!check_lengths(store, error) || !check_strings(store, error))
		return false;
	n_strings = store->columns[SECTION_STRING_OFFSET].n - 1;
	return check_ids(store, SECTION_FRAME_SYMBOL, n_strings, error) &&
	       check_ids(store, SECTION_FRAME_DSO, n_strings, error) &&
	       check_ids(store, SECTION_THREAD_COMM, n_strings, error) &&
	       check_ids(store, SECTION_EVENT_NAME, n_strings, error) &&
	       check_ids(store, SECTION_FACT_KEY, n_strings, error) &&
	       check_ids(store, SECTION_FACT_VALUE, n_strings, error) &&
	       check_ids(store, SECTION_STACK_FRAME, MAX(store_n_frames(store), 1), error) &&
	       check_lines(store, n_strings, error) && check_stacks(store, error) &&
	       check_depths(store, error) && check_facts(store, error);
}

/* --- opening ----------------------------------------------------------------------------- */

static void release_file(Store *store)
{
	struct StoreFile *file = store->file;

	if (file->owner != NULL)
		g_bytes_unref(file->owner);
	else if (file->bytes != NULL)
		munmap((void *)file->bytes, file->n_bytes);
	g_free(file->name);
	g_free(file->is_verified);
	g_free(file);
}

static void set_columns(Store *store, const StoreHeader *header)
{
	const struct StoreFile *file = store->file;

	store->n_samples = header->n_samples;
	store->n_timed = header->n_timed;
	store->n_buckets = header->n_buckets;
	store->bucket_ns = header->bucket_ns;
	store->tick_ns = header->tick_ns;
	store->start_ns = header->start_ns;
	store->last_ns = header->last_ns;
	store->buckets = (const StoreBucket *)(file->sums + header->n_blocks);
	for (int i = 0; i < N_SECTIONS; i++) {
		const StoreSectionEntry *entry = &file->entries[i];

		store->columns[i] = (Column){ .data = file->bytes + entry->offset,
					      .n = entry->n,
					      .base = entry->base,
					      .width = (uint8_t)entry->width };
	}
}

/* In version 1, widths are in bytes. */
static void copy_entries(struct StoreFile *file, const StoreHeader *header)
{
	memcpy(file->entries, header + 1, sizeof(file->entries));
	for (int i = 0; header->version == 1 && i < N_SECTIONS; i++)
		file->entries[i].width =
			file->entries[i].width <= 8 ? file->entries[i].width * 8 : UINT64_MAX;
}

static bool check(Store *store, GError **error)
{
	struct StoreFile *file = store->file;
	const StoreHeader *header = (const StoreHeader *)file->bytes;

	if (file->n_bytes < sizeof(*header))
		return damaged(file, "it is shorter than a store's header: cut off?", error);
	if (!check_header(file, header, error) || !check_sum(file, header, error) ||
	    !check_index_size(file, header, error))
		return false;
	copy_entries(file, header);
	file->sums = (const uint64_t *)((const StoreSectionEntry *)(header + 1) + N_SECTIONS);
	file->is_verified = g_try_malloc0(header->n_blocks + 1);
	if (file->is_verified == NULL)
		return fail(error, FLAMEBEAT_ERROR_LIMIT, "%s: out of memory", file->name);
	if (!check_sections(file, header, error))
		return false;
	set_columns(store, header);
	return check_buckets(file, header, store->buckets, error) && check_tables(store, error);
}

static Store *open_file(struct StoreFile *file, GError **error)
{
	g_autoptr(Store) store = g_new0(Store, 1);

	store->file = file;
	store->release = release_file;
	return check(store, error) ? g_steal_pointer(&store) : NULL;
}

Store *store_open_bytes(GBytes *bytes, const char *name, GError **error)
{
	struct StoreFile *file = g_new0(struct StoreFile, 1);

	file->name = g_strdup(name);
	file->owner = g_bytes_ref(bytes);
	file->bytes = g_bytes_get_data(bytes, &file->n_bytes);
	return open_file(file, error);
}

static void *map(int fd, const char *name, size_t *n_bytes, GError **error)
{
	void *bytes = NULL;
	struct stat info;

	if (fd >= 0 && fstat(fd, &info) == 0 && info.st_size > 0) {
		*n_bytes = (size_t)info.st_size;
		bytes = mmap(NULL, *n_bytes, PROT_READ, MAP_PRIVATE, fd, 0);
	}
	if (bytes != NULL && bytes != MAP_FAILED)
		return bytes;
	fail(error, FLAMEBEAT_ERROR_FAILED, "%s: %s", name,
	     fd >= 0 && bytes == NULL ? "empty file" : g_strerror(errno));
	return NULL;
}

Store *store_open_fd(int fd, const char *name, GError **error)
{
	size_t n_bytes = 0;
	void *bytes = map(fd, name, &n_bytes, error);
	struct StoreFile *file;

	if (bytes == NULL)
		return NULL;
	file = g_new0(struct StoreFile, 1);
	file->name = g_strdup(name);
	file->bytes = bytes;
	file->n_bytes = n_bytes;
	return open_file(file, error);
}

Store *store_open(const char *path, GError **error)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	Store *store = store_open_fd(fd, path, error);

	if (fd >= 0)
		close(fd);
	return store;
}
