/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include <stdbool.h>

/* One of the page's files, compiled in from web-static/. */
typedef struct {
	const char *path; /* of the request */
	const char *media_type;
	const char *resource;
} StaticFile;

/* NULL: there is none at `path`. */
const StaticFile *static_file_find(const char *path);
GBytes *static_file_bytes(const StaticFile *self);
