/* SPDX-License-Identifier: MIT */
#include "render/gzip-writer.h"

#include <zlib.h>

#include "store/error.h"

#define WINDOW_BITS_GZIP (15 + 16)
#define MEMORY_LEVEL	 8
#define MAX_PART	 (1u << 30) /* zlib counts in unsigned int */

struct GzipWriter {
	FILE *out;
	z_stream stream;
	int status;
	unsigned char buffer[1 << 15];
};

GzipWriter *gzip_writer_new(FILE *out)
{
	GzipWriter *self = g_new0(GzipWriter, 1);

	self->out = out;
	self->status = deflateInit2(&self->stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED,
				    WINDOW_BITS_GZIP, MEMORY_LEVEL, Z_DEFAULT_STRATEGY);
	return self;
}

static void deflate_all(GzipWriter *self, int flush)
{
	do {
		self->stream.next_out = self->buffer;
		self->stream.avail_out = sizeof(self->buffer);
		self->status = deflate(&self->stream, flush);
		fwrite(self->buffer, 1, sizeof(self->buffer) - self->stream.avail_out, self->out);
	} while (self->status == Z_OK && self->stream.avail_out == 0);
	if (self->status == Z_BUF_ERROR) /* nothing left to do */
		self->status = Z_OK;
}

void gzip_writer_write(GzipWriter *self, const void *data, size_t n)
{
	/* zlib only reads it, but its type does not say so. */
	Bytef *bytes = (Bytef *)data;

	while (n > 0 && self->status == Z_OK) {
		uInt part = (uInt)MIN(n, MAX_PART);

		self->stream.next_in = bytes;
		self->stream.avail_in = part;
		deflate_all(self, Z_NO_FLUSH);
		bytes += part;
		n -= part;
	}
}

bool gzip_writer_finish(GzipWriter *self, GError **error)
{
	bool ok;

	if (self->status == Z_OK)
		deflate_all(self, Z_FINISH);
	ok = self->status == Z_STREAM_END;
	deflateEnd(&self->stream);
	g_free(self);
	return ok || fail(error, FLAMEBEAT_ERROR_FAILED, "could not compress the output");
}
