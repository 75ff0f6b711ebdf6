/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include <stdbool.h>

/*
 * One setting. The same row makes the command-line option `--name ARG`, its line in `--help` and
 * the man page, and (for the page) the query key `name=`: they cannot drift apart.
 * A table of rows ends with a row without a name.
 */
typedef struct {
	const char *name;
	char short_name;  /* 0: none */
	const char *arg;  /* what --help calls the value; NULL: a switch, `set` gets "1" */
	const char *help; /* one line */
	/* Puts `value` into `settings`, the struct that the table belongs to; may be called again
	 * for repeatable options. Says what it expected where the value makes no sense. */
	bool (*set)(void *settings, const char *value, GError **error);
} OptionRow;

/* Position of `value` in the NULL-terminated `names`, or -1 with `error` set, naming them all. */
int option_choice(const char *option, const char *value, const char *const *names, GError **error);

/* `value` as an integer in [min, max]. */
bool option_integer(const char *option, const char *value, gint64 min, gint64 max, gint64 *result,
		    GError **error);
