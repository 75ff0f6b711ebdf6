/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

/*
 * The one error domain. A code says which exit status the command ends with (contract, "Exit
 * status"); the message is one line, lower case, no full stop, and says what, where, why and what
 * to do.
 */
#define FLAMEBEAT_ERROR (flamebeat_error_quark())
GQuark flamebeat_error_quark(void);

typedef enum {
	FLAMEBEAT_ERROR_FAILED = 1,  /* could not be read, written or done */
	FLAMEBEAT_ERROR_USAGE = 2,   /* the request makes no sense */
	FLAMEBEAT_ERROR_DAMAGED = 4, /* a store that is damaged or of a newer version */
	FLAMEBEAT_ERROR_LIMIT = 5,   /* a limit of store/limits.h was exceeded */
	FLAMEBEAT_ERROR_HOLDS = 6,   /* all was done, and a --fail-if condition holds */
} FlamebeatError;

/* Sets `error` to `code` and the formatted message; always returns FALSE, so that a caller can
 * `return fail(...)`. */
gboolean fail(GError **error, FlamebeatError code, const char *format, ...) G_GNUC_PRINTF(3, 4);
