/* SPDX-License-Identifier: MIT */
/* perf as a child process. Its language is English, its pager off, its standard input empty. */

#include "parse/perf-process.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "store/error.h"
#include "store/text.h"

/* Where the plug-in finds its pipe in the child. */
#define PLUGIN_FD 9

#define MAX_MESSAGE_BYTES 65536
#define MAX_RESULT_BYTES  (1 << 20)

static char **make_arguments(const PerfSettings *settings, const PerfTask *task)
{
	GPtrArray *words = g_ptr_array_new();

	g_ptr_array_add(words, g_strdup(settings->program != NULL ? settings->program : "perf"));
	g_ptr_array_add(words, g_strdup(task->tool));
	g_ptr_array_add(words, g_strdup("-i"));
	g_ptr_array_add(words, g_strdup(task->path));
	if (settings->is_forced)
		g_ptr_array_add(words, g_strdup("-f"));
	if (settings->symfs != NULL)
		g_ptr_array_add(words, g_strconcat("--symfs=", settings->symfs, NULL));
	if (settings->kallsyms != NULL)
		g_ptr_array_add(words, g_strconcat("--kallsyms=", settings->kallsyms, NULL));
	if (task->plugin != NULL) {
		g_ptr_array_add(words, g_strdup("--dlfilter"));
		g_ptr_array_add(words, g_strdup(task->plugin));
		g_ptr_array_add(words, g_strdup("--dlarg"));
		g_ptr_array_add(words, g_strdup_printf("%d", PLUGIN_FD));
	}
	for (const char *const *word = task->more; *word != NULL; word++)
		g_ptr_array_add(words, g_strdup(*word));
	g_ptr_array_add(words, NULL);
	return (char **)g_ptr_array_free(words, FALSE);
}

static char **make_environment(void)
{
	char **environment = g_get_environ();

	environment = g_environ_setenv(environment, "LC_ALL", "C", TRUE);
	return g_environ_setenv(environment, "PERF_PAGER", "cat", TRUE);
}

static bool spawn(PerfProcess *self, char **arguments, int write_fd, bool has_plugin,
		  GError **error)
{
	g_auto(GStrv) environment = make_environment();
	g_autoptr(GError) cause = NULL;
	int null_fd = open("/dev/null", O_RDWR | O_CLOEXEC);
	const int target = PLUGIN_FD;
	bool ok;

	ok = g_spawn_async_with_pipes_and_fds(
		NULL, (const char *const *)arguments, (const char *const *)environment,
		G_SPAWN_SEARCH_PATH | G_SPAWN_DO_NOT_REAP_CHILD, NULL, NULL, null_fd,
		has_plugin ? null_fd : write_fd, self->messages, &write_fd, &target,
		has_plugin ? 1 : 0, &self->pid, NULL, NULL, NULL, &cause);
	close(null_fd);
	self->is_running = ok;
	if (ok)
		return true;
	return fail(error, FLAMEBEAT_ERROR_FAILED,
		    "cannot run %s (%s): install linux-perf, or print the file where perf is: perf "
		    "script --header --no-inline -i %s > out.perf",
		    arguments[0], cause->message, arguments[3]);
}

bool perf_process_start(PerfProcess *self, const PerfSettings *settings, const PerfTask *task,
			GError **error)
{
	g_auto(GStrv) arguments = make_arguments(settings, task);
	int ends[2] = { -1, -1 };
	bool ok;

	*self = (PerfProcess){ .messages = memfd_create("perf-messages", MFD_CLOEXEC),
			       .result = -1 };
	if (self->messages < 0 || pipe2(ends, O_CLOEXEC) != 0)
		return fail(error, FLAMEBEAT_ERROR_FAILED, "cannot run perf: %s",
			    g_strerror(errno));
	/* Fewer switches between the two processes. */
	(void)fcntl(ends[1], F_SETPIPE_SZ, 1 << 20);
	ok = spawn(self, arguments, ends[1], task->plugin != NULL, error);
	close(ends[1]);
	self->result = ends[0];
	return ok;
}

int perf_process_take_result(PerfProcess *self)
{
	int fd = self->result;

	self->result = -1;
	return fd;
}

char *perf_process_read_result(PerfProcess *self)
{
	g_autofree char *text = g_malloc(MAX_RESULT_BYTES + 1);
	size_t n_bytes = 0;
	ssize_t n;

	do {
		n = read(self->result, text + n_bytes, MAX_RESULT_BYTES - n_bytes);
		n_bytes += n > 0 ? (size_t)n : 0;
	} while (n > 0 || (n < 0 && errno == EINTR));
	text[n_bytes] = '\0';
	return g_steal_pointer(&text);
}

/* What perf says whatever happens. */
static bool is_noise(const char *line)
{
	return *line == '\0' || strstr(line, "not valid for") != NULL;
}

static char *read_messages(const PerfProcess *self)
{
	g_autofree char *text = g_malloc0(MAX_MESSAGE_BYTES + 1);
	g_auto(GStrv) lines = NULL;
	GString *kept = g_string_new(NULL);

	if (pread(self->messages, text, MAX_MESSAGE_BYTES, 0) < 0)
		return g_string_free(kept, FALSE);
	lines = g_strsplit(text, "\n", -1);
	for (int i = 0; lines[i] != NULL; i++)
		if (!is_noise(g_strstrip(lines[i])))
			g_string_append_printf(kept, "%s%s", kept->len > 0 ? "\n" : "", lines[i]);
	return g_string_free(kept, FALSE);
}

static void close_result(PerfProcess *self)
{
	if (self->result >= 0)
		close(self->result);
	self->result = -1;
}

static void reap(PerfProcess *self)
{
	while (self->is_running && waitpid(self->pid, &self->status, 0) < 0) {
		if (errno == EINTR)
			continue;
		self->status = -1; /* nobody knows how it ended: not well */
		break;
	}
	self->is_running = false;
}

/* How it ended, where that was not well, and not by us who read no further. */
static char *how_it_ended(const PerfProcess *self)
{
	if (WIFSIGNALED(self->status) && WTERMSIG(self->status) != SIGPIPE)
		return g_strdup_printf("perf was ended by signal %d (%s)", WTERMSIG(self->status),
				       g_strsignal(WTERMSIG(self->status)));
	if (WIFEXITED(self->status) && WEXITSTATUS(self->status) != 0)
		return g_strdup_printf("perf ended with status %d", WEXITSTATUS(self->status));
	return NULL;
}

char *perf_process_finish(PerfProcess *self)
{
	g_autofree char *messages = NULL, *end = NULL;

	close_result(self);
	reap(self);
	messages = read_messages(self);
	end = how_it_ended(self);
	if (end == NULL || (*messages != '\0' && !WIFSIGNALED(self->status)))
		return g_steal_pointer(&messages);
	return *messages != '\0' ? g_strjoin("\n", end, messages, NULL) : g_steal_pointer(&end);
}

void perf_process_clear(PerfProcess *self)
{
	if (self->is_running)
		g_free(perf_process_finish(self));
	if (self->messages > 0)
		close_result(self);
	if (self->messages > 0)
		close(self->messages);
	self->messages = -1;
}

bool perf_process_succeeded(const PerfProcess *self)
{
	return WIFEXITED(self->status) && WEXITSTATUS(self->status) == 0;
}
