/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#include "store/notes.h"
#include "store/store.h"

/* Recordings that are to become one, and how much later the samples of each are placed. */
typedef struct {
	const GPtrArray *paths; /* of char *: what messages call them */
	GPtrArray *stores;	/* of Store *, as many */
	int64_t *shifts_ns;	/* as many, to be filled */
} TimeLine;

/*
 * Fills `shifts_ns`: by the wall clock where all know it; else all stay on perf's clock, if host
 * and boot agree as far as known, or it fails, naming two that do not. `is_concatenated`: each
 * where the one before it ends, whatever their clocks say.
 */
bool time_line_place(TimeLine *self, bool is_concatenated, Notes *notes, GError **error);
