/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdio.h>

#include "render/caption.h"
#include "render/gzip-writer.h"
#include "slice/call-tree.h"
#include "store/string-table.h"

/*
 * pprof's format: a gzip'd message `perftools.profiles.Profile`
 * (https://github.com/google/pprof/blob/main/proto/profile.proto, whose field numbers these are),
 * of one call tree: types of samples, then samples, then pprof_writer_finish(). A location is a
 * displayed frame, a mapping a DSO; addresses are left out, since text from perf mixes absolute
 * and relative ones.
 */
enum { /* Profile */
       PROFILE_SAMPLE_TYPE = 1,
       PROFILE_SAMPLE = 2,
       PROFILE_MAPPING = 3,
       PROFILE_LOCATION = 4,
       PROFILE_FUNCTION = 5,
       PROFILE_STRING = 6,
       PROFILE_TIME_NANOS = 9,
       PROFILE_DURATION_NANOS = 10,
       PROFILE_PERIOD_TYPE = 11,
       PROFILE_PERIOD = 12,
       PROFILE_COMMENT = 13,
       PROFILE_DEFAULT_SAMPLE_TYPE = 14,
};

typedef struct {
	GzipWriter *out;
	const CallTree *tree;
	StringTable strings;
	GByteArray *message, *part, *list; /* scratch */
	GHashTable *mappings;		   /* string -> id of the mapping */
	uint8_t *is_used;		   /* by display: it has a location */
} PprofWriter;

/* Ends with pprof_writer_finish(); `tree` is borrowed until then. */
void pprof_writer_init(PprofWriter *self, FILE *out, const CallTree *tree);

/* Writes frames, where the profile is from, and the strings; frees what `self` holds. */
bool pprof_writer_finish(PprofWriter *self, const Caption *caption, GError **error);

/* A field of the profile itself: a ValueType, an integer, a string. Any bytes. */
void pprof_write_type(PprofWriter *self, uint32_t field, const char *type, const char *unit);
void pprof_write_number(PprofWriter *self, uint32_t field, uint64_t value);
void pprof_write_text(PprofWriter *self, uint32_t field, const char *text);

/* A sample is begun, gets its labels, and is ended. `values`: one for each type of sample. */
void pprof_begin_sample(PprofWriter *self, uint32_t node, const uint64_t *values, size_t n_values);
void pprof_put_text_label(PprofWriter *self, const char *key, Text value);	/* "": no label */
void pprof_put_number_label(PprofWriter *self, const char *key, int32_t value); /* or ID_NONE */
void pprof_end_sample(PprofWriter *self);

/* The periods of the caption's event are nanoseconds. */
bool pprof_is_clock(const Caption *caption);
