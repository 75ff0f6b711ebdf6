/* SPDX-License-Identifier: MIT */
/*
 * Commands on the page's recording, several at a time. What one prints is collected in memory and
 * then written as a whole, so that a file is there complete or not at all.
 */

#include <stdlib.h>

#include "cli/output.h"
#include "cli/report.h"
#include "cli/run-hosted.h"
#include "store/error.h"

static void clear_step(gpointer data)
{
	ReportStep *step = data;

	g_ptr_array_unref(step->words);
	g_free(step->file);
	json_decref(step->json);
	notes_free(step->notes);
	g_clear_error(&step->error);
}

GArray *report_steps_new(void)
{
	GArray *steps = g_array_new(FALSE, TRUE, sizeof(ReportStep));

	g_array_set_clear_func(steps, clear_step);
	return steps;
}

ReportStep *report_steps_add(GArray *steps, const char *key, const Command *command,
			     const GPtrArray *words, ...)
{
	ReportStep step = { .key = key,
			    .command = command,
			    .words = g_ptr_array_new_with_free_func(g_free),
			    .notes = notes_new() };
	const char *word;
	va_list more;

	for (guint i = 0; words != NULL && i < words->len; i++)
		g_ptr_array_add(step.words, g_strdup(g_ptr_array_index(words, i)));
	va_start(more, words);
	while ((word = va_arg(more, const char *)) != NULL)
		g_ptr_array_add(step.words, g_strdup(word));
	va_end(more);
	g_array_append_val(steps, step);
	return &g_array_index(steps, ReportStep, steps->len - 1);
}

static Store *open_store(void *context, char *const *inputs, GError **error)
{
	return store_ref(context);
}

static bool write_file(const ReportPage *page, const char *name, const char *bytes, size_t size,
		       GError **error)
{
	g_autofree char *path = g_build_filename(page->folder, name, NULL);
	g_autoptr(Output) output = output_open(path, NULL, error);

	if (output == NULL)
		return false;
	fwrite(bytes, 1, size, output_stream(output));
	return output_commit(output, error);
}

static bool keep(const ReportPage *page, ReportStep *step, const char *bytes, size_t size,
		 GError **error)
{
	json_error_t cause;

	if (step->is_json)
		step->json = json_loadb(bytes, size, 0, &cause);
	if (step->is_json && step->json == NULL)
		return fail(error, FLAMEBEAT_ERROR_FAILED, "%s: printed no JSON: %s",
			    step->command->name, cause.text);
	return step->file == NULL || write_file(page, step->file, bytes, size, error);
}

static bool run_step(const ReportPage *page, ReportStep *step, GError **error)
{
	char *bytes = NULL;
	size_t size = 0;
	FILE *sink = open_memstream(&bytes, &size);
	Host host = { .open = open_store, .context = page->store, .sink = sink };
	bool ok = sink != NULL;

	if (!ok)
		return fail(error, FLAMEBEAT_ERROR_FAILED, "no memory for a report");
	g_ptr_array_add(step->words, NULL);
	ok = run_hosted(step->command, (char *const *)step->words->pdata, page->inputs, &host,
			step->notes, error);
	g_ptr_array_set_size(step->words, (gint)step->words->len - 1);
	ok = (fclose(sink) == 0 || !ok ||
	      fail(error, FLAMEBEAT_ERROR_FAILED, "no memory for a report")) &&
	     ok;
	ok = ok && keep(page, step, bytes, size, error);
	free(bytes);
	return ok;
}

/* One call writes one line: those of several threads do not mix. */
static void tell_progress(ReportPage *page, const ReportStep *step)
{
	int n_done = g_atomic_int_add(&page->n_done, 1) + 1;

	if (page->has_progress)
		fprintf(stderr, "\r\033[Kreport: %d tables and pictures made, %s", n_done,
			step->command->name);
}

static void work(gpointer item, gpointer data)
{
	ReportStep *step = item;

	run_step(data, step, &step->error);
	tell_progress(data, step);
}

bool report_steps_run(ReportPage *page, GArray *steps, GError **error)
{
	GThreadPool *pool = g_thread_pool_new(work, page, page->n_threads, FALSE, NULL);

	for (guint i = 0; i < steps->len; i++)
		g_thread_pool_push(pool, &g_array_index(steps, ReportStep, i), NULL);
	g_thread_pool_free(pool, FALSE, TRUE);
	if (page->has_progress)
		fputs("\r\033[K", stderr);
	for (guint i = 0; i < steps->len; i++) {
		ReportStep *step = &g_array_index(steps, ReportStep, i);

		for (guint k = 0; k < notes_count(step->notes); k++)
			notes_add(page->notes, "%s", notes_get(step->notes, k));
		if (step->error != NULL) {
			g_propagate_prefixed_error(error, g_steal_pointer(&step->error),
						   "%s: ", step->command->name);
			return false;
		}
	}
	return true;
}
