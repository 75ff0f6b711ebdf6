/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* A gzip stream, by zlib, without name or time: the same bytes for the same data. Errors of writing
 * are left to who owns `out`. */
typedef struct GzipWriter GzipWriter;

GzipWriter *gzip_writer_new(FILE *out);
void gzip_writer_write(GzipWriter *self, const void *data, size_t n);
/* Ends the stream and frees the writer; false where zlib failed. */
bool gzip_writer_finish(GzipWriter *self, GError **error);
