/* SPDX-License-Identifier: MIT */
/* Help is printed from the tables of commands and options: it cannot be out of date. */

#include "cli/help.h"

#include <stdio.h>

void help_print_program(const Command *const *commands)
{
	printf("Usage: flamebeat COMMAND [OPTIONS] INPUT...\n\n"
	       "Find CPU spikes that averages hide: subsecond heat maps and flame graphs of any "
	       "time\n"
	       "range, from what `perf script` prints.\n\nCommands:\n");
	for (; *commands != NULL; commands++)
		printf("  %-10s %s\n", (*commands)->name, (*commands)->help);
	printf("\n"
	       "INPUT is perf script text, a perf.data, a store made by `flamebeat ingest`, folded "
	       "stacks\n"
	       "(where no time is needed), or `-` for standard input; plain, or packed by gzip, "
	       "zstd, xz.\n"
	       "`flamebeat COMMAND --help` lists the options of a command.\n\n"
	       "  flamebeat heatmap out.perf -o heat.png\n"
	       "  flamebeat slice out.perf --range 12.40..12.62 -o spike.svg\n");
}

#define HELP_COLUMN 30

static void print_option(const OptionRow *row)
{
	g_autofree char *left = NULL;
	char short_form[8] = "    ";

	if (row->short_name != 0)
		g_snprintf(short_form, sizeof(short_form), "-%c, ", row->short_name);
	left = g_strdup_printf("  %s--%s%s%s", short_form, row->name, row->arg != NULL ? " " : "",
			       row->arg != NULL ? row->arg : "");
	if (strlen(left) + 2 <= HELP_COLUMN)
		printf("%-*s%s\n", HELP_COLUMN, left, row->help);
	else
		printf("%s\n%*s%s\n", left, HELP_COLUMN, "", row->help);
}

void help_print_command(const Command *command)
{
	printf("Usage: flamebeat %s [OPTIONS] %s\n\n%s.\n", command->name, command->arguments,
	       command->help);
	if (command->alias != NULL)
		printf("Also called `flamebeat %s`.\n", command->alias);
	for (int i = 0; command->tables[i].rows != NULL; i++) {
		printf("\n%s:\n", command->tables[i].title);
		for (const OptionRow *row = command->tables[i].rows; row->name != NULL; row++)
			print_option(row);
	}
}
