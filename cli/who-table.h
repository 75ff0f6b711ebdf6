/* SPDX-License-Identifier: MIT */
#pragma once

#include <jansson.h>
#include <stdio.h>

#include "cli/text-table.h"
#include "heatmap/who.h"

/* Who a row of `spikes` or `periods` is about, in each form of a table. */

/* The cells of the columns pool and function. */
void who_table_cells(TextTable *table, const Who *who);

/* The names of the fields that who_write_csv() writes. */
#define WHO_CSV_NAMES "process,pool,thread,function,leaf"

void who_write_csv(FILE *out, const Who *who);

/* Adds its keys to the object `row`. */
void who_add_json(json_t *row, const Who *who);
