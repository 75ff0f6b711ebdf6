/* SPDX-License-Identifier: MIT */
/* Choosing the form of output, and what a terminal can show. */

#include "cli/output-options.h"

#include <langinfo.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "cli/output.h"
#include "store/error.h"

static bool set_path(void *settings, const char *value, GError **error)
{
	OutputSettings *self = settings;

	g_free(self->path);
	self->path = g_strdup(value);
	return *value != '\0' ||
	       fail(error, FLAMEBEAT_ERROR_USAGE, "--output: expected a file name, or `-`");
}

static bool set_format(void *settings, const char *value, GError **error)
{
	OutputSettings *self = settings;

	g_free(self->format);
	self->format = g_strdup(value);
	return true;
}

const OptionRow output_options[] = {
	{ "output", 'o', "FILE", "write to FILE (`-`: standard output)", set_path },
	{ "format", 0, "NAME", "form of the output (default: by FILE's ending)", set_format },
	{ NULL, 0, NULL, NULL, NULL },
};

void output_settings_clear(OutputSettings *self)
{
	g_clear_pointer(&self->path, g_free);
	g_clear_pointer(&self->format, g_free);
}

static const Exporter *fail_format(const char *name, Subject subject, GError **error)
{
	g_autoptr(GString) known = g_string_new(NULL);

	for (const Exporter *e = exporters; e->name != NULL; e++)
		if (exporter_can_show(e, subject))
			g_string_append_printf(known, "%s%s", known->len > 0 ? ", " : "", e->name);
	fail(error, FLAMEBEAT_ERROR_USAGE, "--format: expected one of %s, got '%s'", known->str,
	     name);
	return NULL;
}

const Exporter *output_exporter(const OutputSettings *self, Subject subject,
				const char *terminal_form, const char *file_form, GError **error)
{
	bool is_terminal = output_is_terminal(self->path);
	const Exporter *exporter = NULL;

	if (self->format != NULL) {
		exporter = exporter_by_name(self->format);
		if (exporter == NULL || !exporter_can_show(exporter, subject))
			return fail_format(self->format, subject, error);
	}
	if (exporter == NULL && self->path != NULL)
		exporter = exporter_by_suffix(self->path, subject);
	if (exporter == NULL)
		exporter = exporter_by_name(is_terminal ? terminal_form : file_form);
	if (is_terminal && exporter->is_binary) {
		fail(error, FLAMEBEAT_ERROR_USAGE,
		     "%s is binary and standard output is a terminal: give -o FILE, or --format %s",
		     exporter->name, terminal_form);
		return NULL;
	}
	return exporter;
}

void output_note_ending(const OutputSettings *self, const Exporter *exporter, Subject subject,
			Notes *notes)
{
	g_autofree char *name = self->path != NULL ? g_path_get_basename(self->path) : NULL;
	const char *ending = name != NULL ? strrchr(name, '.') : NULL;

	if (exporter != NULL && self->format == NULL && ending != NULL && ending != name &&
	    exporter_by_suffix(name, subject) == NULL)
		notes_add(notes,
			  "no format has the ending %s: %s is written as %s (--format says which)",
			  ending, self->path, exporter->name);
}

/* --- terminals --------------------------------------------------------------------------- */

static uint32_t terminal_colours(void)
{
	const char *colorterm = g_getenv("COLORTERM"), *term = g_getenv("TERM");

	if (colorterm != NULL &&
	    (g_str_equal(colorterm, "truecolor") || g_str_equal(colorterm, "24bit")))
		return 1u << 24;
	if (term != NULL && (strstr(term, "256") != NULL || strstr(term, "direct") != NULL))
		return 256;
	return 16;
}

static uint32_t terminal_width(void)
{
	struct winsize size;
	const char *columns = g_getenv("COLUMNS");
	guint64 width = columns != NULL ? g_ascii_strtoull(columns, NULL, 10) : 0;

	if (width == 0 && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0)
		width = size.ws_col;
	return width >= 20 && width <= 1000 ? (uint32_t)width : 80;
}

Terminal terminal_probe(const char *path)
{
	const char *no_color = g_getenv("NO_COLOR"), *term = g_getenv("TERM");
	bool is_dumb = term == NULL || *term == '\0' || g_str_equal(term, "dumb");
	bool is_terminal = output_is_terminal(path);
	const char *colorterm = g_getenv("COLORTERM");

	return (Terminal){
		/* A picture for the terminal keeps its colours in a pager or file when the
		 * environment says that they can be shown. */
		.is_colour = (no_color == NULL || *no_color == '\0') && !is_dumb &&
			     (is_terminal || (colorterm != NULL && *colorterm != '\0')),
		.n_colours = terminal_colours(),
		.is_utf8 = g_str_equal(nl_langinfo(CODESET), "UTF-8"),
		.width = terminal_width(),
	};
}
