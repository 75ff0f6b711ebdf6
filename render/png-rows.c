/* SPDX-License-Identifier: MIT */
/*
 * PNG through libpng, row by row. libpng reports errors by longjmp, which skips g_autoptr
 * cleanups: the only setjmp of the program is in write_picture(), which owns nothing; all that
 * must be freed belongs to png_rows_write(). Nothing that changes from run to run (no tIME chunk)
 * gets into the file.
 */

#include "render/png-rows.h"

#include <errno.h>
#include <inttypes.h>
#include <png.h>
#include <setjmp.h>
#include <string.h>

#include "store/error.h"
#include "store/limits.h"

#define PIXELS_PER_METRE 3780 /* 96 per inch */

/* Pictures of very deep stacks are mostly blank: they take half the time with less effort, and 1.6
 * times the bytes. */
#define COMPRESSION	  6
#define COMPRESSION_LARGE 2
#define LARGE_PIXELS	  64000000

typedef struct {
	FILE *out;
	const PngPicture *picture;
	PngRowFunc fill;
	void *data;
	uint8_t *row;
	char message[128]; /* what went wrong */
} Job;

static void on_error(png_structp png, png_const_charp message)
{
	Job *job = png_get_error_ptr(png);
	g_strlcpy(job->message, message, sizeof(job->message));
	png_longjmp(png, 1);
}

static void on_warning(png_structp png, png_const_charp message)
{
	(void)png;
	(void)message;
}

static void write_bytes(png_structp png, png_bytep bytes, size_t n)
{
	Job *job = png_get_io_ptr(png);
	if (fwrite(bytes, 1, n, job->out) != n)
		png_error(png, g_strerror(errno));
}

/* stdio's buffer is the caller's to flush. */
static void flush_nothing(png_structp png)
{
	(void)png;
}

static void write_palette(png_structp png, png_infop info, const PngPicture *picture)
{
	png_color colours[256];
	uint32_t n = MIN(picture->n_colours, 256);
	for (uint32_t i = 0; i < n; i++) {
		Rgb colour = picture->colours[i];
		colours[i] = (png_color){ colour.r, colour.g, colour.b };
	}
	png_set_PLTE(png, info, colours, (int)n);
}

static void write_note(png_structp png, png_infop info, const PngNote *note)
{
	/* libpng copies both, and changes neither. */
	png_text text = { .compression = PNG_ITXT_COMPRESSION_NONE,
			  .key = (char *)note->keyword,
			  .text = (char *)note->value,
			  .itxt_length = strlen(note->value) };
	png_set_text(png, info, &text, 1);
}

static void write_header(png_structp png, png_infop info, const PngPicture *picture)
{
	uint32_t factor = MAX(picture->scale_factor, 1);
	bool is_indexed = picture->colours != NULL;
	png_set_user_limits(png, MAX_PICTURE_SIDE, MAX_PICTURE_SIDE);
	png_set_compression_level(png, (uint64_t)picture->width * picture->height > LARGE_PIXELS
					       ? COMPRESSION_LARGE
					       : COMPRESSION);
	png_set_compression_strategy(png, 0);
	png_set_filter(png, PNG_FILTER_TYPE_BASE, PNG_FILTER_UP);
	png_set_IHDR(png, info, picture->width, picture->height, 8,
		     is_indexed ? PNG_COLOR_TYPE_PALETTE : PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE,
		     PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
	png_set_pHYs(png, info, PIXELS_PER_METRE * factor, PIXELS_PER_METRE * factor,
		     PNG_RESOLUTION_METER);
	if (is_indexed)
		write_palette(png, info, picture);
	for (size_t i = 0; i < picture->n_notes; i++) {
		if (picture->notes[i].value != NULL)
			write_note(png, info, &picture->notes[i]);
	}
	png_write_info(png, info);
}

/* Owns nothing: an error of libpng's returns from here a second time. */
static bool write_picture(png_structp png, png_infop info, Job *job)
{
	if (setjmp(png_jmpbuf(png)) != 0)
		return false;
	write_header(png, info, job->picture);
	for (uint32_t y = 0; y < job->picture->height; y++) {
		job->fill(job->data, y, job->row);
		png_write_row(png, job->row);
	}
	png_write_end(png, NULL);
	return true;
}

/* Makes and unmakes what libpng needs. */
static bool run_job(Job *job)
{
	g_strlcpy(job->message, "out of memory", sizeof(job->message));
	png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, job, on_error, on_warning);
	png_infop info = png != NULL ? png_create_info_struct(png) : NULL;
	bool is_written = false;
	if (info != NULL) {
		png_set_write_fn(png, job, write_bytes, flush_nothing);
		is_written = write_picture(png, info, job);
	}
	png_destroy_write_struct(&png, &info);
	return is_written;
}

bool png_rows_check(uint64_t width, uint64_t height, GError **error)
{
	if (width <= MAX_PICTURE_SIDE && height <= MAX_PICTURE_SIDE &&
	    width * height <= MAX_PICTURE_PIXELS)
		return true;
	return fail(
		error, FLAMEBEAT_ERROR_LIMIT,
		"the picture would be %" PRIu64 " x %" PRIu64 " pixels, more than %u along a side "
		"or %llu in all: choose a part with --range, a longer --column, fewer --rows or a "
		"smaller --scale-factor",
		width, height, MAX_PICTURE_SIDE, MAX_PICTURE_PIXELS);
}

bool png_rows_write(FILE *out, const PngPicture *picture, PngRowFunc fill, void *data,
		    GError **error)
{
	if (!png_rows_check(picture->width, picture->height, error))
		return false;
	size_t pixel_size = picture->colours != NULL ? 1 : 3;
	g_autofree uint8_t *row = g_try_malloc0(MAX(picture->width, 1) * pixel_size);
	Job job = { .out = out, .picture = picture, .fill = fill, .data = data, .row = row };
	if (row == NULL)
		return fail(error, FLAMEBEAT_ERROR_FAILED, "no memory for a row of the picture");
	/* Why nothing more could be written is found by who opened `out`. */
	if (!run_job(&job) && !ferror(out))
		return fail(error, FLAMEBEAT_ERROR_FAILED, "could not write the picture: %s",
			    job.message);
	return true;
}
