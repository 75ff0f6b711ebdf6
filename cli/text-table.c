/* SPDX-License-Identifier: MIT */
/* Cells are kept as text, since widths are only known when all are there. */

#include "cli/text-table.h"

#include <stdarg.h>

#include "render/text-escape.h"

#define SPACE_BETWEEN 2

struct TextTable {
	GPtrArray *headings; /* of char * */
	GArray *aligns;	     /* of TextTableAlign */
	GPtrArray *cells;    /* of char *, row by row */
};

TextTable *text_table_new(void)
{
	TextTable *self = g_new0(TextTable, 1);

	self->headings = g_ptr_array_new_with_free_func(g_free);
	self->cells = g_ptr_array_new_with_free_func(g_free);
	self->aligns = g_array_new(FALSE, FALSE, sizeof(TextTableAlign));
	return self;
}

void text_table_free(TextTable *self)
{
	if (self == NULL)
		return;
	g_ptr_array_unref(self->headings);
	g_ptr_array_unref(self->cells);
	g_array_unref(self->aligns);
	g_free(self);
}

void text_table_column(TextTable *self, const char *heading, TextTableAlign align)
{
	g_ptr_array_add(self->headings, g_strdup(heading));
	g_array_append_val(self->aligns, align);
}

void text_table_cell(TextTable *self, const char *format, ...)
{
	g_autofree char *text = NULL;
	va_list args;

	va_start(args, format);
	text = g_strdup_vprintf(format, args);
	va_end(args);
	g_ptr_array_add(self->cells, text_to_terminal(text_from(text)));
}

static size_t column_width(const TextTable *self, guint column)
{
	glong width = g_utf8_strlen(g_ptr_array_index(self->headings, column), -1);

	for (guint i = column; i < self->cells->len; i += self->headings->len)
		width = MAX(width, g_utf8_strlen(g_ptr_array_index(self->cells, i), -1));
	return (size_t)width;
}

/* The last column takes no blanks at its end. */
static void print_cell(const TextTable *self, FILE *out, guint column, const char *text)
{
	bool is_right = g_array_index(self->aligns, TextTableAlign, column) == TEXT_TABLE_RIGHT;
	bool is_last = column + 1 == self->headings->len;
	int blanks = (int)(column_width(self, column) - (size_t)g_utf8_strlen(text, -1));

	fprintf(out, "%*s%s%*s", is_right ? blanks : 0, "", text,
		is_last ? 0 : SPACE_BETWEEN + (is_right ? 0 : blanks), "");
}

void text_table_print(const TextTable *self, FILE *out, bool is_colour)
{
	guint n = self->headings->len;

	fputs(is_colour ? "\033[1m" : "", out);
	for (guint i = 0; i < n; i++)
		print_cell(self, out, i, g_ptr_array_index(self->headings, i));
	fputs(is_colour ? "\033[0m\n" : "\n", out);
	for (guint i = 0; i < self->cells->len; i++) {
		print_cell(self, out, i % n, g_ptr_array_index(self->cells, i));
		if (i % n == n - 1)
			fputc('\n', out);
	}
}
