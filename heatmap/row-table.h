/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

/*
 * The rows of a picture by CPU, thread, comm, …: everything that could be a row is a *key*, made
 * when first met and weighed in a first pass over the samples; then the heaviest become rows.
 * Equal labels are one key.
 */
typedef struct RowTable RowTable;

RowTable *row_table_new(void);
void row_table_free(RowTable *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(RowTable, row_table_free)

/* The key of `label`; `order` is where it stands when rows are sorted by order. */
uint32_t row_table_key(RowTable *self, const char *label, int64_t order);

void row_table_weigh(RowTable *self, uint32_t key, uint64_t weight);
uint32_t row_table_n_keys(const RowTable *self);

/*
 * Makes rows of the `max_rows` heaviest keys (on equal weights, those of the bytewise smaller
 * label) and returns how many there are, at least 1. The first, drawn on top, is row n - 1: the
 * heaviest, or with `is_by_order` the one of smallest order.
 */
uint32_t row_table_choose(RowTable *self, uint32_t max_rows, bool is_by_order);

/* The row of `key`, or ROW_NONE if it is none. */
uint32_t row_table_row(const RowTable *self, uint32_t key);

/* Labels by row, NULL-terminated, "(none)" where there is no key at all; g_strfreev() them. */
char **row_table_labels(const RowTable *self);
