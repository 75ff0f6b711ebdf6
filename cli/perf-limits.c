/* SPDX-License-Identifier: MIT */
/*
 * The kernel's switches for perf. kernel.perf_event_paranoid: from 1 on, only the privileged may
 * record whole CPUs, from 2 on the kernel's part of a program, from 3 on (Debian, Ubuntu) anything.
 * Privileged are CAP_PERFMON and CAP_SYS_ADMIN, held by us or by the file of perf.
 */

#include "cli/perf-limits.h"

#include <linux/capability.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>

#include "store/error.h"

/* Since Linux 5.8; older headers lack it. */
#ifndef CAP_PERFMON
#define CAP_PERFMON 38
#endif

static int read_switch(const char *name, int fallback)
{
	g_autofree char *path = g_build_filename("/proc/sys/kernel", name, NULL);
	g_autofree char *text = NULL;

	if (!g_file_get_contents(path, &text, NULL, NULL))
		return fallback;
	return (int)g_ascii_strtoll(text, NULL, 10);
}

static guint64 read_capabilities(void)
{
	g_autofree char *text = NULL;
	const char *line;

	if (!g_file_get_contents("/proc/self/status", &text, NULL, NULL))
		return 0;
	line = strstr(text, "\nCapEff:");
	return line != NULL ? g_ascii_strtoull(line + strlen("\nCapEff:"), NULL, 16) : 0;
}

/* Administrators give them to perf itself, so that a group of users may record. */
static bool has_capabilities(const char *path)
{
	struct stat info;

	return getxattr(path, "security.capability", NULL, 0) > 0 ||
	       (stat(path, &info) == 0 && (info.st_mode & S_ISUID) != 0);
}

void perf_limits_read(PerfLimits *self, const char *perf_path)
{
	const guint64 recording = 1ull << CAP_PERFMON | 1ull << CAP_SYS_ADMIN;
	guint64 ours = read_capabilities();
	bool is_given = has_capabilities(perf_path);

	self->paranoid = read_switch("perf_event_paranoid", 2);
	self->kptr_restrict = read_switch("kptr_restrict", 0);
	self->max_rate_hz = read_switch("perf_event_max_sample_rate", 0);
	self->is_privileged = is_given || (ours & recording) != 0;
	self->sees_kernel_addresses = is_given || (ours & 1ull << CAP_SYSLOG) != 0;
}

bool perf_limits_check(const PerfLimits *self, bool is_system_wide, GError **error)
{
	if (self->is_privileged || self->paranoid <= 0)
		return true;
	if (self->paranoid >= 3)
		return fail(error, FLAMEBEAT_ERROR_FAILED,
			    "only root may record here (kernel.perf_event_paranoid is %d): use "
			    "sudo, or as root: sysctl kernel.perf_event_paranoid=%d",
			    self->paranoid, is_system_wide ? 0 : 1);
	if (is_system_wide)
		return fail(error, FLAMEBEAT_ERROR_FAILED,
			    "only root may record all CPUs here (kernel.perf_event_paranoid is "
			    "%d): use sudo, or as root: sysctl kernel.perf_event_paranoid=0; or "
			    "record a program of your own: flamebeat record -- COMMAND",
			    self->paranoid);
	return true;
}

static bool has_kernel_names(const PerfLimits *self)
{
	if (self->kptr_restrict >= 2)
		return false;
	return self->sees_kernel_addresses || (self->kptr_restrict <= 0 && self->paranoid <= 1);
}

void perf_limits_note(const PerfLimits *self, int frequency_hz, Notes *notes)
{
	if (!self->is_privileged && self->paranoid >= 2)
		notes_add(notes,
			  "the kernel's part is not recorded (kernel.perf_event_paranoid is %d): "
			  "use sudo, or as root: sysctl kernel.perf_event_paranoid=1",
			  self->paranoid);
	else if (!has_kernel_names(self))
		notes_add(notes,
			  "the kernel's functions will have no names (kernel.kptr_restrict is "
			  "%d): as root: sysctl kernel.kptr_restrict=0",
			  self->kptr_restrict);
	if (self->max_rate_hz > 0 && frequency_hz > self->max_rate_hz)
		notes_add(notes,
			  "%d samples a second are more than kernel.perf_event_max_sample_rate "
			  "permits: perf takes %d",
			  frequency_hz, self->max_rate_hz);
}
