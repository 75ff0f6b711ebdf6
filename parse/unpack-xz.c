/* SPDX-License-Identifier: MIT */
/* xz, with a limit on the memory its dictionary may ask for. */

#include <lzma.h>

#include "parse/unpacker.h"

#define MEMORY_LIMIT (512ull << 20)

static bool starts(Text bytes)
{
	return bytes.len >= 6 && memcmp(bytes.data,
					"\xfd"
					"7zXZ\0",
					6) == 0;
}

static bool again(void *state)
{
	return lzma_stream_decoder(state, MEMORY_LIMIT, 0) == LZMA_OK;
}

static void *begin(void)
{
	lzma_stream *stream = g_new0(lzma_stream, 1);

	if (again(stream))
		return stream;
	g_free(stream);
	return NULL;
}

static UnpackStatus run(void *state, Text *in, char **out, size_t *n_out)
{
	lzma_stream *stream = state;
	lzma_ret status;

	stream->next_in = (const uint8_t *)in->data;
	stream->avail_in = in->len;
	stream->next_out = (uint8_t *)*out;
	stream->avail_out = *n_out;
	status = lzma_code(stream, LZMA_RUN);
	*in = text_skip(*in, in->len - stream->avail_in);
	*out = (char *)stream->next_out;
	*n_out = stream->avail_out;
	if (status == LZMA_STREAM_END)
		return UNPACK_MEMBER_END;
	if (status == LZMA_MEMLIMIT_ERROR || status == LZMA_MEM_ERROR)
		return UNPACK_TOO_LARGE;
	return status == LZMA_OK || status == LZMA_BUF_ERROR ? UNPACK_MORE : UNPACK_DAMAGED;
}

static void end(void *state)
{
	lzma_end(state);
	g_free(state);
}

const Unpacker unpacker_xz = { "xz", starts, begin, again, run, end };
