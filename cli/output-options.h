/* SPDX-License-Identifier: MIT */
#pragma once

#include "cli/command.h"
#include "render/exporter.h"

/* Where output goes and in which form. */
typedef struct {
	char *path;   /* -o; NULL: standard output */
	char *format; /* --format; NULL: by the path's ending, else by where it goes */
} OutputSettings;

extern const OptionRow output_options[];
void output_settings_clear(OutputSettings *self);

/*
 * The exporter to use: `terminal_form` and `file_form` are the command's defaults for a terminal
 * and for anything else. Binary forms to a terminal are refused.
 */
const Exporter *output_exporter(const OutputSettings *self, Subject subject,
				const char *terminal_form, const char *file_form, GError **error);

/* Notes that the form was not told by the path's ending, where that is one that says nothing. */
void output_note_ending(const OutputSettings *self, const Exporter *exporter, Subject subject,
			Notes *notes);

/* What standard output can show, by COLORTERM, TERM, NO_COLOR and the locale. */
typedef struct {
	bool is_colour;
	uint32_t n_colours; /* 16, 256 or 1 << 24 */
	bool is_utf8;
	uint32_t width; /* characters */
} Terminal;

/* `path`: as in OutputSettings; a file takes no colours but any character. */
Terminal terminal_probe(const char *path);
