/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include <stdbool.h>

/*
 * `--fail-if 'METRIC OP NUMBER'`: a gate for scripts, exit status 6 where it holds. METRIC is a
 * word of the command's (letters, digits, `-`, `/`), OP one of > >= < <= = !=, NUMBER decimal, a
 * `%` after it is allowed and means nothing. Blanks may stand around OP. The option may be given
 * several times: any of them is enough.
 */
typedef struct {
	const char *name;
	const char *help;
} FailMetric;

/* A list of conditions; NULL: none. Elements are private. */
typedef GPtrArray FailConditions;

/* Appends what `text` says to `*conditions`, made if needed; `metrics` ends with a row without a
 * name. */
bool fail_if_add(FailConditions **conditions, const FailMetric *metrics, const char *text,
		 GError **error);

/* The value of metric number `metric` of the table; NAN: unknown, for which nothing holds. */
typedef double (*FailValueFunc)(const void *context, int metric);

/* False, with FLAMEBEAT_ERROR_HOLDS, where a condition holds; the message says which and why. */
bool fail_if_check(const FailConditions *conditions, FailValueFunc value, const void *context,
		   GError **error);
