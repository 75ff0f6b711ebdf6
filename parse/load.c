/* SPDX-License-Identifier: MIT */
/* Paths to a store: recognise, then open or parse; several are appended to one another. */

#include "parse/load.h"

#include <sys/stat.h>
#include <unistd.h>

#include "parse/format.h"
#include "parse/input.h"
#include "parse/skips.h"
#include "parse/spool.h"
#include "parse/time-line.h"
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

static Store *open_store(Input *input, GError **error)
{
	const char *path = input_plain_path(input);
	Store *store;
	int fd;

	if (path != NULL)
		return store_open(path, error);
	fd = spool_input(input, error);
	if (fd < 0)
		return NULL;
	store = store_open_fd(fd, input_name(input), error);
	close(fd);
	return store;
}

/* Hands on what the input says of itself, in moderation. */
typedef struct {
	const LoadSettings *settings;
	const StoreBuilder *builder;
	const char *name;
	gint64 begin_us, last_us;
} Watcher;

static bool watch(void *data, uint64_t n_bytes, uint64_t n_total)
{
	Watcher *self = data;
	gint64 now_us = g_get_monotonic_time();
	Progress progress = { self->name, n_bytes, n_total, store_builder_n_samples(self->builder),
			      now_us - self->begin_us };

	if (now_us - self->last_us < G_USEC_PER_SEC / PROGRESS_HZ)
		return true;
	self->last_us = now_us;
	return self->settings->progress(self->settings->progress_data, &progress);
}

/* What every reader of the text should hear. */
static void note_skips(const Store *store, const Skips *skips, Notes *notes)
{
	g_autofree char *samples = counted(store->n_samples, "sample");
	g_autofree char *frames = counted(store_fact_count(store, FACT_FRAMES), "frame");
	g_autofree char *lines = counted(skips_shortfall(skips), "line");

	if (skips_shortfall(skips) > 0)
		notes_add_shortfall(notes,
				    "%s, %s; %s skipped (first at %s:%" G_GUINT64_FORMAT
				    ": %s); `flamebeat info` lists them",
				    samples, frames, lines, skips->file, skips->first,
				    skip_reason_name(skips->first_reason));
}

static Store *parse_input(Input *input, Text head, const LoadSettings *settings, Notes *notes,
			  GError **error)
{
	g_autoptr(StoreBuilder) builder = store_builder_new();
	Skips skips = { .file = input_name(input) };
	Store *store;
	gint64 now_us = g_get_monotonic_time();
	Watcher watcher = { settings, builder, input_name(input), now_us, now_us };
	uint32_t n_recorded = 0;
	ParseJob job = { .input = input,
			 .builder = builder,
			 .skips = &skips,
			 .notes = notes,
			 .perf = &settings->perf,
			 .n_threads = settings->n_threads > 0 ? (guint)settings->n_threads
							      : g_get_num_processors(),
			 .block_bytes = settings->block_bytes,
			 .max_frames = settings->max_frames != 0 ? settings->max_frames
								 : DEFAULT_MAX_FRAMES };
	int i = 0;

	if (settings->progress != NULL)
		input_watch(input, watch, &watcher);
	while (formats[i + 1] != NULL && !formats[i]->probe(head))
		i++;
	if (!formats[i]->parse(&job, error))
		return NULL;
	skips_record(&skips, builder, &n_recorded);
	store = store_builder_finish(builder, error);
	if (store != NULL)
		note_skips(store, &skips, notes);
	return store;
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

/* --- one recording ----------------------------------------------------------------------- */

static bool load_all(TimeLine *self, const LoadSettings *settings, Notes *notes, GError **error)
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
	TimeLine line = { paths, stores, shifts_ns };

	if (!load_all(&line, settings, notes, error) ||
	    !time_line_place(&line, settings->is_concatenated, notes, error))
		return NULL;
	for (guint i = 0; i < stores->len; i++)
		if (!store_append(builder, g_ptr_array_index(stores, i), shifts_ns[i], error))
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
