/* SPDX-License-Identifier: MIT */
/*
 * The loop over members that all packed forms share. Every turn either uses input, gives output or
 * ends: a malformed file cannot make it hang.
 */

#include "parse/unpacker.h"

#include "store/error.h"
#include "store/limits.h"

const Unpacker *const unpackers[] = { &unpacker_gzip, &unpacker_zstd, &unpacker_xz, NULL };

bool unpacking_begin(Unpacking *self, RawFile *file, GError **error)
{
	*self = (Unpacking){ .file = file };
	if (!raw_file_fill(file, 6, error))
		return false;
	for (int i = 0; unpackers[i] != NULL; i++)
		if (unpackers[i]->starts(raw_file_text(file)))
			self->unpacker = unpackers[i];
	if (self->unpacker == NULL)
		return true;
	self->state = self->unpacker->begin();
	self->is_in_member = true;
	return self->state != NULL ||
	       fail(error, FLAMEBEAT_ERROR_LIMIT, "%s: out of memory", file->name);
}

void unpacking_clear(Unpacking *self)
{
	if (self->state != NULL)
		self->unpacker->end(self->state);
	g_free(self->note);
}

/* Zeros between or after members are padding, as tapes and xz have it. */
static void skip_zeros(RawFile *file)
{
	while (file->next < file->end && file->buffer[file->next] == '\0')
		file->next++;
}

static bool next_member(Unpacking *self, bool *is_end, GError **error)
{
	RawFile *file = self->file;

	do {
		skip_zeros(file);
		if (!raw_file_fill(file, 6, error))
			return false;
	} while (file->next < file->end && file->buffer[file->next] == '\0');
	*is_end = !self->unpacker->starts(raw_file_text(file));
	if (*is_end && file->next < file->end)
		self->note = g_strdup_printf("%s: what follows the %s data is none and was ignored",
					     file->name, self->unpacker->name);
	if (*is_end)
		file->next = file->end;
	else if (!self->unpacker->again(self->state))
		return fail(error, FLAMEBEAT_ERROR_LIMIT, "%s: out of memory", file->name);
	self->is_in_member = !*is_end;
	return true;
}

static gssize fail_unpack(const Unpacking *self, UnpackStatus status, GError **error)
{
	if (status == UNPACK_TOO_LARGE)
		fail(error, FLAMEBEAT_ERROR_LIMIT,
		     "%s: its %s data wants more memory to be unpacked than is allowed; unpack it "
		     "first",
		     self->file->name, self->unpacker->name);
	else
		fail(error, FLAMEBEAT_ERROR_FAILED,
		     "%s: damaged %s data: what it holds cannot be trusted; get the file anew",
		     self->file->name, self->unpacker->name);
	return -1;
}

/* Something packed so well is no recording but a trap. */
static bool check_ratio(const Unpacking *self, GError **error)
{
	uint64_t n_in = self->file->n_read - (self->file->end - self->file->next);

	if (self->n_out < UNPACK_FREE_BYTES || self->n_out / MAX(n_in, 1) < MAX_UNPACK_RATIO)
		return true;
	return fail(
		error, FLAMEBEAT_ERROR_LIMIT,
		"%s: unpacks to more than %u times its size, which no recording does; unpack it "
		"first if it is one",
		self->file->name, MAX_UNPACK_RATIO);
}

/* One call of the unpacker; 0: nothing came of it yet. */
static gssize run_once(Unpacking *self, char *bytes, gsize size, GError **error)
{
	RawFile *file = self->file;
	Text in = raw_file_text(file);
	char *out = bytes;
	UnpackStatus status = self->unpacker->run(self->state, &in, &out, &size);
	gssize n = out - bytes;

	file->next = file->end - in.len;
	self->n_out += (uint64_t)n;
	if (status == UNPACK_DAMAGED || status == UNPACK_TOO_LARGE)
		return fail_unpack(self, status, error);
	self->is_in_member = status != UNPACK_MEMBER_END;
	return check_ratio(self, error) ? n : -1;
}

static bool is_cut_off(Unpacking *self)
{
	RawFile *file = self->file;

	if (!self->is_in_member || !file->is_end || file->next < file->end)
		return false;
	self->note = g_strdup_printf("%s: the %s data is cut off; using what was there", file->name,
				     self->unpacker->name);
	self->is_in_member = false;
	return true;
}

gssize unpacking_read(Unpacking *self, char *bytes, gsize size, GError **error)
{
	if (self->unpacker == NULL)
		return raw_file_read(self->file, bytes, size, error);
	for (;;) {
		bool is_end = false;
		gssize n;

		if (!self->is_in_member && !next_member(self, &is_end, error))
			return -1;
		if (is_end)
			return 0;
		if (self->file->next == self->file->end && !self->file->is_end &&
		    !raw_file_more(self->file, error))
			return -1;
		n = run_once(self, bytes, size, error);
		if (n != 0 || is_cut_off(self))
			return n;
	}
}
