/* SPDX-License-Identifier: MIT */
/* Ties together: the file, what unpacks it, the thread it does so in, the first bytes, and the
 * encoding they tell. */

#include "parse/input.h"

#include "parse/pump.h"
#include "parse/raw-file.h"
#include "parse/unpacker.h"
#include "parse/utf16.h"
#include "store/error.h"

struct Input {
	RawFile file;
	Unpacking unpacking;
	Pump *pump; /* where the file is packed */
	char *path; /* NULL: standard input */
	Notes *notes;
	InputWatch watch; /* or NULL */
	void *watch_data;
	bool is_stopped; /* by the watch */
	char *head;	 /* peeked at, [head_next, head_end) not given out yet */
	size_t head_next, head_end;
	Utf16 utf16;
	GString *decoded; /* what was UTF-16 and is not given out yet, from decoded_next on; or NULL
			   */
	gsize decoded_next;
};

const char *input_name(const Input *self)
{
	return self->file.name;
}

void input_watch(Input *self, InputWatch watch, void *data)
{
	self->watch = watch;
	self->watch_data = data;
}

void input_watch_like(Input *self, const Input *other)
{
	input_watch(self, other->watch, other->watch_data);
}

bool input_was_stopped(const Input *self)
{
	return self->is_stopped;
}

const char *input_plain_path(const Input *self)
{
	return self->file.is_regular && self->unpacking.unpacker == NULL && self->decoded == NULL
		       ? self->path
		       : NULL;
}

void input_free(Input *self)
{
	if (self == NULL)
		return;
	pump_free(self->pump);
	unpacking_clear(&self->unpacking);
	raw_file_clear(&self->file);
	g_free(self->path);
	g_free(self->head);
	if (self->decoded != NULL)
		g_string_free(self->decoded, TRUE);
	g_free(self);
}

Input *input_open(const char *path, Notes *notes, GError **error)
{
	g_autoptr(Input) self = g_new0(Input, 1);

	self->path = g_str_equal(path, "-") ? NULL : g_strdup(path);
	self->notes = notes;
	if (!raw_file_open(&self->file, path, error) ||
	    !unpacking_begin(&self->unpacking, &self->file, error))
		return NULL;
	if (self->unpacking.unpacker != NULL)
		self->pump = pump_new(&self->unpacking);
	return g_steal_pointer(&self);
}

Input *input_adopt(int fd, const char *name, Notes *notes, GError **error)
{
	g_autoptr(Input) self = g_new0(Input, 1);

	self->notes = notes;
	raw_file_adopt(&self->file, fd, name);
	return unpacking_begin(&self->unpacking, &self->file, error) ? g_steal_pointer(&self)
								     : NULL;
}

/* Whether reading may go on. */
static bool watch(Input *self, GError **error)
{
	uint64_t n_read = __atomic_load_n(&self->file.n_read, __ATOMIC_RELAXED);

	if (self->watch == NULL || self->watch(self->watch_data, n_read, self->file.n_total))
		return true;
	self->is_stopped = true;
	return fail(error, FLAMEBEAT_ERROR_FAILED, "%s: reading was stopped", self->file.name);
}

static gssize read_bytes(Input *self, char *buffer, gsize size, GError **error)
{
	gssize n = self->pump != NULL ? pump_read(self->pump, buffer, size, error)
				      : raw_file_read(&self->file, buffer, size, error);

	/* At the end the thread is done: what it has to say can be read. */
	if (n == 0 && self->unpacking.note != NULL)
		notes_add_shortfall(self->notes, "%s", self->unpacking.note);
	return n < 0 || watch(self, error) ? n : -1;
}

/* --- UTF-16 ------------------------------------------------------------------------------ */

#define DECODED_AT_ONCE 65536

static void note_broken(const Input *self)
{
	g_autofree char *units = counted(self->utf16.n_bad, "broken unit");

	if (self->utf16.n_bad > 0)
		notes_add_shortfall(self->notes, "%s: UTF-16 with %s; is it cut off?",
				    self->file.name, units);
}

/* Decodes more, until there is some or nothing is left. */
static bool decode_more(Input *self, GError **error)
{
	g_autofree char *bytes = g_malloc(DECODED_AT_ONCE);
	gssize n = 1;

	g_string_truncate(self->decoded, 0);
	self->decoded_next = 0;
	while (self->decoded->len == 0 && n > 0) {
		n = read_bytes(self, bytes, DECODED_AT_ONCE, error);
		if (n > 0)
			utf16_decode(&self->utf16, (Text){ bytes, (size_t)n }, self->decoded);
	}
	if (n == 0)
		utf16_finish(&self->utf16, self->decoded);
	if (n == 0)
		note_broken(self);
	return n >= 0;
}

static gssize read_decoded(Input *self, char *buffer, gsize size, GError **error)
{
	gsize n;

	if (self->decoded == NULL)
		return read_bytes(self, buffer, size, error);
	if (self->decoded_next == self->decoded->len && !decode_more(self, error))
		return -1;
	n = MIN(size, self->decoded->len - self->decoded_next);
	memcpy(buffer, self->decoded->str + self->decoded_next, n);
	self->decoded_next += n;
	return (gssize)n;
}

/* --- the first bytes --------------------------------------------------------------------- */

static bool fill_head(Input *self, GError **error)
{
	gssize n = 1;

	while (self->head_end < INPUT_PEEK && n > 0) {
		n = read_decoded(self, self->head + self->head_end, INPUT_PEEK - self->head_end,
				 error);
		if (n < 0)
			return false;
		self->head_end += (size_t)n;
	}
	return true;
}

/* The head once more, decoded, where it begins with the mark of UTF-16. */
static bool decode_head(Input *self, GError **error)
{
	Text head = { self->head, self->head_end };

	if (!utf16_begin(&self->utf16, &head))
		return true;
	self->decoded = g_string_new(NULL);
	utf16_decode(&self->utf16, head, self->decoded);
	self->head_end = 0;
	return fill_head(self, error);
}

bool input_peek(Input *self, Text *head, GError **error)
{
	if (self->head == NULL) {
		self->head = g_malloc(INPUT_PEEK);
		if (!fill_head(self, error) || !decode_head(self, error))
			return false;
	}
	*head = (Text){ self->head, self->head_end };
	return true;
}

gssize input_read(Input *self, char *buffer, gsize size, GError **error)
{
	gsize n = MIN(size, self->head_end - self->head_next);

	if (n == 0)
		return read_decoded(self, buffer, size, error);
	memcpy(buffer, self->head + self->head_next, n);
	self->head_next += n;
	return (gssize)n;
}
