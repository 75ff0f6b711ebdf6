/* SPDX-License-Identifier: MIT */
/* The error domain and its one helper. */

#include "store/error.h"

G_DEFINE_QUARK(flamebeat - error, flamebeat_error)

gboolean fail(GError **error, FlamebeatError code, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	if (error != NULL)
		*error = g_error_new_valist(FLAMEBEAT_ERROR, (int)code, format, args);
	va_end(args);
	return FALSE;
}
