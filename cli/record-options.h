/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#include "store/option.h"

/* What `flamebeat record` was asked for, in perf's own words. */
typedef struct {
	gint64 frequency_hz; /* 0: not given */
	GPtrArray *events;   /* of char *; NULL: perf's own choice */
	bool is_system_wide;
	char *pids;	   /* `1,2`; NULL: not given */
	char *call_graph;  /* NULL: frame pointers */
	int64_t rotate_ns; /* 0: one recording */
	int64_t keep_ns;   /* 0: for ever */
	char *path;	   /* the store, or the folder of --rotate; NULL: the default */
	char *perf;	   /* NULL: `perf` on PATH */
} RecordSettings;

extern const OptionRow record_options[];
void record_settings_clear(RecordSettings *self);

/* Whether they make sense together; says what does not. */
bool record_settings_check(const RecordSettings *self, GError **error);
