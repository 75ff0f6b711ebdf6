/* SPDX-License-Identifier: MIT */
#pragma once

#include <jansson.h>
#include <stdio.h>

#include "cli/recording.h"

/*
 * All that is told of a recording (contract, `info --json`); where it is filtered, of the samples
 * that the selection chose: what was read, the header and the store's size stay those of the whole.
 * NULL with `error` where the store turns out to be damaged.
 */
json_t *info_new(const Recording *recording, bool is_filtered, GError **error);

/* Its forms: text and CSV are printed from the JSON, so that they cannot disagree. */
void info_print_json(FILE *out, const json_t *info);
void info_print_text(FILE *out, const json_t *info);
/* `key,value`, what is a number or a text; lists are in JSON alone. */
void info_print_csv(FILE *out, const json_t *info);
