/* SPDX-License-Identifier: MIT */
/*
 * perf.data, read by perf: it knows its formats, symbols and maps. Where the plug-in is installed,
 * samples come through it in binary, several times as fast as text; else, and for call chains
 * that perf puts together only when it prints (DWARF, LBR), perf prints and its text is parsed.
 */

#include <glib/gstdio.h>
#include <unistd.h>

#include "parse/format.h"
#include "parse/perf-header.h"
#include "parse/perf-stats.h"
#include "parse/spool.h"
#include "store/error.h"

#define FIELDS "comm,pid,tid,cpu,time,period,event,ip,sym,symoff,dso,trace"

/* --- running perf ------------------------------------------------------------------------ */

/* What comes of one run of perf. */
typedef struct {
	bool ok;	    /* what it handed over could be read, to the end */
	bool is_stopped;    /* by who looks on */
	bool has_succeeded; /* perf said so by its exit status */
	char *messages;
	uint64_t n_samples;
	Skips skips;
	Notes *notes;
} Outcome;

static void outcome_clear(Outcome *self)
{
	g_clear_pointer(&self->messages, g_free);
	g_clear_pointer(&self->notes, notes_free);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Outcome, outcome_clear)

/* One run, from scratch: what comes through the pipe is parsed by `format`. Without messages, perf
 * could not be run. */
static void run_perf(Outcome *self, const ParseJob *job, const PerfTask *task, const Format *format,
		     GError **error)
{
	g_auto(PerfProcess) perf = { 0 };
	ParseJob inner = *job;

	*self = (Outcome){ .skips = { .file = job->skips->file }, .notes = notes_new() };
	store_builder_reset(job->builder);
	if (!perf_process_start(&perf, job->perf, task, error))
		return;
	inner.skips = &self->skips;
	inner.notes = self->notes;
	inner.input = input_adopt(perf_process_take_result(&perf), input_name(job->input),
				  self->notes, error);
	if (inner.input != NULL) {
		input_watch_like(inner.input, job->input);
		self->ok = format->parse(&inner, error);
		self->is_stopped = input_was_stopped(inner.input);
	}
	input_free(inner.input);
	self->messages = perf_process_finish(&perf);
	self->has_succeeded = perf_process_succeeded(&perf);
	self->n_samples = store_builder_n_samples(job->builder);
}

/* --- what perf says ---------------------------------------------------------------------- */

/* The first few lines of what it said. */
static char *in_one_line(const char *messages)
{
	g_auto(GStrv) lines = g_strsplit(messages, "\n", -1);
	guint n = g_strv_length(lines);
	g_autofree char *text = NULL;

	for (guint i = 3; i < n; i++)
		g_clear_pointer(&lines[i], g_free);
	text = g_strjoinv("; ", lines);
	return n > 3 ? g_strconcat(text, "; and more", NULL) : g_steal_pointer(&text);
}

/* Why it could not, with what to do. */
static bool fail_perf(const ParseJob *job, const char *messages, GError **error)
{
	static const struct {
		const char *part, *advice;
	} advice[] = {
		{ "not owned by current user", "--force reads it all the same" },
		{ "data size field is 0", "the recording was killed: stop perf record with ^C" },
		{ "incompatible file format",
		  "damaged, or of another machine's byte order or a newer perf: print it there" },
		{ "failed to process", "cut off or damaged: copy it anew" },
	};
	g_autofree char *line = in_one_line(messages);

	for (size_t i = 0; i < G_N_ELEMENTS(advice); i++)
		if (strstr(messages, advice[i].part) != NULL)
			return fail(error, FLAMEBEAT_ERROR_FAILED,
				    "%s: perf script failed: %s (%s)", input_name(job->input), line,
				    advice[i].advice);
	return fail(error, FLAMEBEAT_ERROR_FAILED, "%s: perf script failed: %s",
		    input_name(job->input), *line != '\0' ? line : "it does not say why");
}

static bool fail_empty(const ParseJob *job, GError **error)
{
	return fail(error, FLAMEBEAT_ERROR_FAILED,
		    "%s: no samples: what was recorded used next to no CPU time; perf record "
		    "-a records everything that runs",
		    input_name(job->input));
}

/* What it says although all went well, where that matters to who looks at the result. */
static void note_messages(const ParseJob *job, const char *messages)
{
	g_auto(GStrv) lines = g_strsplit(messages, "\n", -1);

	for (int i = 0; lines[i] != NULL; i++) {
		if (strstr(lines[i], "data size field is 0") != NULL)
			notes_add_shortfall(job->notes,
					    "%s: the recording was killed: what perf had written "
					    "by then is used",
					    input_name(job->input));
		else if (strstr(lines[i], "without symbols") != NULL ||
			 strstr(lines[i], ", ignoring it (use -f") != NULL)
			notes_add(job->notes, "%s: perf says: %s", input_name(job->input),
				  lines[i]);
	}
}

/* The run is the one that counts. */
static bool accept(const ParseJob *job, Outcome *outcome)
{
	*job->skips = outcome->skips;
	notes_add_all(job->notes, outcome->notes);
	note_messages(job, outcome->messages);
	return true;
}

/* --- text -------------------------------------------------------------------------------- */

/* The name of a field that was not recorded, of a message such as "…Cannot print 'cpu' field." */
static char *missing_field(const char *messages)
{
	const char *begin = strstr(messages, "Cannot print '");
	const char *end;

	if (begin == NULL)
		return NULL;
	begin += strlen("Cannot print '");
	end = strchr(begin, '\'');
	return end != NULL ? g_strndup(begin, (gsize)(end - begin)) : NULL;
}

static char *without_field(const char *fields, const char *field)
{
	g_auto(GStrv) words = g_strsplit(fields, ",", -1);
	g_autoptr(GPtrArray) kept = g_ptr_array_new();

	for (int i = 0; words[i] != NULL; i++)
		if (!g_str_equal(words[i], field))
			g_ptr_array_add(kept, words[i]);
	g_ptr_array_add(kept, NULL);
	return g_strjoinv(",", (char **)kept->pdata);
}

/* What came of the last run of perf that was not to be repeated with fewer fields. */
static bool judge_text(const ParseJob *job, Outcome *outcome, GError *cause, GError **error)
{
	g_autoptr(GError) owned = cause;

	if (store_builder_has_failed(job->builder))
		return true; /* said by store_builder_finish() */
	if (!outcome->is_stopped && !outcome->has_succeeded)
		return fail_perf(job, outcome->messages, error);
	if (outcome->ok && outcome->n_samples > 0)
		return accept(job, outcome);
	if (outcome->is_stopped || outcome->n_samples > 0) {
		g_propagate_error(error, g_steal_pointer(&owned));
		return false;
	}
	return *outcome->messages != '\0' ? fail_perf(job, outcome->messages, error)
					  : fail_empty(job, error);
}

/* Prints and parses; fields that were not recorded are left out one after the other. */
static bool read_text(const ParseJob *job, const char *path, GError **error)
{
	g_autofree char *fields = g_strdup(FIELDS);

	for (;;) {
		const char *const words[] = { "--ns", "--no-inline", "-F", fields, NULL };
		const PerfTask task = { .tool = "script", .path = path, .more = words };
		g_autofree char *missing = NULL, *fewer = NULL;
		GError *cause = NULL;
		g_auto(Outcome) outcome = { 0 };

		run_perf(&outcome, job, &task, &format_perf_script, &cause);
		if (outcome.messages == NULL) {
			g_propagate_error(error, cause);
			return false;
		}
		missing = missing_field(outcome.messages);
		fewer = missing != NULL ? without_field(fields, missing) : NULL;
		/* Each turn leaves one out. */
		if (outcome.n_samples > 0 || fewer == NULL || g_str_equal(fewer, fields))
			return judge_text(job, &outcome, cause, error);
		g_clear_error(&cause);
		g_free(fields);
		fields = g_steal_pointer(&fewer);
	}
}

/* --- binary ------------------------------------------------------------------------------ */

/* The plug-in: in the build tree beside the program, else where it was installed. */
static char *find_plugin(void)
{
	g_autofree char *program = g_file_read_link("/proc/self/exe", NULL);
	g_autofree char *folder = program != NULL ? g_path_get_dirname(program) : NULL;
	g_autofree char *near = NULL;

	if (folder != NULL)
		near = g_build_filename(folder, "..", "parse", "flamebeat-perf.so", NULL);
	if (near != NULL && g_access(near, R_OK) == 0)
		return g_steal_pointer(&near);
	return g_access(FLAMEBEAT_PLUGIN, R_OK) == 0 ? g_strdup(FLAMEBEAT_PLUGIN) : NULL;
}

/* Through the plug-in, if all goes well. If not, whatever it was that perf, an old one perhaps, or
 * the plug-in did not like, text is tried, from scratch: its failure is the one to report. */
static bool read_binary(const ParseJob *job, const char *path)
{
	static const char *const words[] = { "-F", "comm", NULL };
	g_autofree char *plugin = find_plugin();
	const PerfTask task = { "script", path, plugin, words };
	g_auto(Outcome) outcome = { 0 };

	if (plugin == NULL)
		return false;
	run_perf(&outcome, job, &task, &format_perf_stream, NULL);
	/* A limit that is exceeded this way is exceeded the other way too. */
	if (store_builder_has_failed(job->builder))
		return true;
	return outcome.ok && outcome.has_succeeded && outcome.n_samples > 0 &&
	       accept(job, &outcome);
}

/* --- the whole --------------------------------------------------------------------------- */

/* What perf is asked of the file as a whole, while its samples are read. */
typedef struct {
	PerfProcess header;
	PerfProcess stats;
} Questions;

static void questions_begin(Questions *self, const ParseJob *job, const char *path)
{
	static const char *const words[] = { "--header-only", NULL };
	const PerfTask task = { .tool = "script", .path = path, .more = words };

	perf_process_start(&self->header, job->perf, &task, NULL);
	perf_stats_begin(&self->stats, job->perf, path);
}

static void questions_clear(Questions *self)
{
	perf_process_clear(&self->header);
	perf_process_clear(&self->stats);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Questions, questions_clear)

/* The header's facts, printed by perf; what it cannot say is no loss. */
static void take_header(PerfProcess *process, StoreBuilder *builder)
{
	g_autofree char *text = process->is_running ? perf_process_read_result(process) : NULL;
	g_auto(GStrv) lines = g_strsplit(text != NULL ? text : "", "\n", -1);

	for (int i = 0; lines[i] != NULL; i++)
		if (lines[i][0] == '#')
			perf_header_comment(text_from(lines[i]), builder);
}

static bool read_file(const ParseJob *job, const char *path, GError **error)
{
	g_auto(Questions) questions = { 0 };
	PerfStats stats;

	questions_begin(&questions, job, path);
	if (!read_binary(job, path) && !read_text(job, path, error))
		return false;
	take_header(&questions.header, job->builder);
	perf_stats_end(&stats, &questions.stats, job->perf, path);
	perf_stats_record(&stats, job->builder);
	perf_stats_note(&stats, input_name(job->input), job->notes);
	store_builder_set_fact(job->builder, FACT_FORMAT, TEXT("perf.data"));
	return true;
}

static bool parse(ParseJob *job, GError **error)
{
	const char *plain = input_plain_path(job->input);
	g_autofree char *path = NULL;
	int fd = -1;
	bool ok;

	if (plain != NULL)
		return read_file(job, plain, error);
	fd = spool_input(job->input, error);
	if (fd < 0)
		return false;
	path = spool_path(fd);
	ok = read_file(job, path, error);
	close(fd);
	return ok;
}

static bool probe(Text head)
{
	return text_starts(head, "PERFILE2") || text_starts(head, "2ELIFREP") ||
	       text_starts(head, "PERFFILE");
}

const Format format_perf_data = {
	.name = "perf.data",
	.help = "what perf record writes, read by perf",
	.probe = probe,
	.parse = parse,
};
