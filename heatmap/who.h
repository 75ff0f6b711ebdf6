/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#include "store/frame-name.h"
#include "store/selection.h"
#include "store/store.h"

/*
 * Who is behind an excess of samples: what runs more, in some part of the time, than the rest of
 * the recording makes one expect. Texts are owned, may hold any bytes, and are NULL where nobody
 * stands out.
 */
typedef struct {
	char *pool;	    /* of the largest excess, and its process */
	char *process;	    /* as processes_process_name() */
	char *thread;	    /* of the largest excess in that pool: `comm pid/tid` */
	char *function;	    /* the innermost that most of this excess runs in or below */
	char *leaf;	    /* the function that itself runs most of it */
	double pool_share;  /* of all excess (each pool that has more than expected), 0 to 1 */
	double share;	    /* of the pool's excess that `function` is part of */
	uint32_t n_threads; /* that have a fair part in the pool's excess */
	uint32_t n_cpus;    /* that have a fair part in all of the excess; 0: CPUs unknown */
} Who;

void who_clear(Who *self);

/* Samples by some key, and the keys that were met. */
typedef struct {
	double *values;
	GArray *met; /* of uint32_t */
} TallyColumn;

/* Samples by thread and by stack of a store, and by CPU. */
typedef struct {
	TallyColumn threads, stacks, cpus;
	double total;
} Tally;

void tally_init(Tally *self, const Store *store);
void tally_clear(Tally *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Tally, tally_clear)

/* Empties it, in proportion to what it holds. */
void tally_reset(Tally *self);

/* Adds sample `i` of `block`, as one sample. */
void tally_add(Tally *self, const SampleBlock *block, size_t i);

/* Takes out what `other` holds, which is a part of it. */
void tally_subtract(Tally *self, const Tally *other);
/* Puts it back. */
void tally_join(Tally *self, const Tally *other);

/* Makes out who it was; keeps names of one store at hand, for any number of questions. */
typedef struct WhoFinder WhoFinder;

WhoFinder *who_finder_new(const Store *store, NamesKind names);
void who_finder_free(WhoFinder *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(WhoFinder, who_finder_free)

/* What is asked of the difference between some part of the time and the rest. */
typedef enum {
	WHO_MORE, /* who runs more */
	WHO_LESS, /* who runs less: told by threads alone, in time in proportion to all of them */
	WHO_ELSE, /* whoever runs, what else than usually: pools are those that run */
} WhoQuestion;

/*
 * Who makes the difference between `on` and `scale` times `rest` (scale: covered time of the one
 * over that of the other; of WHO_ELSE samples). Takes time in proportion to what is in `on`.
 */
Who who_find(WhoFinder *self, const Tally *on, const Tally *rest, double scale,
	     WhoQuestion question);
