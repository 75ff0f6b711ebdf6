/* SPDX-License-Identifier: MIT */
/* Paths to a store: recognise, then open or parse; several are appended to one another. */

#include "parse/load.h"

#include <sys/stat.h>

#include "parse/format.h"
#include "parse/input.h"
#include "parse/skips.h"
#include "store/append.h"
#include "store/builder.h"
#include "store/error.h"
#include "store/limits.h"
#include "store/store-file.h"

static bool set_max_frames(void *settings, const char *value, GError **error)
{
	gint64 n;

	if (!option_integer("max-frames", value, 1, MAX_MAX_FRAMES, &n, error))
		return false;
	((LoadSettings *)settings)->max_frames = (uint32_t)n;
	return true;
}

static bool set_concat(void *settings, const char *value, GError **error)
{
	((LoadSettings *)settings)->is_concatenated = true;
	return true;
}

static bool set_perf(void *settings, const char *value, GError **error)
{
	LoadSettings *self = settings;

	g_free(self->perf.program);
	self->perf.program = g_strdup(value);
	return true;
}

static bool set_symfs(void *settings, const char *value, GError **error)
{
	LoadSettings *self = settings;

	g_free(self->perf.symfs);
	self->perf.symfs = g_strdup(value);
	return true;
}

static bool set_kallsyms(void *settings, const char *value, GError **error)
{
	LoadSettings *self = settings;

	g_free(self->perf.kallsyms);
	self->perf.kallsyms = g_strdup(value);
	return true;
}

static bool set_force(void *settings, const char *value, GError **error)
{
	((LoadSettings *)settings)->perf.is_forced = true;
	return true;
}

void load_settings_clear(LoadSettings *self)
{
	g_clear_pointer(&self->perf.program, g_free);
	g_clear_pointer(&self->perf.symfs, g_free);
	g_clear_pointer(&self->perf.kallsyms, g_free);
}

const OptionRow load_options[] = {
	{ "concat", 0, NULL, "several inputs: lay them end to end, whatever their clocks say",
	  set_concat },
	{ "max-frames", 0, "N", "keep the N leaf-most frames of a stack (default: 8192)",
	  set_max_frames },
	{ "perf", 0, "PATH", "perf.data: the perf to read it with (default: perf on PATH)",
	  set_perf },
	{ "symfs", 0, "DIR", "perf.data: look for files with symbols below DIR", set_symfs },
	{ "kallsyms", 0, "FILE", "perf.data: the kernel's symbols", set_kallsyms },
	{ "force", 0, NULL, "perf.data: read it whoever owns it (perf's -f)", set_force },
	{ NULL, 0, NULL, NULL, NULL },
};

/* --- one input --------------------------------------------------------------------------- */

/* All that is left of `input`. */
static GBytes *read_all(Input *input, GError **error)
{
	g_autoptr(GByteArray) bytes = g_byte_array_new();
	g_autofree char *buffer = g_malloc(INPUT_PEEK);
	gssize n;

	while ((n = input_read(input, buffer, INPUT_PEEK, error)) > 0)
		g_byte_array_append(bytes, (const guint8 *)buffer, (guint)n);
	return n < 0 ? NULL : g_byte_array_free_to_bytes(g_steal_pointer(&bytes));
}

static Store *open_store(Input *input, GError **error)
{
	const char *path = input_plain_path(input);
	g_autoptr(GBytes) bytes = NULL;

	if (path != NULL)
		return store_open(path, error);
	bytes = read_all(input, error);
	return bytes != NULL ? store_open_bytes(bytes, input_name(input), error) : NULL;
}

/* What every reader of the text should hear. */
static void note_skips(const Input *input, const Skips *skips, const StoreBuilder *builder,
		       Notes *notes)
{
	/* perf's own messages are noise: all of the recording was read. */
	uint64_t total = skips_total(skips) - skips->counts[SKIP_MESSAGE];

	if (total > 0)
		notes_add_shortfall(notes,
				    "%s: %" G_GUINT64_FORMAT " samples; %" G_GUINT64_FORMAT
				    " lines skipped (first at line %" G_GUINT64_FORMAT
				    ": %s); `flamebeat info` lists them",
				    input_name(input), store_builder_n_samples(builder), total,
				    skips->examples[0].line,
				    skip_reason_name(skips->examples[0].reason));
}

static Store *parse_input(Input *input, Text head, const LoadSettings *settings, Notes *notes,
			  GError **error)
{
	g_autoptr(StoreBuilder) builder = store_builder_new();
	Skips skips = { .file = input_name(input) };
	uint32_t n_recorded = 0;
	ParseJob job = { .input = input,
			 .builder = builder,
			 .skips = &skips,
			 .notes = notes,
			 .perf = &settings->perf,
			 .max_frames = settings->max_frames != 0 ? settings->max_frames
								 : DEFAULT_MAX_FRAMES };
	int i = 0;

	while (formats[i + 1] != NULL && !formats[i]->probe(head))
		i++;
	if (!formats[i]->parse(&job, error))
		return NULL;
	note_skips(input, &skips, builder, notes);
	skips_record(&skips, builder, &n_recorded);
	return store_builder_finish(builder, error);
}

/* A store that is cut off within its first bytes, or with one of them damaged, is a damaged store
 * and no text. */
static bool looks_like_store(Text head)
{
	size_t n = MIN(head.len, STORE_MAGIC_LEN), n_same = 0;

	for (size_t i = 0; i < n; i++)
		n_same += head.data[i] == STORE_MAGIC[i];
	return n > 0 && n_same >= (n == STORE_MAGIC_LEN ? n - 2 : n);
}

static Store *load_one(const char *path, const LoadSettings *settings, Notes *notes, GError **error)
{
	g_autoptr(Input) input = input_open(path, notes, error);
	Text head;

	if (input == NULL || !input_peek(input, &head, error))
		return NULL;
	if (looks_like_store(head))
		return open_store(input, error);
	return parse_input(input, head, settings, notes, error);
}

/* --- several inputs ---------------------------------------------------------------------- */

/* The paths without those that are the same file as an earlier one. */
static GPtrArray *distinct_paths(char *const *paths, Notes *notes)
{
	GPtrArray *distinct = g_ptr_array_new();
	g_autoptr(GHashTable) seen = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);

	for (; *paths != NULL; paths++) {
		struct stat info;
		bool is_file = !g_str_equal(*paths, "-") && stat(*paths, &info) == 0;
		char *key = is_file ? g_strdup_printf("%llu:%llu", (unsigned long long)info.st_dev,
						      (unsigned long long)info.st_ino)
				    : g_strdup(*paths);

		if (g_hash_table_add(seen, key))
			g_ptr_array_add(distinct, *paths);
		else
			notes_add(notes, "%s: given twice, counted once", *paths);
	}
	return distinct;
}

/* --- one time line ----------------------------------------------------------------------- */

/* Recordings that are to become one, and how much later the samples of each are placed. */
typedef struct {
	const GPtrArray *paths;
	GPtrArray *stores;
	int64_t *shifts_ns;
} Line;

static const Store *store_at(const Line *self, guint i)
{
	return g_ptr_array_index(self->stores, i);
}

/* Whether each of them tells `fact`; then they can be placed by it, on the first one's clock. */
static bool place_by(Line *self, const char *fact)
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
static void lay_end_to_end(Line *self)
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
static guint first_with(const Line *self, const char *fact)
{
	guint i = 0;

	while (i < self->stores->len && store_fact(store_at(self, i), fact).len == 0)
		i++;
	return i;
}

static bool check_boots(const Line *self, GError **error)
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

static bool check_hosts(const Line *self, GError **error)
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
static bool check_weights(const Line *self, GError **error)
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

static void note_hosts(const Line *self, Notes *notes)
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

static bool place(Line *self, const LoadSettings *settings, Notes *notes, GError **error)
{
	if (!check_weights(self, error))
		return false;
	if (settings->is_concatenated) {
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

static bool load_all(Line *self, const LoadSettings *settings, Notes *notes, GError **error)
{
	for (guint i = 0; i < self->paths->len; i++) {
		Store *store = load_one(g_ptr_array_index(self->paths, i), settings, notes, error);

		if (store == NULL)
			return false;
		g_ptr_array_add(self->stores, store);
	}
	return true;
}

static Store *load_several(const GPtrArray *paths, const LoadSettings *settings, Notes *notes,
			   GError **error)
{
	g_autoptr(StoreBuilder) builder = store_builder_new();
	g_autoptr(GPtrArray) stores = g_ptr_array_new_with_free_func((GDestroyNotify)store_free);
	g_autofree int64_t *shifts_ns = g_new0(int64_t, paths->len + 1);
	Line line = { paths, stores, shifts_ns };

	if (!load_all(&line, settings, notes, error) || !place(&line, settings, notes, error))
		return NULL;
	for (guint i = 0; i < stores->len; i++)
		if (!store_append(builder, store_at(&line, i), shifts_ns[i], error))
			return NULL;
	/* Laid end to end, the recordings have no clock any more. */
	if (settings->is_concatenated) {
		store_builder_drop_fact(builder, FACT_WALL_UTC);
		store_builder_drop_fact(builder, FACT_WALL_LOCAL);
	}
	return store_builder_finish(builder, error);
}

Store *load_recording(char *const *paths, const LoadSettings *settings, Notes *notes,
		      GError **error)
{
	g_autoptr(GPtrArray) distinct = distinct_paths(paths, notes);

	if (distinct->len == 1)
		return load_one(g_ptr_array_index(distinct, 0), settings, notes, error);
	return load_several(distinct, settings, notes, error);
}
