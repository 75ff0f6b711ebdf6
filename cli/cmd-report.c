/* SPDX-License-Identifier: MIT */
/* `flamebeat report`: a folder with everything, for one recording or for each of many. */

#include <errno.h>
#include <unistd.h>

#include "cli/command.h"
#include "cli/query-words.h"
#include "cli/recording.h"
#include "cli/report.h"
#include "render/text-escape.h"
#include "store/error.h"

#define DEFAULT_TOP 10

/* --- options ----------------------------------------------------------------------------- */

/* The part of the settings that the options below fill. */
typedef __typeof__(((ReportSettings *)NULL)->report) Choice;

static void replace(char **field, const char *value)
{
	g_free(*field);
	*field = g_strdup(value);
}

static bool set_folder(void *settings, const char *value, GError **error)
{
	replace(&((Choice *)settings)->folder, value);
	return *value != '\0' ||
	       fail(error, FLAMEBEAT_ERROR_USAGE, "--output: expected the name of a folder");
}

static bool set_each(void *settings, const char *value, GError **error)
{
	((Choice *)settings)->is_each = true;
	return true;
}

static bool set_redo(void *settings, const char *value, GError **error)
{
	((Choice *)settings)->is_redone = true;
	return true;
}

static bool set_top(void *settings, const char *value, GError **error)
{
	return option_integer("top", value, 0, 1000, &((Choice *)settings)->top, error);
}

static bool set_title(void *settings, const char *value, GError **error)
{
	replace(&((Choice *)settings)->title, value);
	return true;
}

static bool check_time(const char *option, const char *value, GError **error)
{
	int64_t ns;

	if (time_moment_parse(value, &time_frame_any, &ns, error))
		return true;
	g_prefix_error(error, "--%s: ", option);
	return false;
}

static bool set_since(void *settings, const char *value, GError **error)
{
	replace(&((Choice *)settings)->since, value);
	return check_time("since", value, error);
}

static bool set_until(void *settings, const char *value, GError **error)
{
	replace(&((Choice *)settings)->until, value);
	return check_time("until", value, error);
}

static bool set_baseline(void *settings, const char *value, GError **error)
{
	replace(&((Choice *)settings)->baseline, value);
	return true;
}

static bool set_fail_if(void *settings, const char *value, GError **error)
{
	return fail_if_add(&((Choice *)settings)->conditions, report_metrics, value, error);
}

static const OptionRow report_options[] = {
	{ "output", 'o', "FOLDER", "where the report goes; made if it is not there", set_folder },
	{ "each", 0, NULL, "a page for each input, and an index", set_each },
	{ "redo", 0, NULL, "with --each: also pages that are there already", set_redo },
	{ "top", 0, "N", "how many spikes are listed, each with a flame graph (default: 10)",
	  set_top },
	{ "since", 0, "TIME", "only from then on, as in --range", set_since },
	{ "until", 0, "TIME", "only up to then", set_until },
	{ "title", 0, "TEXT", "headline (default: the name of the input)", set_title },
	{ "baseline", 0, "FILE",
	  "report.json or index.json of an earlier run: new periods are named, exit with 6",
	  set_baseline },
	{ "fail-if", 0, "CONDITION",
	  "exit with 6 if it holds: 'spikes/min > 2' (drops, max-excess, max-length)",
	  set_fail_if },
	{ NULL, 0, NULL, NULL, NULL },
};

static void init(void *data)
{
	ReportSettings *settings = data;

	query_init(&settings->query);
	settings->report.top = DEFAULT_TOP;
}

static void clear(void *data)
{
	ReportSettings *settings = data;

	query_clear(&settings->query);
	load_settings_clear(&settings->load);
	g_free(settings->report.folder);
	g_free(settings->report.title);
	g_free(settings->report.since);
	g_free(settings->report.until);
	g_free(settings->report.baseline);
	g_clear_pointer(&settings->report.conditions, g_ptr_array_unref);
}

/* --- the command ------------------------------------------------------------------------- */

static bool check(ReportSettings *settings, GError **error)
{
	Choice *choice = &settings->report;

	if (choice->folder == NULL)
		return fail(error, FLAMEBEAT_ERROR_USAGE,
			    "a report is a folder: name it with -o FOLDER");
	if (!query_check(&settings->query, error))
		return false;
	if ((choice->since != NULL || choice->until != NULL) && settings->query.range != NULL)
		return fail(error, FLAMEBEAT_ERROR_USAGE,
			    "--since and --until cannot go with --range");
	if (choice->since != NULL || choice->until != NULL) {
		settings->query.range = g_ptr_array_new_with_free_func(g_free);
		g_ptr_array_add(settings->query.range,
				g_strdup_printf("%s..%s",
						choice->since != NULL ? choice->since : "",
						choice->until != NULL ? choice->until : ""));
	}
	return true;
}

static bool make_folder(const char *path, GError **error)
{
	return g_mkdir_with_parents(path, 0777) == 0 ||
	       fail(error, FLAMEBEAT_ERROR_FAILED, "%s: cannot make this folder: %s", path,
		    g_strerror(errno));
}

static bool fail_gate(GError **error)
{
	return fail(error, FLAMEBEAT_ERROR_HOLDS, "the gate fails: see the notes above");
}

/* All inputs as one recording. */
static bool run_one(const Invocation *invocation, ReportPage *page, GError **error)
{
	const ReportSettings *settings = invocation->settings;
	bool is_judged = settings->report.baseline != NULL || settings->report.conditions != NULL;
	json_t *baseline = NULL;
	bool passes = true;

	if (settings->report.baseline != NULL &&
	    (baseline = report_json_load(settings->report.baseline, error)) == NULL)
		return false;
	page->store = recording_load(invocation, invocation->inputs, &settings->load, error);
	if (page->store == NULL || !report_page_make(page, error)) {
		json_decref(baseline);
		return false;
	}
	if (is_judged)
		passes = report_gate_judge(
			settings, page->json,
			baseline != NULL ? report_gate_find(baseline, page->title) : NULL,
			invocation->notes);
	json_decref(baseline);
	return report_page_write(page, error) && (passes || fail_gate(error));
}

static char *title_of(const Invocation *invocation)
{
	const ReportSettings *settings = invocation->settings;
	g_autofree char *base = g_path_get_basename(invocation->inputs[0]);
	guint n = g_strv_length(invocation->inputs);
	g_autofree char *title =
		n == 1 ? g_strdup(base) : g_strdup_printf("%s and %u more", base, n - 1);

	if (settings->report.title != NULL)
		return text_to_utf8(text_from(settings->report.title), 0);
	return g_str_equal(invocation->inputs[0], "-") ? g_strdup("standard input")
						       : text_to_utf8(text_from(title), 200);
}

static bool report_one(const Invocation *invocation, GError **error)
{
	const ReportSettings *settings = invocation->settings;
	g_autoptr(GPtrArray) words = query_words(&settings->query, true);
	g_autoptr(GPtrArray) filters = query_words(&settings->query, false);
	g_autofree char *title = title_of(invocation);
	int n_threads = settings->common.n_threads;
	ReportPage page = {
		.settings = settings,
		.inputs = invocation->inputs,
		.folder = settings->report.folder,
		.title = title,
		.options = invocation->options,
		.filters = filters,
		.words = words,
		.notes = invocation->notes,
		.has_progress = !settings->common.is_quiet && isatty(STDERR_FILENO),
		.n_threads = n_threads > 0 ? n_threads : (int)g_get_num_processors(),
	};
	bool ok = run_one(invocation, &page, error);

	g_clear_pointer(&page.store, store_free);
	json_decref(page.json);
	return ok;
}

/* Whether any page of the index does not pass, or could not be made. */
static bool judge_index(const json_t *index, GError **error)
{
	json_t *row;
	size_t i;
	double n_failed = report_number(index, "failed");

	json_array_foreach(
		report_array(index, "recordings"), i,
		row) if (json_is_false(json_object_get(json_object_get(row, "gate"),
						       "passes"))) return fail_gate(error);
	return n_failed == 0 ||
	       fail(error, FLAMEBEAT_ERROR_FAILED, "%.0f of %zu inputs could not be reported on",
		    n_failed, json_array_size(report_array(index, "recordings")));
}

static bool run(const Invocation *invocation, GError **error)
{
	ReportSettings *settings = invocation->settings;
	json_t *index = NULL;
	bool ok;

	if (!check(settings, error) || !make_folder(settings->report.folder, error))
		return false;
	if (!settings->report.is_each)
		return report_one(invocation, error);
	ok = report_batch_make(invocation, &index, error) && judge_index(index, error);
	json_decref(index);
	return ok;
}

const Command command_report = {
	.name = "report",
	.arguments = "INPUT... -o FOLDER",
	.help = "Everything about a recording, or each of many, in a folder: page, Markdown, JSON",
	.settings_size = sizeof(ReportSettings),
	.init = init,
	.clear = clear,
	.tables = { { "Report", report_options, offsetof(ReportSettings, report) },
		    { "Which samples", query_options, offsetof(ReportSettings, query) },
		    { "Reading", load_options, offsetof(ReportSettings, load) },
		    { "General", common_options, offsetof(ReportSettings, common) } },
	.run = run,
};
