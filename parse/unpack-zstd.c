/* SPDX-License-Identifier: MIT */
/* zstd. Its library refuses windows above 128 MiB unless asked, which bounds memory. */

#include <zstd.h>
#include <zstd_errors.h>

#include "parse/unpacker.h"

/* A frame, or one of the skippable ones that pzstd and seekable zstd put between. */
static bool starts(Text bytes)
{
	return text_starts(bytes, "\x28\xb5\x2f\xfd") ||
	       (bytes.len >= 4 && ((uint8_t)bytes.data[0] & 0xf0) == 0x50 &&
		memcmp(bytes.data + 1, "\x2a\x4d\x18", 3) == 0);
}

static void *begin(void)
{
	return ZSTD_createDCtx();
}

static bool again(void *state)
{
	return !ZSTD_isError(ZSTD_DCtx_reset(state, ZSTD_reset_session_only));
}

static UnpackStatus run(void *state, Text *in, char **out, size_t *n_out)
{
	ZSTD_inBuffer source = { in->data, in->len, 0 };
	ZSTD_outBuffer target = { *out, *n_out, 0 };
	size_t status = ZSTD_decompressStream(state, &target, &source);

	*in = text_skip(*in, source.pos);
	*out += target.pos;
	*n_out -= target.pos;
	if (!ZSTD_isError(status))
		return status == 0 ? UNPACK_MEMBER_END : UNPACK_MORE;
	return ZSTD_getErrorCode(status) == ZSTD_error_frameParameter_windowTooLarge
		       ? UNPACK_TOO_LARGE
		       : UNPACK_DAMAGED;
}

static void end(void *state)
{
	ZSTD_freeDCtx(state);
}

const Unpacker unpacker_zstd = { "zstd", starts, begin, again, run, end };
