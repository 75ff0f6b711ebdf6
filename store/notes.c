/* SPDX-License-Identifier: MIT */
/* A list of lines, each once, and whether one of them is a shortfall. */

#include "store/notes.h"

struct Notes {
	GPtrArray *lines;
	bool has_shortfall;
};

Notes *notes_new(void)
{
	Notes *self = g_new0(Notes, 1);
	self->lines = g_ptr_array_new_with_free_func(g_free);
	return self;
}

void notes_free(Notes *self)
{
	if (self == NULL)
		return;
	g_ptr_array_unref(self->lines);
	g_free(self);
}

static void add(Notes *self, char *line)
{
	if (g_ptr_array_find_with_equal_func(self->lines, line, g_str_equal, NULL))
		g_free(line);
	else
		g_ptr_array_add(self->lines, line);
}

void notes_add(Notes *self, const char *format, ...)
{
	va_list args;

	if (self == NULL)
		return;
	va_start(args, format);
	add(self, g_strdup_vprintf(format, args));
	va_end(args);
}

void notes_add_shortfall(Notes *self, const char *format, ...)
{
	va_list args;

	if (self == NULL)
		return;
	va_start(args, format);
	add(self, g_strdup_vprintf(format, args));
	va_end(args);
	self->has_shortfall = true;
}

char *counted(guint64 n, const char *thing)
{
	return g_strdup_printf("%" G_GUINT64_FORMAT " %s%s", n, thing, n == 1 ? "" : "s");
}

void notes_add_all(Notes *self, const Notes *other)
{
	if (self == NULL)
		return;
	for (guint i = 0; i < other->lines->len; i++)
		add(self, g_strdup(g_ptr_array_index(other->lines, i)));
	self->has_shortfall = self->has_shortfall || other->has_shortfall;
}

guint notes_count(const Notes *self)
{
	return self->lines->len;
}

const char *notes_get(const Notes *self, guint i)
{
	return g_ptr_array_index(self->lines, i);
}

bool notes_has_shortfall(const Notes *self)
{
	return self->has_shortfall;
}
