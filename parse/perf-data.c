/* SPDX-License-Identifier: MIT */
/*
 * perf.data, read by perf: it knows its formats, symbols and maps. Where the plug-in is installed,
 * samples come through it in binary, several times as fast as text; else, and for call chains
 * that perf puts together only when it prints (DWARF, LBR), perf prints and its text is parsed.
 */

#include <glib/gstdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "parse/format.h"
#include "store/error.h"

#define FIELDS "comm,pid,tid,cpu,time,period,event,ip,sym,symoff,dso,trace"

/* --- the file ---------------------------------------------------------------------------- */

/* A perf.data that comes through a pipe or packed is put into a file without a name. */
static char *spool(Input *input, int *fd, GError **error)
{
	g_autofree char *buffer = g_malloc(INPUT_PEEK);
	FILE *file = tmpfile();
	gssize n = 0;

	while (file != NULL && (n = input_read(input, buffer, INPUT_PEEK, error)) > 0)
		fwrite(buffer, 1, (size_t)n, file);
	if (file == NULL || n < 0 || fflush(file) != 0 || ferror(file)) {
		if (n >= 0)
			fail(error, FLAMEBEAT_ERROR_FAILED, "%s: no room for a temporary file",
			     input_name(input));
		if (file != NULL)
			fclose(file);
		return NULL;
	}
	*fd = dup(fileno(file));
	fclose(file);
	return g_strdup_printf("/proc/%d/fd/%d", (int)getpid(), *fd);
}

/* --- running perf ------------------------------------------------------------------------ */

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

/* What perf says when it cannot, with what to do. */
static bool fail_perf(const ParseJob *job, const char *messages, GError **error)
{
	const char *advice = "";

	if (strstr(messages, "not owned by current user") != NULL)
		advice = " (--force reads it all the same)";
	else if (strstr(messages, "data size field is 0") != NULL)
		advice = " (the recording was killed: stop perf record with ^C)";
	else if (strstr(messages, "incompatible file format") != NULL)
		advice = " (another machine's byte order, or a newer perf's: print it there)";
	return fail(error, FLAMEBEAT_ERROR_FAILED, "%s: perf script failed: %s%s",
		    input_name(job->input), *messages != '\0' ? messages : "no message", advice);
}

typedef struct {
	bool ok;
	char *messages;
	uint64_t n_samples; /* that came of it */
	bool has_failed;    /* perf said so by its exit status */
} Outcome;

/* One run: what comes through the pipe is parsed by `format`. */
static Outcome run_perf(const ParseJob *job, const char *path, const char *plugin,
			const char *const *more, GError **error)
{
	const Format *format = plugin != NULL ? &format_perf_stream : &format_perf_script;
	uint64_t before = store_builder_n_samples(job->builder);
	ParseJob inner = *job;
	PerfProcess perf;
	Outcome outcome = { 0 };
	int fd;

	if (!perf_process_start(&perf, job->perf, path, plugin, more, &fd, error)) {
		perf_process_clear(&perf);
		return outcome;
	}
	inner.input = input_adopt(fd, input_name(job->input), job->notes, error);
	if (inner.input != NULL)
		input_watch_like(inner.input, job->input);
	outcome.ok = inner.input != NULL && format->parse(&inner, error);
	input_free(inner.input);
	outcome.messages = perf_process_finish(&perf);
	outcome.has_failed = !perf_process_succeeded(&perf);
	outcome.n_samples = store_builder_n_samples(job->builder) - before;
	perf_process_clear(&perf);
	return outcome;
}

/* The header's facts, printed by perf; what it cannot say is no loss. */
static void read_header(const ParseJob *job, const char *path)
{
	static const char *const words[] = { "--header-only", NULL };
	Skips skips = { 0 };
	g_autoptr(Notes) silent = notes_new();
	ParseJob header = *job;
	Outcome outcome;

	header.skips = &skips;
	header.notes = silent;
	outcome = run_perf(&header, path, NULL, words, NULL);
	g_free(outcome.messages);
	/* These were lines of the header alone. */
	store_builder_set_count(job->builder, FACT_LINES, 0);
	store_builder_set_count(job->builder, FACT_BYTES, 0);
}

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

/* Prints and parses; fields that were not recorded are left out one after the other. */
static bool read_text(const ParseJob *job, const char *path, GError **error)
{
	g_autofree char *fields = g_strdup(FIELDS);

	for (int attempt = 0; attempt < 12; attempt++) {
		const char *const words[] = { "--ns", "--no-inline", "-F", fields, NULL };
		g_autoptr(GError) cause = NULL;
		Outcome outcome = run_perf(job, path, NULL, words, &cause);
		g_autofree char *messages = outcome.messages;
		g_autofree char *missing = messages != NULL ? missing_field(messages) : NULL;
		char *fewer;

		if (messages == NULL) {
			g_propagate_error(error, g_steal_pointer(&cause));
			return false;
		}
		if (outcome.n_samples == 0 && missing != NULL) {
			fewer = without_field(fields, missing);
			g_free(fields);
			fields = fewer;
			continue;
		}
		if (!outcome.ok && !outcome.has_failed) {
			g_propagate_error(error, g_steal_pointer(&cause));
			return false;
		}
		if (outcome.has_failed || outcome.n_samples == 0)
			return fail_perf(job, messages, error);
		return true;
	}
	return fail_perf(job, "too many fields are missing", error);
}

/* Through the plug-in. `*wants_text`: it cannot, or should not, be done so. */
static bool read_binary(const ParseJob *job, const char *path, const char *plugin, bool *wants_text,
			GError **error)
{
	static const char *const words[] = { "-F", "comm", NULL };
	g_autoptr(GError) cause = NULL;
	Outcome outcome = run_perf(job, path, plugin, words, &cause);
	g_autofree char *messages = outcome.messages;

	*wants_text = outcome.n_samples == 0;
	if ((outcome.ok && !outcome.has_failed) || *wants_text)
		return true;
	return fail_perf(job, messages != NULL ? messages : cause->message, error);
}

static bool read_file(const ParseJob *job, const char *path, GError **error)
{
	g_autofree char *plugin = find_plugin();
	bool wants_text = true;

	read_header(job, path);
	if (plugin != NULL && !read_binary(job, path, plugin, &wants_text, error))
		return false;
	return !wants_text || read_text(job, path, error);
}

static bool parse(ParseJob *job, GError **error)
{
	const char *plain = input_plain_path(job->input);
	g_autofree char *path = NULL;
	int fd = -1;
	bool ok;

	path = plain != NULL ? g_strdup(plain) : spool(job->input, &fd, error);
	ok = path != NULL && read_file(job, path, error);
	store_builder_set_fact(job->builder, FACT_FORMAT, TEXT("perf.data"));
	if (fd >= 0)
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
