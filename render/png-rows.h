/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "render/palette.h"

/*
 * Writes a PNG whose rows are made one after the other: memory is one row, and neither side is
 * bounded by cairo's 32,767 pixels.
 */

/* One piece of metadata, an iTXt chunk; `value` is UTF-8. */
typedef struct {
	const char *keyword; /* at most 79 characters of Latin-1 */
	const char *value;   /* NULL: left out */
} PngNote;

typedef struct {
	uint32_t width;
	uint32_t height;
	uint32_t scale_factor; /* device pixels per pixel of 1/96 inch; 0: 1 */
	const Rgb *colours;    /* a row is one index a pixel; NULL: three bytes (RGB) a pixel */
	uint32_t n_colours;    /* at most 256 */
	const PngNote *notes;
	size_t n_notes;
} PngPicture;

/* Fills the bytes of row `y`; called for 0 .. height-1 in this order. */
typedef void (*PngRowFunc)(void *data, uint32_t y, uint8_t *row);

/* Refuses pictures beyond MAX_PICTURE_SIDE or MAX_PICTURE_PIXELS (FLAMEBEAT_ERROR_LIMIT). */
bool png_rows_check(uint64_t width, uint64_t height, GError **error);

/* Writes the picture to `out`, after that check. */
bool png_rows_write(FILE *out, const PngPicture *picture, PngRowFunc fill, void *data,
		    GError **error);
