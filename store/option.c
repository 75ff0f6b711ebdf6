/* SPDX-License-Identifier: MIT */
/* What the `set` functions of option rows share. */

#include "store/option.h"

#include <errno.h>

#include "store/error.h"

int option_choice(const char *option, const char *value, const char *const *names, GError **error)
{
	g_autofree char *known = NULL;

	for (int i = 0; names[i] != NULL; i++)
		if (g_str_equal(value, names[i]))
			return i;
	known = g_strjoinv(", ", (char **)names);
	fail(error, FLAMEBEAT_ERROR_USAGE, "--%s: expected one of %s, got '%s'", option, known,
	     value);
	return -1;
}

bool option_integer(const char *option, const char *value, gint64 min, gint64 max, gint64 *result,
		    GError **error)
{
	char *end;

	errno = 0;
	*result = g_ascii_strtoll(value, &end, 10);
	if (errno == 0 && end != value && *end == '\0' && *result >= min && *result <= max)
		return true;
	return fail(error, FLAMEBEAT_ERROR_USAGE,
		    "--%s: expected an integer from %" G_GINT64_FORMAT " to %" G_GINT64_FORMAT
		    ", got '%s'",
		    option, min, max, value);
}
