/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#include "store/frame-name.h"
#include "store/selection.h"
#include "store/store.h"

typedef enum {
	TOP_BY_FUNCTION,
	TOP_BY_PROCESS,
	TOP_BY_POOL,
	TOP_BY_COMM,
	TOP_BY_THREAD,
	TOP_BY_PID,
	TOP_BY_CPU,
	TOP_BY_DSO,
} TopBy;

typedef struct {
	char *name;
	char *dso;	/* by function; else NULL */
	uint64_t self;	/* weight of samples that run here */
	uint64_t total; /* of samples with it anywhere on the stack, each once; else = self */
} TopRow;

typedef struct {
	TopRow *rows; /* names may hold any bytes but NUL */
	size_t n_rows;
	uint64_t total; /* weight of the selection */
	SelectionCounts counts;
} Top;

/* Rows sorted by self or total, largest first, then by name. */
Top *top_new(const Store *store, Selection *selection, TopBy by, bool sort_by_total,
	     NamesKind names, GError **error);
void top_free(Top *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Top, top_free)
