/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#include "slice/profile.h"
#include "slice/weights.h"

/* For this long one node of the tree was seen at the leaf of one lane. */
typedef struct {
	uint32_t lane;
	uint32_t node;
	int64_t begin_ns, end_ns; /* on the recording's clock */
} Span;

/*
 * A profile as time: a lane for each thread (or CPU, process, ...), in it spans in order of time,
 * none overlapping. A sample lasts until the next one of its lane, if that is no further than two
 * intervals away, else one interval; what lies between is a gap. Samples of one node that follow
 * each other without a gap are one span.
 */
typedef struct {
	Span *spans;	    /* by lane, then by time */
	size_t *lane_begin; /* n_lanes + 1: where the spans of a lane begin */
	uint32_t n_lanes;
	bool is_timed; /* false: a sample has no time, and there are no spans */
} Spans;

bool spans_init(Spans *self, const Profile *profile, const Grouping *lanes, GError **error);
void spans_clear(Spans *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Spans, spans_clear)
