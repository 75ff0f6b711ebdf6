/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdio.h>

#include "render/caption.h"
#include "slice/blocks.h"
#include "store/selection.h"
#include "store/store.h"

/* What a page to share is made of; all borrowed. */
typedef struct {
	const Store *store;
	const Selection *selection; /* of the default event: zero, wall clock */
	const Blocks *blocks;
} PageData;

/*
 * The page of `serve` as one file, with samples inside (slice/blocks.h), packed with deflate and
 * written in base64: opened from disk it makes its own heat maps and flame graphs, without server
 * or network.
 */
bool heatmap_page(FILE *out, const PageData *data, const Caption *caption, GError **error);
