/* SPDX-License-Identifier: MIT */
/* THE table of what is served beside the API; the resource itself is made from the same folder. */

#include "serve/static-files.h"

#include <gio/gio.h>

#include "web-static/web-static.h"

#define ROOT	   "/flamebeat/"
#define JAVASCRIPT "text/javascript; charset=utf-8"

static const StaticFile files[] = {
	{ "/", "text/html; charset=utf-8", ROOT "index.html" },
	{ "/style.css", "text/css; charset=utf-8", ROOT "style.css" },
	{ "/icon.svg", "image/svg+xml", ROOT "icon.svg" },
	{ "/app.js", JAVASCRIPT, ROOT "app.js" },
	{ "/colour.js", JAVASCRIPT, ROOT "colour.js" },
	{ "/controls.js", JAVASCRIPT, ROOT "controls.js" },
	{ "/dom.js", JAVASCRIPT, ROOT "dom.js" },
	{ "/findings.js", JAVASCRIPT, ROOT "findings.js" },
	{ "/flame-view.js", JAVASCRIPT, ROOT "flame-view.js" },
	{ "/flat.js", JAVASCRIPT, ROOT "flat.js" },
	{ "/grid.js", JAVASCRIPT, ROOT "grid.js" },
	{ "/heatmap-view.js", JAVASCRIPT, ROOT "heatmap-view.js" },
	{ "/help.js", JAVASCRIPT, ROOT "help.js" },
	{ "/input.js", JAVASCRIPT, ROOT "input.js" },
	{ "/main.js", JAVASCRIPT, ROOT "main.js" },
	{ "/overview.js", JAVASCRIPT, ROOT "overview.js" },
	{ "/questions.js", JAVASCRIPT, ROOT "questions.js" },
	{ "/select.js", JAVASCRIPT, ROOT "select.js" },
	{ "/source.js", JAVASCRIPT, ROOT "source.js" },
	{ "/state.js", JAVASCRIPT, ROOT "state.js" },
	{ "/table-view.js", JAVASCRIPT, ROOT "table-view.js" },
	{ "/take.js", JAVASCRIPT, ROOT "take.js" },
	{ "/theme.js", JAVASCRIPT, ROOT "theme.js" },
	{ "/time.js", JAVASCRIPT, ROOT "time.js" },
	{ "/words.js", JAVASCRIPT, ROOT "words.js" },
	{ NULL, NULL, NULL },
};

const StaticFile *static_file_find(const char *path)
{
	for (const StaticFile *file = files; file->path != NULL; file++)
		if (g_str_equal(file->path, path))
			return file;
	return NULL;
}

GBytes *static_file_bytes(const StaticFile *self)
{
	GBytes *bytes = g_resource_lookup_data(web_static_get_resource(), self->resource,
					       G_RESOURCE_LOOKUP_FLAGS_NONE, NULL);

	g_assert(bytes != NULL);
	return bytes;
}
