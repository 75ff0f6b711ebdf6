/* SPDX-License-Identifier: MIT */
/* A file without a name vanishes by itself, however the program ends. */

#include "parse/spool.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <unistd.h>

#include "store/error.h"
#include "store/limits.h"

static int open_unnamed(void)
{
	g_autofree char *name = g_build_filename(g_get_tmp_dir(), "flamebeat-XXXXXX", NULL);
	int fd = open(g_get_tmp_dir(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);

	if (fd >= 0)
		return fd;
	/* Not every file system has them. */
	fd = g_mkstemp_full(name, O_RDWR | O_CLOEXEC, 0600);
	if (fd >= 0)
		g_unlink(name);
	return fd;
}

static bool write_all(int fd, const char *bytes, size_t n_left)
{
	while (n_left > 0) {
		ssize_t n = write(fd, bytes, n_left);

		if (n < 0 && errno != EINTR)
			return false;
		bytes += MAX(n, 0);
		n_left -= (size_t)MAX(n, 0);
	}
	return true;
}

static bool copy(Input *input, int fd, GError **error)
{
	g_autofree char *buffer = g_malloc(INPUT_PEEK);
	uint64_t n_bytes = 0;
	gssize n;

	while ((n = input_read(input, buffer, INPUT_PEEK, error)) > 0) {
		n_bytes += (uint64_t)n;
		if (n_bytes > MAX_SPOOL_BYTES)
			return fail(error, FLAMEBEAT_ERROR_LIMIT,
				    "%s: more than %llu GiB through a pipe, or unpacked; give it "
				    "as a plain file",
				    input_name(input), MAX_SPOOL_BYTES >> 30);
		if (!write_all(fd, buffer, (size_t)n))
			return fail(error, FLAMEBEAT_ERROR_FAILED,
				    "%s: cannot be put into a temporary file in %s: %s; TMPDIR "
				    "names another folder",
				    input_name(input), g_get_tmp_dir(), g_strerror(errno));
	}
	return n == 0;
}

int spool_input(Input *input, GError **error)
{
	int fd = open_unnamed();

	if (fd < 0) {
		fail(error, FLAMEBEAT_ERROR_FAILED, "%s: no temporary file in %s: %s",
		     input_name(input), g_get_tmp_dir(), g_strerror(errno));
		return -1;
	}
	if (copy(input, fd, error))
		return fd;
	close(fd);
	return -1;
}

char *spool_path(int fd)
{
	return g_strdup_printf("/proc/%d/fd/%d", (int)getpid(), fd);
}
