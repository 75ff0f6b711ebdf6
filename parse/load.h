/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#include "parse/perf-process.h"
#include "parse/progress.h"
#include "store/notes.h"
#include "store/option.h"
#include "store/store.h"

/* How recordings are read. */
typedef struct {
	uint32_t max_frames;   /* 0: DEFAULT_MAX_FRAMES */
	bool is_concatenated;  /* several inputs: end to end, whatever their clocks say */
	PerfSettings perf;     /* for perf.data; owns its strings */
	int n_threads;	       /* that parse, at most; 0: as many as there are CPUs */
	size_t block_bytes;    /* of text that a thread takes at a time; 0: as many as is best */
	ProgressFunc progress; /* or NULL */
	void *progress_data;
} LoadSettings;

extern const OptionRow load_options[];
void load_settings_clear(LoadSettings *self);

/*
 * The recording at `paths` (NULL-terminated, "-" is standard input): stores are mapped, everything
 * else is parsed. Several are one recording on one time line, on perf's clock if they are of one
 * host as far as known; a file given twice counts once.
 */
Store *load_recording(char *const *paths, const LoadSettings *settings, Notes *notes,
		      GError **error);
