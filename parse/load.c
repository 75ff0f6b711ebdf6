/* SPDX-License-Identifier: MIT */
/* Paths to a store: recognise, then open or parse; several are appended to one another. */

#include "parse/load.h"

#include <sys/stat.h>
#include <unistd.h>

#include "parse/format.h"
#include "parse/input.h"
#include "parse/look-alike.h"
#include "parse/skips.h"
#include "parse/spool.h"
#include "parse/time-line.h"
#include "parse/unpacker.h"
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

/* Of what no format is told by its first bytes, some kinds are known to be none. */
static bool parse_as(const Format *format, ParseJob *job, GError **error)
{
	GError *cause = NULL;
	g_autofree char *bytes = NULL;
	Text head;

	if (!input_peek(job->input, &head, error))
		return false;
	if (format == &format_perf_script && look_alike_is_ftrace(head))
		return !look_alike_fail(head, input_name(job->input), error);
	bytes = g_memdup2(head.data, head.len);
	head.data = bytes != NULL ? bytes : "";
	if (format->parse(job, &cause))
		return true;
	if (format != &format_perf_script || cause->code != FLAMEBEAT_ERROR_FAILED ||
	    !look_alike_fail(head, input_name(job->input), error))
		g_propagate_error(error, g_steal_pointer(&cause));
	g_clear_error(&cause);
	return false;
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
	if (!parse_as(formats[i], &job, error))
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

/* What is packed was unpacked: this is what was in it. */
static bool check_packed_once(const Input *input, Text head, GError **error)
{
	for (int i = 0; unpackers[i] != NULL; i++)
		if (unpackers[i]->starts(head))
			return fail(error, FLAMEBEAT_ERROR_FAILED,
				    "%s: is packed twice: there is %s data in it; unpack it once",
				    input_name(input), unpackers[i]->name);
	return true;
}

static Store *load_one(const char *path, const LoadSettings *settings, Notes *notes, GError **error)
{
	g_autoptr(Input) input = input_open(path, notes, error);
	Text head;

	if (input == NULL || !input_peek(input, &head, error) ||
	    !check_packed_once(input, head, error))
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

/* --- all at once ------------------------------------------------------------------------- */

/* One of several inputs; `settings` are its own. */
typedef struct {
	struct Together *all;
	guint index;
	LoadSettings settings;
	Store *store;
	Notes *notes;
	GError *error;
} Part;

typedef struct Together {
	const GPtrArray *paths;
	const LoadSettings *settings;
	Part *parts;
	GMutex lock; /* of what follows */
	guint n_begun;
	guint n_finished;   /* without a gap, from the first on */
	guint first_failed; /* what comes after it is not needed */
	bool is_stopped;    /* by who looks on */
} Together;

/* Who looks on sees the first input that is not finished. */
static bool watch_part(void *data, const Progress *progress)
{
	const Part *self = data;
	Together *all = self->all;
	const LoadSettings *settings = all->settings;
	bool goes_on;

	g_mutex_lock(&all->lock);
	if (settings->progress != NULL && self->index == all->n_finished)
		all->is_stopped |= !settings->progress(settings->progress_data, progress);
	goes_on = !all->is_stopped && self->index < all->first_failed;
	g_mutex_unlock(&all->lock);
	return goes_on;
}

/* The next part that is needed, if there is one. */
static Part *next_part(Together *self)
{
	Part *part = NULL;

	g_mutex_lock(&self->lock);
	if (self->n_begun < self->first_failed)
		part = &self->parts[self->n_begun++];
	g_mutex_unlock(&self->lock);
	return part;
}

static void finish_part(Together *self, Part *part, Store *store)
{
	g_mutex_lock(&self->lock);
	part->store = store;
	if (store == NULL)
		self->first_failed = MIN(self->first_failed, part->index);
	while (self->n_finished < self->paths->len && self->parts[self->n_finished].store != NULL)
		self->n_finished++;
	g_mutex_unlock(&self->lock);
}

static gpointer load_parts(gpointer data)
{
	Together *self = data;
	Part *part;

	while ((part = next_part(self)) != NULL)
		finish_part(self, part,
			    load_one(g_ptr_array_index(self->paths, part->index), &part->settings,
				     part->notes, &part->error));
	return NULL;
}

/* As many inputs at a time as there are threads; each parses in as many as are left for it. */
static void run_parts(Together *self)
{
	guint n = self->settings->n_threads > 0 ? (guint)self->settings->n_threads
						: g_get_num_processors();
	guint n_at_once = CLAMP(self->paths->len, 1, n);
	g_autofree GThread **threads = g_new(GThread *, n_at_once);

	for (guint i = 0; i < self->paths->len; i++) {
		Part *part = &self->parts[i];

		*part = (Part){ self, i, *self->settings, NULL, notes_new(), NULL };
		part->settings.n_threads = (int)(n / n_at_once);
		part->settings.progress = watch_part;
		part->settings.progress_data = part;
	}
	for (guint i = 1; i < n_at_once; i++)
		threads[i] = g_thread_new("load", load_parts, self);
	load_parts(self);
	for (guint i = 1; i < n_at_once; i++)
		g_thread_join(threads[i]);
}

/* Hands over stores and notes, in the order of the inputs, up to the first that failed. */
static bool take_parts(Together *self, GPtrArray *stores, Notes *notes, GError **error)
{
	bool ok = true;

	for (guint i = 0; i < self->paths->len; i++) {
		Part *part = &self->parts[i];

		if (ok)
			notes_add_all(notes, part->notes);
		if (ok && part->store == NULL)
			g_propagate_error(error, g_steal_pointer(&part->error));
		ok = ok && part->store != NULL;
		if (part->store != NULL)
			g_ptr_array_add(stores, part->store);
		notes_free(part->notes);
		g_clear_error(&part->error);
	}
	return ok;
}

/* The stores of `paths`. What comes of it does not depend on which is loaded first. */
static bool load_all(const GPtrArray *paths, GPtrArray *stores, const LoadSettings *settings,
		     Notes *notes, GError **error)
{
	Together self = { .paths = paths,
			  .settings = settings,
			  .parts = g_new0(Part, paths->len + 1),
			  .first_failed = paths->len };
	bool ok;

	g_mutex_init(&self.lock);
	run_parts(&self);
	ok = take_parts(&self, stores, notes, error);
	g_mutex_clear(&self.lock);
	g_free(self.parts);
	return ok;
}

/* --- one recording ----------------------------------------------------------------------- */

static Store *load_several(const GPtrArray *paths, const LoadSettings *settings, Notes *notes,
			   GError **error)
{
	g_autoptr(StoreBuilder) builder = store_builder_new();
	g_autoptr(GPtrArray) stores = g_ptr_array_new_with_free_func((GDestroyNotify)store_free);
	g_autofree int64_t *shifts_ns = g_new0(int64_t, paths->len + 1);
	TimeLine line = { paths, stores, shifts_ns };

	if (!load_all(paths, stores, settings, notes, error) ||
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
