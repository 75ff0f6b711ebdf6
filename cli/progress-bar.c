/* SPDX-License-Identifier: MIT */
/* The line is written over in place: back to its beginning, anew, and what was there erased. */

#include "cli/progress-bar.h"

#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "cli/recording.h"
#include "render/text-escape.h"

#define PATIENCE_US   (G_USEC_PER_SEC / 2)
#define DEFAULT_WIDTH 80
#define MIN_BAR	      10
#define MAX_BAR	      40
#define WIPE	      "\r\033[K"

void progress_bar_init(ProgressBar *self, bool is_quiet)
{
	*self = (ProgressBar){ .is_on = !is_quiet && isatty(STDERR_FILENO),
			       .begin_us = g_get_monotonic_time() };
}

void progress_bar_clear(ProgressBar *self)
{
	if (self->is_drawn)
		fputs(WIPE, stderr);
	self->is_drawn = false;
}

static int terminal_width(void)
{
	struct winsize size;

	return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col
									       : DEFAULT_WIDTH;
}

static void append_left(GString *text, const Progress *progress, double rate)
{
	double seconds = (double)(progress->n_total - progress->n_bytes) / rate;

	if (seconds < 60)
		g_string_append_printf(text, ", %.0f s left", seconds);
	else
		g_string_append_printf(text, ", %.0f min left", seconds / 60);
}

/* "93 of 206 MB, 132,412 samples, 720 MB/s, 2 s left" */
static GString *in_words(const Progress *progress)
{
	GString *text = g_string_new(NULL);
	double mb = (double)progress->n_bytes / 1e6;
	double rate = mb * G_USEC_PER_SEC / (double)MAX(progress->elapsed_us, 1);
	g_autofree char *samples = format_count(progress->n_samples);

	if (progress->n_total > 0)
		g_string_printf(text, "%.0f of %.0f MB", mb, (double)progress->n_total / 1e6);
	else
		g_string_printf(text, "%.0f MB", mb);
	g_string_append_printf(text, ", %s samples, %.0f MB/s", samples, rate);
	if (progress->n_total > progress->n_bytes && rate > 0)
		append_left(text, progress, rate * 1e6);
	return text;
}

static void append_bar(GString *line, const Progress *progress, int width)
{
	int n_full = (int)((double)progress->n_bytes / (double)progress->n_total * width);

	g_string_append_c(line, '[');
	for (int i = 0; i < width; i++)
		g_string_append_c(line, i < n_full ? '#' : ' ');
	g_string_append(line, "] ");
}

char *progress_bar_format(const Progress *progress, int width)
{
	g_autoptr(GString) words = in_words(progress);
	g_autoptr(GString) line = g_string_new(NULL);
	g_autofree char *base = g_path_get_basename(progress->name);
	g_autofree char *name = text_to_terminal(text_from(base));
	int room = width - 1 - (int)words->len;

	/* What does not fit is left out: first the name, then the bar, last the end of the words.
	 */
	if ((int)strlen(name) + 2 + MIN_BAR + 3 <= room) {
		g_string_append_printf(line, "%s: ", name);
		room -= (int)strlen(name) + 2;
	}
	if (progress->n_total > 0 && room >= MIN_BAR + 3)
		append_bar(line, progress, MIN(room - 3, MAX_BAR));
	g_string_append_len(line, words->str, MIN((gssize)words->len, MAX(width - 1, 0)));
	return g_string_free(g_steal_pointer(&line), FALSE);
}

bool progress_bar_update(void *data, const Progress *progress)
{
	ProgressBar *self = data;
	g_autofree char *line = NULL;

	if (!self->is_on || g_get_monotonic_time() - self->begin_us < PATIENCE_US)
		return true;
	line = progress_bar_format(progress, terminal_width());
	fprintf(stderr, WIPE "%s", line);
	fflush(stderr);
	self->is_drawn = true;
	return true;
}
