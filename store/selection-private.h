/* SPDX-License-Identifier: MIT */
#pragma once

/* What selection-new.c (making a query out) and selection.c (walking the samples) share. */

#include "store/selection.h"

enum {
	THREAD_CHOSEN = 1,
	THREAD_IDLE_TASK = 2,
};

/* What is known of a stack by its leaf; 0: not looked at yet. */
enum {
	LEAF_UNKNOWN = 0,
	LEAF_IDLE = 1,
	LEAF_BUSY = 2,
};

struct Selection {
	const Store *store;
	IdleMode idle;
	WeightMode weight;
	bool is_idle_presumed;
	bool is_weighted; /* a period is a number of samples */
	bool only_timed;
	char *event_name;
	char *unit;
	int64_t zero_ns;
	WallClock wall;

	bool *is_event_chosen;	/* by event id */
	uint8_t *thread_flags;	/* by thread id */
	uint8_t *leaf_kinds;	/* by stack id, filled when needed */
	bool *is_stack_chosen;	/* by stack id; NULL: all are */
	bool *is_cgroup_chosen; /* by string id; NULL: all are */
	GArray *cpus;		/* of CpuRange, ascending; NULL: all are */

	const gint *is_cancelled;      /* or NULL */
	unsigned wanted;	       /* columns of a block */
	unsigned decisive;	       /* columns that decide whether a sample counts */
	uint32_t events[SAMPLE_BLOCK]; /* of the block in hand, where they are decisive */
	uint16_t kept[SAMPLE_BLOCK];   /* numbers in the block of the samples that count */
	bool has_ranges;
	TimeRange *ranges; /* normalized */
	size_t n_ranges;
	int64_t every_ns; /* 0: no phase */
	int64_t phase_begin_ns, phase_end_ns, every_origin_ns;

	TimeRange window; /* of selection_rewind_to(); empty: all of the time */

	/* Where the walk is: samples [next, end) of range number `range` (of the untimed ones when
	 * `range` is past the last); `bucket` holds sample `next`. */
	size_t range;
	bool is_inside;
	uint64_t next, end, bucket;
	SelectionCounts counts;
};

/* Beside those of selection.h. */
#define SAMPLE_EVENT  64u
#define SAMPLE_WEIGHT 128u

/* Decodes samples [next, next + n) into `block`, all of them, and into `events`. */
bool selection_decode(Selection *self, size_t n, SampleBlock *block, GError **error);

/* Whether every sample weighs 1. */
bool selection_counts_ones(const Selection *self);

/* Sets is_event_chosen and event_name; notes what was left out by default. */
bool selection_choose_events(Selection *self, const Query *query, Notes *notes, GError **error);
