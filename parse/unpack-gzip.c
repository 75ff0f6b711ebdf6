/* SPDX-License-Identifier: MIT */
/*
 * gzip by zlib itself: GLib's converter drops all members but the first, and libarchive does not
 * verify the checksum.
 */

#include <zlib.h>

#include "parse/unpacker.h"

/* A window of 32 KiB, and gzip's framing only. */
#define GZIP_WINDOW (15 + 16)

static bool starts(Text bytes)
{
	return text_starts(bytes, "\x1f\x8b");
}

static void *begin(void)
{
	z_stream *stream = g_new0(z_stream, 1);

	if (inflateInit2(stream, GZIP_WINDOW) == Z_OK)
		return stream;
	g_free(stream);
	return NULL;
}

static bool again(void *state)
{
	return inflateReset(state) == Z_OK;
}

static UnpackStatus run(void *state, Text *in, char **out, size_t *n_out)
{
	z_stream *stream = state;
	int status;

	stream->next_in = (Bytef *)in->data;
	stream->avail_in = (uInt)in->len;
	stream->next_out = (Bytef *)*out;
	stream->avail_out = (uInt)MIN(*n_out, G_MAXINT32);
	status = inflate(stream, Z_NO_FLUSH);
	*in = text_skip(*in, in->len - stream->avail_in);
	*n_out -= (size_t)((char *)stream->next_out - *out);
	*out = (char *)stream->next_out;
	if (status == Z_STREAM_END)
		return UNPACK_MEMBER_END;
	return status == Z_OK || status == Z_BUF_ERROR ? UNPACK_MORE : UNPACK_DAMAGED;
}

static void end(void *state)
{
	inflateEnd(state);
	g_free(state);
}

const Unpacker unpacker_gzip = { "gzip", starts, begin, again, run, end };
