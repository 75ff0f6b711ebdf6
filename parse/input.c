/* SPDX-License-Identifier: MIT */
/*
 * Reading and unpacking. zlib itself rather than GLib's converter, which drops all members of a
 * gzip file but the first, and an explicit loop over members.
 */

#include "parse/input.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "store/error.h"

#define RAW_BYTES (1u << 18)

/* zlib: window of 32 KiB, gzip framing only. */
#define GZIP_WINDOW (15 + 16)

struct Input {
	char *name;
	char *path; /* NULL: standard input */
	int fd;
	bool is_regular;
	Notes *notes;

	char *raw; /* bytes as they are in the file: [raw_next, raw_end) of RAW_BYTES */
	size_t raw_next, raw_end;
	bool is_raw_end;

	bool is_gzip;
	bool is_in_member; /* between a member's header and its trailer */
	z_stream stream;

	char *head; /* peeked at, [head_next, head_end) not given out yet */
	size_t head_next, head_end;
};

const char *input_name(const Input *self)
{
	return self->name;
}

const char *input_plain_path(const Input *self)
{
	return self->is_regular && !self->is_gzip ? self->path : NULL;
}

void input_free(Input *self)
{
	if (self == NULL)
		return;
	if (self->is_gzip)
		inflateEnd(&self->stream);
	if (self->fd > STDIN_FILENO)
		close(self->fd);
	g_free(self->raw);
	g_free(self->head);
	g_free(self->name);
	g_free(self->path);
	g_free(self);
}

static bool fail_io(const Input *self, GError **error)
{
	return fail(error, FLAMEBEAT_ERROR_FAILED, "%s: %s", self->name, g_strerror(errno));
}

/* More raw bytes behind those that are there. */
static bool fill_raw(Input *self, GError **error)
{
	gssize n;

	memmove(self->raw, self->raw + self->raw_next, self->raw_end - self->raw_next);
	self->raw_end -= self->raw_next;
	self->raw_next = 0;
	do
		n = read(self->fd, self->raw + self->raw_end, RAW_BYTES - self->raw_end);
	while (n < 0 && errno == EINTR);
	if (n < 0)
		return fail_io(self, error);
	self->is_raw_end = n == 0;
	self->raw_end += (size_t)n;
	return true;
}

static bool starts_as_gzip(const Input *self)
{
	return self->raw_end - self->raw_next >= 2 &&
	       memcmp(self->raw + self->raw_next, "\x1f\x8b", 2) == 0;
}

/* Packed forms that are not read (yet) are named instead of being parsed as text. */
static bool check_packing(const Input *self, GError **error)
{
	Text raw = { self->raw, self->raw_end };

	if (text_starts(raw, "\x28\xb5\x2f\xfd"))
		return fail(
			error, FLAMEBEAT_ERROR_FAILED,
			"%s: packed with zstd, which is not read yet: `zstd -dc FILE | flamebeat "
			"... -`",
			self->name);
	if (text_starts(raw, "\xfd"
			     "7zXZ"))
		return fail(
			error, FLAMEBEAT_ERROR_FAILED,
			"%s: packed with xz, which is not read yet: `xz -dc FILE | flamebeat ... "
			"-`",
			self->name);
	return true;
}

static bool recognize(Input *self, GError **error)
{
	/* A pipe may give its first bytes one by one. */
	while (self->raw_end < 6 && !self->is_raw_end)
		if (!fill_raw(self, error))
			return false;
	if (!check_packing(self, error))
		return false;
	if (!starts_as_gzip(self))
		return true;
	self->is_gzip = true;
	if (inflateInit2(&self->stream, GZIP_WINDOW) != Z_OK)
		return fail(error, FLAMEBEAT_ERROR_LIMIT, "%s: out of memory", self->name);
	return true;
}

static bool open_path(Input *self, GError **error)
{
	struct stat info;

	if (self->path != NULL)
		self->fd = open(self->path, O_RDONLY | O_CLOEXEC);
	if (self->fd < 0 || fstat(self->fd, &info) != 0)
		return fail_io(self, error);
	if (S_ISDIR(info.st_mode))
		return fail(error, FLAMEBEAT_ERROR_FAILED,
			    "%s: is a directory; name the recordings in it", self->name);
	self->is_regular = S_ISREG(info.st_mode);
	return recognize(self, error);
}

Input *input_open(const char *path, Notes *notes, GError **error)
{
	g_autoptr(Input) self = g_new0(Input, 1);
	bool is_stdin = g_str_equal(path, "-");

	self->name = g_strdup(is_stdin ? "standard input" : path);
	self->path = is_stdin ? NULL : g_strdup(path);
	self->fd = STDIN_FILENO;
	self->notes = notes;
	self->raw = g_malloc(RAW_BYTES);
	return open_path(self, error) ? g_steal_pointer(&self) : NULL;
}

/* --- gzip -------------------------------------------------------------------------------- */

/* At the end of a member: another one, the end, or bytes that are no gzip. */
static bool next_member(Input *self, bool *is_end, GError **error)
{
	while (self->raw_end - self->raw_next < 2 && !self->is_raw_end)
		if (!fill_raw(self, error))
			return false;
	*is_end = !starts_as_gzip(self);
	if (*is_end && self->raw_end > self->raw_next)
		notes_add_shortfall(self->notes,
				    "%s: what follows the gzip data is not gzip and "
				    "was ignored",
				    self->name);
	if (*is_end)
		self->raw_next = self->raw_end;
	else if (inflateReset(&self->stream) != Z_OK)
		return fail(error, FLAMEBEAT_ERROR_FAILED, "%s: zlib failed", self->name);
	self->is_in_member = !*is_end;
	return true;
}

/* One call of inflate; `size` bytes of room. */
static gssize inflate_some(Input *self, char *buffer, gsize size, GError **error)
{
	int status;
	gsize n_room = MIN(size, G_MAXINT32);

	self->stream.next_in = (Bytef *)self->raw + self->raw_next;
	self->stream.avail_in = (uInt)(self->raw_end - self->raw_next);
	self->stream.next_out = (Bytef *)buffer;
	self->stream.avail_out = (uInt)n_room;
	status = inflate(&self->stream, Z_NO_FLUSH);
	self->raw_next = self->raw_end - self->stream.avail_in;
	if (status == Z_STREAM_END)
		self->is_in_member = false;
	else if (status != Z_OK && status != Z_BUF_ERROR)
		return fail(error, FLAMEBEAT_ERROR_FAILED,
			    "%s: damaged gzip data (%s): what it held cannot be trusted",
			    self->name,
			    self->stream.msg != NULL ? self->stream.msg : "zlib error") -
		       1;
	return (gssize)(n_room - self->stream.avail_out);
}

static gssize read_gzip(Input *self, char *buffer, gsize size, GError **error)
{
	for (;;) {
		gssize n;
		bool is_end;

		if (!self->is_in_member) {
			if (!next_member(self, &is_end, error))
				return -1;
			if (is_end)
				return 0;
		}
		if (self->raw_next == self->raw_end && !self->is_raw_end && !fill_raw(self, error))
			return -1;
		n = inflate_some(self, buffer, size, error);
		if (n != 0)
			return n;
		if (self->is_in_member && self->is_raw_end && self->raw_next == self->raw_end) {
			notes_add_shortfall(self->notes,
					    "%s: the gzip data is cut off; using what was there",
					    self->name);
			self->is_in_member = false;
			self->is_raw_end = true;
			return 0;
		}
	}
}

/* --- reading ----------------------------------------------------------------------------- */

static gssize read_plain(Input *self, char *buffer, gsize size, GError **error)
{
	gssize n = (gssize)MIN(size, self->raw_end - self->raw_next);

	if (n > 0) {
		memcpy(buffer, self->raw + self->raw_next, (size_t)n);
		self->raw_next += (size_t)n;
		return n;
	}
	if (self->is_raw_end)
		return 0;
	do
		n = read(self->fd, buffer, size);
	while (n < 0 && errno == EINTR);
	if (n < 0)
		fail_io(self, error);
	self->is_raw_end = n == 0;
	return n;
}

static gssize read_bytes(Input *self, char *buffer, gsize size, GError **error)
{
	return self->is_gzip ? read_gzip(self, buffer, size, error)
			     : read_plain(self, buffer, size, error);
}

bool input_peek(Input *self, Text *head, GError **error)
{
	if (self->head == NULL) {
		gssize n = 1;

		self->head = g_malloc(INPUT_PEEK);
		while (self->head_end < INPUT_PEEK && n > 0) {
			n = read_bytes(self, self->head + self->head_end,
				       INPUT_PEEK - self->head_end, error);
			if (n < 0)
				return false;
			self->head_end += (size_t)n;
		}
	}
	*head = (Text){ self->head, self->head_end };
	return true;
}

gssize input_read(Input *self, char *buffer, gsize size, GError **error)
{
	gsize n = MIN(size, self->head_end - self->head_next);

	if (n == 0)
		return read_bytes(self, buffer, size, error);
	memcpy(buffer, self->head + self->head_next, n);
	self->head_next += n;
	return (gssize)n;
}
