/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdio.h>

/*
 * A table as text: columns as wide as what is in them, numbers to the right. Texts may hold any
 * bytes; what a terminal would obey is replaced.
 *
 *     g_autoptr(TextTable) table = text_table_new();
 *     text_table_column(table, "samples", TEXT_TABLE_RIGHT);
 *     text_table_cell(table, "%d", 12);          fills rows from left to right
 *     text_table_print(table, out);
 */
typedef struct TextTable TextTable;

typedef enum {
	TEXT_TABLE_LEFT,
	TEXT_TABLE_RIGHT,
} TextTableAlign;

TextTable *text_table_new(void);
void text_table_free(TextTable *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TextTable, text_table_free)

/* All columns come before any cell. */
void text_table_column(TextTable *self, const char *heading, TextTableAlign align);

void text_table_cell(TextTable *self, const char *format, ...) G_GNUC_PRINTF(2, 3);

/* The headings (in bold where `is_colour`), and the rows. */
void text_table_print(const TextTable *self, FILE *out, bool is_colour);
