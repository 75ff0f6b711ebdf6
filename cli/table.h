/* SPDX-License-Identifier: MIT */
#pragma once

#include <jansson.h>
#include <stdio.h>

#include "cli/output-options.h"

/* What tables can be printed as. */
typedef enum {
	TABLE_TEXT,
	TABLE_JSON,
	TABLE_CSV,
} TableForm;

/* Setters of --json and --csv (cli/command.h), for settings whose first member is a TableForm. */
bool table_set_json(void *settings, const char *value, GError **error);
bool table_set_csv(void *settings, const char *value, GError **error);

/* `--json` and `--csv` as given in `form`, else --format, else the ending of the output's name. */
bool table_form_choose(TableForm *form, const OutputSettings *output, GError **error);

/* `text` as a field of RFC 4180: quoted where it must be, invalid UTF-8 replaced. */
void table_write_csv(FILE *out, const char *text);

/* A JSON string; invalid UTF-8 and control characters are replaced by U+FFFD. */
json_t *table_json_string(const char *text);
