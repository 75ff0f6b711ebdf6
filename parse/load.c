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
	uint64_t total = skips_total(skips);

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

static Store *load_one(const char *path, const LoadSettings *settings, Notes *notes, GError **error)
{
	g_autoptr(Input) input = input_open(path, notes, error);
	Text head;

	if (input == NULL || !input_peek(input, &head, error))
		return NULL;
	/* What begins like a store, but is shorter than its magic, is a store cut off. */
	if (head.len > 0 && memcmp(head.data, STORE_MAGIC, MIN(head.len, STORE_MAGIC_LEN)) == 0)
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

static bool check_host(const Store *first, const Store *other, const char *first_path,
		       const char *path, GError **error)
{
	Text a = store_fact(first, "hostname"), b = store_fact(other, "hostname");

	if (a.len == 0 || b.len == 0 || text_equal(a, b))
		return true;
	return fail(error, FLAMEBEAT_ERROR_USAGE,
		    "%s and %s are of two hosts (%.*s, %.*s), whose clocks have nothing in common; "
		    "give one of them, or --concat to lay them end to end",
		    first_path, path, (int)a.len, a.data, (int)b.len, b.data);
}

/* How much later `store` is placed so that it follows what is there. */
static int64_t shift_after(const Store *store, int64_t *last_ns)
{
	int64_t shift = *last_ns != INT64_MIN ? *last_ns + store->tick_ns - store->start_ns : 0;

	*last_ns = store->last_ns + shift;
	return shift;
}

static Store *load_several(const GPtrArray *paths, const LoadSettings *settings, Notes *notes,
			   GError **error)
{
	g_autoptr(StoreBuilder) builder = store_builder_new();
	g_autoptr(GPtrArray) stores = g_ptr_array_new_with_free_func((GDestroyNotify)store_free);
	int64_t last_ns = INT64_MIN;

	for (guint i = 0; i < paths->len; i++) {
		const char *path = g_ptr_array_index(paths, i);
		Store *store = load_one(path, settings, notes, error);
		int64_t shift = 0;

		if (store == NULL)
			return NULL;
		g_ptr_array_add(stores, store);
		if (settings->is_concatenated)
			shift = store->n_timed > 0 ? shift_after(store, &last_ns) : 0;
		else if (!check_host(g_ptr_array_index(stores, 0), store,
				     g_ptr_array_index(paths, 0), path, error))
			return NULL;
		if (!store_append(builder, store, shift, error))
			return NULL;
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
