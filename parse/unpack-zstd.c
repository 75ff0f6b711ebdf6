/* SPDX-License-Identifier: MIT */
/*
 * zstd. Its library refuses windows above 128 MiB, which bounds memory; but only where it does not
 * have the whole frame at once, which depends on how the bytes come in. So we look ourselves.
 * Frames: RFC 8878, 3.1.1.
 */

#include <zstd.h>
#include <zstd_errors.h>

#include "parse/unpacker.h"

#define MAGIC "\x28\xb5\x2f\xfd"

/* The window's exponent is the upper five bits of its byte, over 1 KiB: 17 is 128 MiB. */
#define MAX_WINDOW_BYTE (17u << 3)

typedef struct {
	ZSTD_DCtx *context;
	bool is_begun; /* inside a frame */
} State;

/* A frame, or one of the skippable ones that pzstd and seekable zstd put between. */
static bool starts(Text bytes)
{
	return text_starts(bytes, MAGIC) ||
	       (bytes.len >= 4 && ((uint8_t)bytes.data[0] & 0xf0) == 0x50 &&
		memcmp(bytes.data + 1, "\x2a\x4d\x18", 3) == 0);
}

static void end(void *state)
{
	State *self = state;

	ZSTD_freeDCtx(self->context);
	g_free(self);
}

static void *begin(void)
{
	State *self = g_new0(State, 1);

	self->context = ZSTD_createDCtx();
	if (self->context != NULL)
		return self;
	g_free(self);
	return NULL;
}

static bool again(void *state)
{
	State *self = state;

	self->is_begun = false;
	return !ZSTD_isError(ZSTD_DCtx_reset(self->context, ZSTD_reset_session_only));
}

/* Whether the frame that `bytes` begin asks for a larger window. A frame of a single segment needs
 * none: there the library counts the segment. */
static bool is_too_large(Text bytes)
{
	bool has_window =
		text_starts(bytes, MAGIC) && bytes.len >= 6 && ((uint8_t)bytes.data[4] & 0x20) == 0;

	return has_window && (uint8_t)bytes.data[5] > MAX_WINDOW_BYTE;
}

static UnpackStatus run(void *state, Text *in, char **out, size_t *n_out)
{
	State *self = state;
	ZSTD_inBuffer source = { in->data, in->len, 0 };
	ZSTD_outBuffer target = { *out, *n_out, 0 };
	size_t status;

	if (!self->is_begun && is_too_large(*in))
		return UNPACK_TOO_LARGE;
	self->is_begun = true;
	status = ZSTD_decompressStream(self->context, &target, &source);
	*in = text_skip(*in, source.pos);
	*out += target.pos;
	*n_out -= target.pos;
	if (!ZSTD_isError(status))
		return status == 0 ? UNPACK_MEMBER_END : UNPACK_MORE;
	return ZSTD_getErrorCode(status) == ZSTD_error_frameParameter_windowTooLarge
		       ? UNPACK_TOO_LARGE
		       : UNPACK_DAMAGED;
}

const Unpacker unpacker_zstd = { "zstd", starts, begin, again, run, end };
