/* SPDX-License-Identifier: MIT */
/*
 * Files without a name (O_TMPFILE) vanish by themselves when the program ends before its time;
 * where the file system has none of them, a hidden file beside the target is used.
 */

#include "cli/output.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "store/error.h"

struct Output {
	FILE *stream;
	int fd;		 /* beneath it */
	int write_errno; /* of the first write that failed; 0: none did */
	char *path;	 /* of the target; NULL: standard output */
	char *folder;
	char *temporary; /* to be renamed, or removed; NULL: there is none (yet) */
	bool is_direct;	 /* written in place: standard output, devices, pipes */
	bool is_hosted;	 /* the stream is the host's */
	bool is_unnamed;
};

bool output_is_terminal(const char *path)
{
	return (path == NULL || g_str_equal(path, "-")) && isatty(STDOUT_FILENO);
}

static bool fail_output(const Output *self, const char *what, GError **error)
{
	return fail(error, FLAMEBEAT_ERROR_FAILED, "%s: %s: %s",
		    self->path != NULL ? self->path : "standard output", what, g_strerror(errno));
}

void output_free(Output *self)
{
	if (self == NULL)
		return;
	if (self->stream != NULL && !self->is_hosted)
		fclose(self->stream);
	if (self->fd > STDOUT_FILENO)
		close(self->fd);
	if (self->temporary != NULL)
		unlink(self->temporary);
	g_free(self->temporary);
	g_free(self->folder);
	g_free(self->path);
	g_free(self);
}

FILE *output_stream(Output *self)
{
	return self->stream;
}

/* --- the stream -------------------------------------------------------------------------- */

/* A stdio stream of its own, because stdio forgets why an earlier write failed. */
static ssize_t write_through(void *cookie, const char *bytes, size_t size)
{
	Output *self = cookie;
	size_t n_left = size;

	while (n_left > 0) {
		ssize_t n = write(self->fd, bytes + (size - n_left), n_left);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0 && self->write_errno == 0)
			self->write_errno = errno;
		if (n < 0)
			return 0;
		n_left -= (size_t)n;
	}
	return (ssize_t)size;
}

static bool open_stream(Output *self)
{
	self->stream = fopencookie(self, "w", (cookie_io_functions_t){ .write = write_through });
	return self->stream != NULL && setvbuf(self->stream, NULL, _IOFBF, 1 << 16) == 0;
}

/* --- opening ----------------------------------------------------------------------------- */

static char *temporary_name(const Output *self)
{
	return g_strdup_printf("%s/.flamebeat-%08x.tmp", self->folder, g_random_int());
}

static int open_temporary(Output *self)
{
	int fd = open(self->folder, O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);
	g_autofree char *name = NULL;

	self->is_unnamed = fd >= 0;
	if (fd >= 0 || (errno != EOPNOTSUPP && errno != EISDIR && errno != EINVAL))
		return fd;
	name = temporary_name(self);
	fd = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	if (fd >= 0)
		self->temporary = g_steal_pointer(&name);
	return fd;
}

#define MAX_LINKS 40 /* as many as the kernel follows */

/* Where a link leads, of which nothing is there yet. */
static char *follow_links(const char *path)
{
	char *current = g_strdup(path), *target;

	for (int i = 0; i < MAX_LINKS && (target = g_file_read_link(current, NULL)) != NULL; i++) {
		g_autofree char *folder = g_path_get_dirname(current);

		g_free(current);
		current = g_path_is_absolute(target) ? g_strdup(target)
						     : g_build_filename(folder, target, NULL);
		g_free(target);
	}
	return current;
}

/* A link is followed, so that the file it names is replaced and not the link. */
static char *resolve(const char *path)
{
	char *real = realpath(path, NULL);
	char *copy;

	if (real == NULL)
		return access(path, F_OK) == 0 ? g_strdup(path) : follow_links(path);
	copy = g_strdup(real);
	free(real);
	return copy;
}

static bool open_path(Output *self, const char *path, GError **error)
{
	struct stat info;

	self->path = resolve(path);
	self->folder = g_path_get_dirname(self->path);
	if (stat(self->path, &info) == 0 && S_ISDIR(info.st_mode)) {
		errno = EISDIR;
		return fail_output(self, "cannot write", error);
	}
	self->is_direct = stat(self->path, &info) == 0 && !S_ISREG(info.st_mode);
	self->fd = self->is_direct ? open(self->path, O_WRONLY | O_CLOEXEC) : open_temporary(self);
	return (self->fd >= 0 && open_stream(self)) || fail_output(self, "cannot write", error);
}

Output *output_open(const char *path, const Host *host, GError **error)
{
	g_autoptr(Output) self = g_new0(Output, 1);

	if (host != NULL) {
		self->stream = host->sink;
		self->is_hosted = self->is_direct = true;
		return g_steal_pointer(&self);
	}
	if (path == NULL || g_str_equal(path, "-")) {
		self->fd = STDOUT_FILENO;
		self->is_direct = true;
		if (!open_stream(self) && !fail_output(self, "cannot write", error))
			return NULL;
		return g_steal_pointer(&self);
	}
	return open_path(self, path, error) ? g_steal_pointer(&self) : NULL;
}

static bool name_temporary(Output *self)
{
	g_autofree char *link_path = g_strdup_printf("/proc/self/fd/%d", self->fd);
	g_autofree char *name = temporary_name(self);

	if (linkat(AT_FDCWD, link_path, AT_FDCWD, name, AT_SYMLINK_FOLLOW) != 0)
		return false;
	self->temporary = g_steal_pointer(&name);
	return true;
}

static bool sync_folder(const Output *self)
{
	int fd = open(self->folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	bool ok = fd >= 0 && (fsync(fd) == 0 || errno == EINVAL);

	if (fd >= 0)
		close(fd);
	return ok;
}

static bool replace(Output *self, GError **error)
{
	struct stat info;

	/* The file that is replaced keeps its permissions. */
	if (stat(self->path, &info) == 0 && fchmod(self->fd, info.st_mode & 0777) != 0)
		return fail_output(self, "cannot set permissions", error);
	if (fsync(self->fd) != 0 || (self->is_unnamed && !name_temporary(self)) ||
	    rename(self->temporary, self->path) != 0)
		return fail_output(self, "cannot write", error);
	g_clear_pointer(&self->temporary, g_free);
	return sync_folder(self) || fail_output(self, "cannot write", error);
}

bool output_commit(Output *self, GError **error)
{
	if (fflush(self->stream) != 0 || ferror(self->stream)) {
		errno = self->write_errno != 0 ? self->write_errno : EIO;
		return fail_output(self, "cannot write", error);
	}
	return self->is_direct || replace(self, error);
}
