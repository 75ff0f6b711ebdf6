/* SPDX-License-Identifier: MIT */
/*
 * perf record as a child process that must never be killed: it completes its file when it is asked
 * to end, by SIGINT or SIGTERM, and it is asked once. It is in our process group, so that a command
 * it runs keeps the terminal. A ^C of the terminal therefore reaches it by itself; what was sent to
 * us alone is passed on.
 */

#include "cli/perf-record.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "store/error.h"

/* In the child, before perf is executed. */
static void prepare_child(gpointer data)
{
	const PerfRecord *self = data;

	sigprocmask(SIG_SETMASK, &self->old_mask, NULL);
	/* A terminal that hangs up would kill perf; we hear of it and ask it to end. */
	signal(SIGHUP, SIG_IGN);
	/* Should we die, it must not go on for ever. */
	prctl(PR_SET_PDEATHSIG, SIGTERM);
}

static void fill_signals(sigset_t *set)
{
	sigemptyset(set);
	sigaddset(set, SIGINT);
	sigaddset(set, SIGTERM);
	sigaddset(set, SIGHUP);
	sigaddset(set, SIGCHLD);
}

bool perf_record_start(PerfRecord *self, char *const *words, bool has_command, GError **error)
{
	GSpawnFlags flags = G_SPAWN_SEARCH_PATH | G_SPAWN_DO_NOT_REAP_CHILD;
	g_autoptr(GError) cause = NULL;
	sigset_t set;

	/* The command gets what a shell would give it: our input and descriptors. */
	if (has_command)
		flags |= G_SPAWN_CHILD_INHERITS_STDIN | G_SPAWN_LEAVE_DESCRIPTORS_OPEN;
	*self = (PerfRecord){ 0 };
	fill_signals(&set);
	sigprocmask(SIG_BLOCK, &set, &self->old_mask);
	self->is_running = g_spawn_async(NULL, (char **)words, NULL, flags, prepare_child, self,
					 &self->pid, &cause);
	return self->is_running ||
	       fail(error, FLAMEBEAT_ERROR_FAILED, "cannot run perf: %s", cause->message);
}

static void pass_on(PerfRecord *self, const siginfo_t *info)
{
	bool is_of_terminal = info->si_code == SI_KERNEL && info->si_signo != SIGHUP;

	if (!self->is_stopping && !is_of_terminal)
		kill(self->pid, info->si_signo == SIGHUP ? SIGTERM : info->si_signo);
	self->is_stopping = true;
}

static void reap(PerfRecord *self)
{
	if (waitpid(self->pid, &self->status, WNOHANG) == self->pid)
		self->is_running = false;
}

bool perf_record_wait(PerfRecord *self, int seconds)
{
	gint64 end_us = g_get_monotonic_time() + (gint64)seconds * G_USEC_PER_SEC;
	sigset_t set;

	fill_signals(&set);
	for (;;) {
		gint64 left_us = MAX(end_us - g_get_monotonic_time(), 0);
		struct timespec timeout = { left_us / G_USEC_PER_SEC,
					    left_us % G_USEC_PER_SEC * 1000 };
		siginfo_t info;
		int signal = sigtimedwait(&set, &info, &timeout);

		if (signal > 0 && signal != SIGCHLD)
			pass_on(self, &info);
		reap(self);
		if (!self->is_running || left_us == 0)
			return self->is_running;
	}
}

void perf_record_clear(PerfRecord *self)
{
	while (self->is_running)
		perf_record_wait(self, 3600);
	sigprocmask(SIG_SETMASK, &self->old_mask, NULL);
}

/* The size of the data is written last. */
bool perf_data_is_complete(const char *path)
{
	char head[56];
	guint64 data_size = 0;
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd >= 0 ? pread(fd, head, sizeof(head), 0) : -1;

	if (fd >= 0)
		close(fd);
	if (n != (ssize_t)sizeof(head) || memcmp(head, "PERFILE2", 8) != 0)
		return false;
	memcpy(&data_size, head + sizeof(head) - sizeof(data_size), sizeof(data_size));
	return data_size > 0;
}
