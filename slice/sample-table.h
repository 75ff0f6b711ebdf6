/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#include "slice/profile.h"

/* All chosen samples of one stack on one CPU in one thread. */
typedef struct {
	uint32_t thread;
	int32_t cpu; /* ID_NONE: unknown */
	uint32_t node;
	uint64_t n_samples;
	uint64_t weight;
} SampleRow;

typedef struct {
	SampleRow *rows; /* by thread, CPU, node */
	size_t n_rows;
} SampleTable;

bool sample_table_init(SampleTable *self, const Profile *profile, GError **error);
void sample_table_clear(SampleTable *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(SampleTable, sample_table_clear)
