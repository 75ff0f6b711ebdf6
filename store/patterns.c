/* SPDX-License-Identifier: MIT */
/* Regular expressions on names. G_REGEX_RAW: names are bytes, not UTF-8. */

#include "store/patterns.h"

#include "store/error.h"

void patterns_init(Patterns *self, const char *option, const GPtrArray *patterns)
{
	*self = (Patterns){ .option = option };
	self->compiled = g_ptr_array_new_with_free_func((GDestroyNotify)g_regex_unref);
	for (guint i = 0; patterns != NULL && i < patterns->len; i++)
		g_ptr_array_add(self->compiled,
				g_regex_new(g_ptr_array_index(patterns, i), G_REGEX_RAW, 0, NULL));
}

bool patterns_finish(Patterns *self, GError **error)
{
	bool ok = self->failure == NULL;

	if (!ok)
		fail(error, FLAMEBEAT_ERROR_LIMIT, "--%s: %s; give a simpler expression",
		     self->option, self->failure->message);
	g_clear_error(&self->failure);
	g_ptr_array_unref(self->compiled);
	return ok;
}

bool patterns_match(Patterns *self, Text text)
{
	for (guint i = 0; i < self->compiled->len && self->failure == NULL; i++)
		if (g_regex_match_full(g_ptr_array_index(self->compiled, i), text.data,
				       (gssize)text.len, 0, 0, NULL, &self->failure))
			return true;
	return false;
}

bool patterns_append(GPtrArray **list, const char *option, const char *value, GError **error)
{
	g_autoptr(GError) cause = NULL;
	g_autoptr(GRegex) regex = g_regex_new(value, G_REGEX_RAW, 0, &cause);

	if (regex == NULL)
		return fail(error, FLAMEBEAT_ERROR_USAGE, "--%s: not a regular expression: %s",
			    option, cause->message);
	if (*list == NULL)
		*list = g_ptr_array_new_with_free_func(g_free);
	g_ptr_array_add(*list, g_strdup(value));
	return true;
}
