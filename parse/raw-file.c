/* SPDX-License-Identifier: MIT */
/* read(2) with a buffer in front, so that the first bytes can be looked at. */

#include "parse/raw-file.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include "store/error.h"

static bool fail_io(const RawFile *self, GError **error)
{
	return fail(error, FLAMEBEAT_ERROR_FAILED, "%s: %s", self->name, g_strerror(errno));
}

bool raw_file_open(RawFile *self, const char *path, GError **error)
{
	bool is_stdin = g_str_equal(path, "-");
	struct stat info;

	self->stop_fd = -1;
	self->name = g_strdup(is_stdin ? "standard input" : path);
	self->buffer = g_malloc(RAW_BYTES);
	self->fd = is_stdin ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
	if (self->fd < 0 || fstat(self->fd, &info) != 0)
		return fail_io(self, error);
	if (S_ISDIR(info.st_mode))
		return fail(error, FLAMEBEAT_ERROR_FAILED,
			    "%s: is a directory; name the recordings in it", self->name);
	self->is_regular = S_ISREG(info.st_mode);
	self->n_total = self->is_regular ? (uint64_t)info.st_size : 0;
	return true;
}

void raw_file_adopt(RawFile *self, int fd, const char *name)
{
	self->stop_fd = -1;
	self->name = g_strdup(name);
	self->buffer = g_malloc(RAW_BYTES);
	self->fd = fd;
}

void raw_file_clear(RawFile *self)
{
	if (self->fd > STDIN_FILENO)
		close(self->fd);
	g_free(self->buffer);
	g_free(self->name);
}

/* Waits for bytes, of a pipe maybe for ever; false where it is told to stop. */
static bool wait_for_bytes(const RawFile *self)
{
	struct pollfd fds[] = { { .fd = self->fd, .events = POLLIN },
				{ .fd = self->stop_fd, .events = POLLIN } };

	while (self->stop_fd >= 0 && poll(fds, G_N_ELEMENTS(fds), -1) < 0 && errno == EINTR)
		continue;
	return self->stop_fd < 0 || fds[1].revents == 0;
}

static gssize read_some(RawFile *self, char *bytes, gsize size, GError **error)
{
	gssize n = 0;

	if (wait_for_bytes(self))
		do
			n = read(self->fd, bytes, size);
		while (n < 0 && errno == EINTR);
	if (n < 0)
		fail_io(self, error);
	self->is_end = n == 0;
	__atomic_store_n(&self->n_read, self->n_read + (n > 0 ? (uint64_t)n : 0), __ATOMIC_RELAXED);
	return n;
}

bool raw_file_more(RawFile *self, GError **error)
{
	gssize n;

	memmove(self->buffer, self->buffer + self->next, self->end - self->next);
	self->end -= self->next;
	self->next = 0;
	n = read_some(self, self->buffer + self->end, RAW_BYTES - self->end, error);
	self->end += n > 0 ? (size_t)n : 0;
	return n >= 0;
}

bool raw_file_fill(RawFile *self, size_t n, GError **error)
{
	while (self->end - self->next < n && !self->is_end)
		if (!raw_file_more(self, error))
			return false;
	return true;
}

gssize raw_file_read(RawFile *self, char *bytes, gsize size, GError **error)
{
	gsize n = MIN(size, self->end - self->next);

	if (n > 0) {
		memcpy(bytes, self->buffer + self->next, n);
		self->next += n;
		return (gssize)n;
	}
	return self->is_end ? 0 : read_some(self, bytes, size, error);
}
