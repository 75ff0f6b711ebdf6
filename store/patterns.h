/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include <stdbool.h>

#include "store/text.h"

/* What an option says that takes regular expressions and may be repeated: any of these. */
typedef struct {
	const char *option;
	GPtrArray *compiled; /* of GRegex */
	GError *failure;     /* an expression could not be tried on a name */
} Patterns;

/* `patterns`, of char *, were checked when the option was read; NULL: none, which match nothing.
 * They look at bytes: names need not be UTF-8. */
void patterns_init(Patterns *self, const char *option, const GPtrArray *patterns);

bool patterns_match(Patterns *self, Text text);

/* Frees them. False where one of them gave up on a name: what it says is not known then. */
bool patterns_finish(Patterns *self, GError **error);

/* Appends `value` to `*list`, made if needed, after a check that it is a regular expression. */
bool patterns_append(GPtrArray **list, const char *option, const char *value, GError **error);
