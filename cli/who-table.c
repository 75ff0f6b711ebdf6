/* SPDX-License-Identifier: MIT */

#include "cli/who-table.h"

#include "cli/table.h"

static const char *or_dash(const char *text)
{
	return text != NULL && *text != '\0' ? text : "-";
}

void who_table_cells(TextTable *table, const Who *who)
{
	text_table_cell(table, "%s", or_dash(who->pool));
	text_table_cell(table, "%s", or_dash(who->function));
}

void who_write_csv(FILE *out, const Who *who)
{
	const char *const names[] = { who->process, who->pool, who->thread, who->function,
				      who->leaf };

	for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
		if (i > 0)
			fputc(',', out);
		table_write_csv(out, names[i] != NULL ? names[i] : "");
	}
}

static json_t *name_json(const char *name)
{
	return name != NULL ? table_json_string(name) : json_null();
}

void who_add_json(json_t *row, const Who *who)
{
	json_object_set_new(row, "cpus", json_integer(who->n_cpus));
	json_object_set_new(row, "threads", json_integer(who->n_threads));
	json_object_set_new(row, "process", name_json(who->process));
	json_object_set_new(row, "pool", name_json(who->pool));
	json_object_set_new(row, "thread", name_json(who->thread));
	json_object_set_new(row, "function", name_json(who->function));
	json_object_set_new(row, "leaf", name_json(who->leaf));
	json_object_set_new(row, "pool_share", json_real(who->pool_share));
	json_object_set_new(row, "function_share", json_real(who->share));
}
