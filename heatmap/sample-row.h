/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include <stdint.h>

#include "heatmap/heatmap.h"
#include "heatmap/row-table.h"
#include "store/selection.h"
#include "store/store.h"

/* Which row key a sample has in a picture by CPU, thread, comm, pool or process. Borrows the
 * store. */
typedef struct SampleRows SampleRows;

SampleRows *sample_rows_new(const Store *store, HeatmapBy by);
void sample_rows_free(SampleRows *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(SampleRows, sample_rows_free)

/* The key of sample `i` of `block`. */
uint32_t sample_rows_key(SampleRows *self, const SampleBlock *block, size_t i);

/* The table of all keys met so far; owned by `self`. */
RowTable *sample_rows_table(SampleRows *self);
