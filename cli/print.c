/* SPDX-License-Identifier: MIT */
/*
 * What people are told, on standard error: standard output carries data only. Most commands collect
 * notes, which main.c prints at their end; one that runs for hours prints them as they come.
 */

#include "cli/print.h"

#include <stdio.h>

#include "render/text-escape.h"

void print_line(const char *kind, const char *message)
{
	g_autofree char *safe = text_to_terminal(text_from(message));

	fprintf(stderr, "flamebeat: %s%s\n", kind, safe);
}

void print_notes(const Notes *notes)
{
	for (guint i = 0; i < notes_count(notes); i++)
		print_line("note: ", notes_get(notes, i));
}
