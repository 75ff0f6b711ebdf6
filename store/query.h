/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#include "store/frame-name.h"
#include "store/option.h"

typedef enum {
	IDLE_DROP,
	IDLE_KEEP,
	IDLE_ONLY,
} IdleMode;

typedef enum {
	WEIGHT_SAMPLES,
	WEIGHT_PERIOD,
} WeightMode;

/*
 * Which samples count, in the user's words (contract, "Which samples count" and "Time"): what the
 * options said, before any recording is known. Lists are NULL where the option was not given.
 */
typedef struct {
	char *event;
	GPtrArray *process; /* of char *: regular expressions */
	GPtrArray *comm;
	GPtrArray *cgroup;
	GPtrArray *match;
	GPtrArray *exclude;
	GPtrArray *root_at; /* stacks without such a frame have no place in the call tree */
	GArray *pid;	    /* of gint64 */
	GArray *tid;
	char *cpu; /* `0-3,7` */
	IdleMode idle;
	WeightMode weight;
	NamesKind names; /* what --match and --exclude look at, and what is displayed */
	char *zero;
	GPtrArray *range;
	const char *range_option; /* what messages call `range`; NULL: --range */
	char *every;
	char *phase;
	char *every_origin;
	char *wall_zero;
	char *utc_offset;
} Query;

void query_init(Query *self);
void query_clear(Query *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Query, query_clear)

typedef struct {
	uint32_t first, last;
} CpuRange;

/* Appends what a list such as `0-3,7` names to `cpus` (of CpuRange); false where it is none. */
bool cpu_list_parse(const char *list, GArray *cpus);

/* What can be told of a query before the recording is known: whether options go together. To be
 * called once all are set. */
bool query_check(const Query *self, GError **error);

/* The rows that fill a Query. */
extern const OptionRow query_options[];
