/* SPDX-License-Identifier: MIT */
/* What the commands that print tables share. */

#include "cli/table.h"

#include "render/text-escape.h"

bool table_set_json(void *settings, const char *value, GError **error)
{
	*(TableForm *)settings = TABLE_JSON;
	return true;
}

bool table_set_csv(void *settings, const char *value, GError **error)
{
	*(TableForm *)settings = TABLE_CSV;
	return true;
}

bool table_form_choose(TableForm *form, const OutputSettings *output, GError **error)
{
	static const char *const names[] = { "text", "json", "csv", NULL };
	int choice;

	if (output->format != NULL) {
		choice = option_choice("format", output->format, names, error);
		*form = (TableForm)choice;
		return choice >= 0;
	}
	if (*form == TABLE_TEXT && output->path != NULL) {
		if (g_str_has_suffix(output->path, ".json"))
			*form = TABLE_JSON;
		else if (g_str_has_suffix(output->path, ".csv"))
			*form = TABLE_CSV;
	}
	return true;
}

void table_write_csv(FILE *out, const char *text)
{
	csv_write_field(out, text_from(text));
}

json_t *table_json_string(const char *text)
{
	g_autofree char *valid = text_to_utf8(text_from(text), 0);

	return json_string(valid);
}
