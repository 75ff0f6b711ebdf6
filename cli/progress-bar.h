/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include <stdbool.h>

#include "parse/progress.h"

/*
 * One line on standard error that tells how far a long load has come; nothing at all where that is
 * no terminal, or where it is done before anyone would wonder.
 */
typedef struct {
	bool is_on;    /* there is someone to look at it */
	bool is_drawn; /* and something to be wiped away */
	gint64 begin_us;
} ProgressBar;

void progress_bar_init(ProgressBar *self, bool is_quiet);
/* Wipes the line away. */
void progress_bar_clear(ProgressBar *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(ProgressBar, progress_bar_clear)

/* A ProgressFunc; `data` is a ProgressBar. */
bool progress_bar_update(void *data, const Progress *progress);

/* What the line says, for a terminal of `width` columns; g_free it. */
char *progress_bar_format(const Progress *progress, int width);
