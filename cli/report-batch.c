/* SPDX-License-Identifier: MIT */
/*
 * A page for each of many inputs, several at a time. What is whole and made of the same input by
 * the same options stays (a folder's stamp says what it was made of), so that a batch that was
 * interrupted goes on where it stopped. An input that fails is a row of the index.
 */

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/output.h"
#include "cli/query-words.h"
#include "cli/report.h"
#include "render/text-escape.h"
#include "store/error.h"

#define STAMP_FILE ".flamebeat-report"

/* One input. */
typedef struct {
	char *inputs[2];
	char *name;   /* of the folder */
	char *title;  /* valid UTF-8 */
	json_t *json; /* its row of the index */
	Notes *notes;
	bool is_kept; /* it was there already */
} BatchItem;

typedef struct {
	const Invocation *invocation;
	const ReportSettings *settings;
	json_t *baseline; /* or NULL */
	GArray *items;	  /* of BatchItem */
	GMutex lock;	  /* of what follows, and of standard error */
	guint n_done;
	bool has_progress;
} Batch;

static void clear_item(gpointer data)
{
	BatchItem *item = data;

	g_free(item->name);
	g_free(item->title);
	json_decref(item->json);
	notes_free(item->notes);
}

/* --- folders ----------------------------------------------------------------------------- */

/* A name that is safe in paths, links and shells. */
static char *folder_name(const char *input)
{
	g_autofree char *base = g_path_get_basename(input);
	char *name = g_strdup(base);

	g_strcanon(name, G_CSET_a_2_z G_CSET_A_2_Z G_CSET_DIGITS "._-", '_');
	if (name[0] == '.' || name[0] == '-')
		name[0] = '_';
	return name;
}

/* Inputs of the same name get a number. */
static char *unique_name(GHashTable *taken, const char *input)
{
	g_autofree char *base = folder_name(input);
	char *name = g_strdup(base);

	for (guint i = 2; g_hash_table_contains(taken, name); i++) {
		g_free(name);
		name = g_strdup_printf("%s-%u", base, i);
	}
	g_hash_table_add(taken, g_strdup(name));
	return name;
}

static GArray *make_items(char *const *inputs)
{
	GArray *items = g_array_new(FALSE, TRUE, sizeof(BatchItem));
	g_autoptr(GHashTable) taken = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);

	g_array_set_clear_func(items, clear_item);
	for (; *inputs != NULL; inputs++) {
		g_autofree char *base = g_path_get_basename(*inputs);
		BatchItem item = { .inputs = { *inputs, NULL },
				   .name = unique_name(taken, *inputs),
				   .title = text_to_utf8(text_from(base), 200),
				   .notes = notes_new() };

		g_array_append_val(items, item);
	}
	return items;
}

/* --- what a page was made of ------------------------------------------------------------- */

/* NULL where the input cannot be told apart later: a pipe. */
static char *stamp_of(const Batch *self, const BatchItem *item)
{
	struct stat info;

	if (stat(item->inputs[0], &info) != 0 || !S_ISREG(info.st_mode))
		return NULL;
	return g_strdup_printf("%s\n%s\n%lld bytes, %lld.%09ld\n", FLAMEBEAT_VERSION,
			       self->invocation->options, (long long)info.st_size,
			       (long long)info.st_mtim.tv_sec, info.st_mtim.tv_nsec);
}

static char *stamp_path(const char *folder)
{
	return g_build_filename(folder, STAMP_FILE, NULL);
}

/* The page that is there already, if it is what would be made. */
static json_t *find_page(const Batch *self, const BatchItem *item, const char *folder)
{
	g_autofree char *stamp = stamp_of(self, item), *there = NULL;
	g_autofree char *path = stamp_path(folder);
	g_autofree char *report = g_build_filename(folder, "report.json", NULL);

	if (self->settings->report.is_redone || stamp == NULL ||
	    !g_file_get_contents(path, &there, NULL, NULL) || !g_str_equal(stamp, there))
		return NULL;
	return report_json_load(report, NULL);
}

static bool write_stamp(const Batch *self, const BatchItem *item, const char *folder,
			GError **error)
{
	g_autofree char *stamp = stamp_of(self, item);
	g_autofree char *path = stamp_path(folder);
	g_autoptr(Output) output = stamp != NULL ? output_open(path, NULL, error) : NULL;

	if (output == NULL)
		return stamp == NULL;
	fputs(stamp, output_stream(output));
	return output_commit(output, error);
}

/* --- one input --------------------------------------------------------------------------- */

static bool make_page(Batch *self, BatchItem *item, const char *folder, json_t **report,
		      GError **error)
{
	LoadSettings load = self->settings->load;
	g_autoptr(GPtrArray) words = query_words(&self->settings->query, true);
	g_autoptr(GPtrArray) filters = query_words(&self->settings->query, false);
	g_autoptr(Store) store = NULL;
	ReportPage page = { .settings = self->settings,
			    .inputs = item->inputs,
			    .folder = folder,
			    .title = item->title,
			    .options = self->invocation->options,
			    .filters = filters,
			    .words = words,
			    .notes = item->notes,
			    .n_threads = 1 };
	g_autofree char *stamp = stamp_path(folder);

	load.n_threads = 1;
	unlink(stamp);
	store = load_recording(item->inputs, &load, item->notes, error);
	page.store = store;
	if (store == NULL || !report_page_make(&page, error)) {
		json_decref(page.json);
		return false;
	}
	if (self->baseline != NULL || self->settings->report.conditions != NULL)
		report_gate_judge(self->settings, page.json,
				  self->baseline != NULL
					  ? report_gate_find(self->baseline, item->title)
					  : NULL,
				  item->notes);
	*report = page.json;
	return report_page_write(&page, error) && write_stamp(self, item, folder, error);
}

/* What the index says of a page: enough to be compared with. */
static json_t *index_row(const BatchItem *item, const json_t *report)
{
	static const char *const keys[] = { "title", "summary", "found", "periods", "gate" };
	json_t *row = json_object();

	json_object_set_new(row, "folder", json_string(item->name));
	for (size_t i = 0; i < G_N_ELEMENTS(keys); i++)
		if (json_object_get(report, keys[i]) != NULL)
			json_object_set(row, keys[i], json_object_get(report, keys[i]));
	return row;
}

static json_t *failed_row(const BatchItem *item, const GError *error)
{
	g_autofree char *message = text_to_utf8(text_from(error->message), 2000);

	return json_pack("{s:s, s:s, s:s}", "folder", item->name, "title", item->title, "error",
			 message);
}

static void tell_progress(Batch *self, const BatchItem *item)
{
	g_autofree char *title = text_to_terminal(text_from(item->title));

	g_mutex_lock(&self->lock);
	self->n_done++;
	if (self->has_progress)
		fprintf(stderr, "\r\033[K%u of %u: %.60s%s", self->n_done, self->items->len, title,
			self->n_done == self->items->len ? "\r\033[K" : "");
	g_mutex_unlock(&self->lock);
}

static void work(gpointer data, gpointer context)
{
	Batch *self = context;
	BatchItem *item = data;
	g_autofree char *folder = g_build_filename(self->settings->report.folder, item->name, NULL);
	g_autoptr(GError) error = NULL;
	json_t *report = NULL;

	if (g_mkdir_with_parents(folder, 0777) != 0)
		fail(&error, FLAMEBEAT_ERROR_FAILED, "%s: %s", folder, g_strerror(errno));
	else
		report = find_page(self, item, folder);
	item->is_kept = report != NULL;
	if (error == NULL && report == NULL)
		make_page(self, item, folder, &report, &error);
	item->json = error == NULL ? index_row(item, report) : failed_row(item, error);
	json_decref(report);
	tell_progress(self, item);
}

/* --- all of them ------------------------------------------------------------------------- */

static void run_all(Batch *self)
{
	int n_threads = self->settings->common.n_threads;
	GThreadPool *pool = g_thread_pool_new(
		work, self, n_threads > 0 ? n_threads : (int)g_get_num_processors(), FALSE, NULL);

	for (guint i = 0; i < self->items->len; i++)
		g_thread_pool_push(pool, &g_array_index(self->items, BatchItem, i), NULL);
	g_thread_pool_free(pool, FALSE, TRUE);
}

static json_t *make_index(const Batch *self)
{
	const char *title = self->settings->report.title;
	json_t *recordings = json_array();
	guint n_failed = 0;

	for (guint i = 0; i < self->items->len; i++) {
		const BatchItem *item = &g_array_index(self->items, BatchItem, i);

		json_array_append(recordings, item->json);
		n_failed += json_object_get(item->json, "error") != NULL;
	}
	return json_pack("{s:s, s:s, s:s, s:s, s:i, s:o}", "schema", REPORT_INDEX_SCHEMA, "version",
			 FLAMEBEAT_VERSION, "title", title != NULL ? title : "Recordings",
			 "options", self->invocation->options, "failed", (int)n_failed,
			 "recordings", recordings);
}

static void write_json(FILE *out, const json_t *index)
{
	json_dumpf(index, out, JSON_INDENT(1));
	fputc('\n', out);
}

static bool write_index(const Batch *self, const json_t *index, GError **error)
{
	static const struct {
		const char *name;
		void (*write)(FILE *, const json_t *);
	} documents[] = { { "index.html", report_index_html_write },
			  { "index.md", report_index_markdown_write },
			  { "index.json", write_json } };

	for (size_t i = 0; i < G_N_ELEMENTS(documents); i++) {
		g_autofree char *path =
			g_build_filename(self->settings->report.folder, documents[i].name, NULL);
		g_autoptr(Output) output = output_open(path, NULL, error);

		if (output == NULL)
			return false;
		documents[i].write(output_stream(output), index);
		if (!output_commit(output, error))
			return false;
	}
	return true;
}

/* Notes say which input they are about. */
static void gather_notes(const Batch *self)
{
	Notes *notes = self->invocation->notes;
	guint n_kept = 0;

	for (guint i = 0; i < self->items->len; i++) {
		const BatchItem *item = &g_array_index(self->items, BatchItem, i);
		const char *error = report_text(item->json, "error");

		n_kept += item->is_kept;
		for (guint k = 0; k < notes_count(item->notes); k++)
			notes_add(notes, "%s: %s", item->title, notes_get(item->notes, k));
		if (*error != '\0')
			notes_add_shortfall(notes, "left out: %s", error);
	}
	if (n_kept > 0)
		notes_add(notes, "%u page%s there already (--redo makes them anew)", n_kept,
			  n_kept == 1 ? " was" : "s were");
}

bool report_batch_make(const Invocation *invocation, json_t **index, GError **error)
{
	const ReportSettings *settings = invocation->settings;
	Batch batch = { .invocation = invocation, .settings = settings };
	bool ok;

	if (settings->report.baseline != NULL &&
	    (batch.baseline = report_json_load(settings->report.baseline, error)) == NULL)
		return false;
	batch.items = make_items(invocation->inputs);
	batch.has_progress = !settings->common.is_quiet && isatty(STDERR_FILENO);
	g_mutex_init(&batch.lock);
	run_all(&batch);
	g_mutex_clear(&batch.lock);
	gather_notes(&batch);
	*index = make_index(&batch);
	ok = write_index(&batch, *index, error);
	json_decref(batch.baseline);
	g_array_unref(batch.items);
	return ok;
}
