/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

#include "parse/unpacker.h"

/*
 * Unpacks in a thread of its own, a few blocks ahead of who reads: unpacking and parsing overlap.
 * Memory is bounded by PUMP_BLOCKS blocks.
 */
typedef struct Pump Pump;

#define PUMP_BLOCKS	 4
#define PUMP_BLOCK_BYTES (1u << 18)

/* Takes over `unpacking`, which nobody else may use until pump_free(). */
Pump *pump_new(Unpacking *unpacking);

/* Stops the thread, wherever it is. */
void pump_free(Pump *self);

/* As unpacking_read(). */
gssize pump_read(Pump *self, char *bytes, gsize size, GError **error);
