/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

/*
 * Signs that a text holds lines which perf did not mean: it prints names and payloads raw, so a
 * file called "x\nswapper 0 [000] 1.0: cycles: \n…" writes records of its own. They cannot be told
 * from real ones by themselves, but they stand where no record can begin:
 *
 *  - within a record of an event whose records otherwise end in a blank line, right behind its
 *    payload, before any frame;
 *  - and what was cut off of that record follows as frames without an event line.
 */
typedef struct {
	GArray *events;			    /* of SuspicionEvent, by event id; NULL: none yet */
	uint64_t first_orphan, last_orphan; /* lines of frames without event line; 0: none */
	uint64_t orphan_runs;		    /* after the first record */
} Suspicion;

/* Zeroed, it is empty. */
void suspicion_clear(Suspicion *self);

/* A record of `event` was closed by a blank line. */
void suspicion_blank(Suspicion *self, uint32_t event);
/* Another record began where one of `event` had a payload and no frame yet. */
void suspicion_within(Suspicion *self, uint32_t event);
/* A frame without event line, after the first record. */
void suspicion_orphan(Suspicion *self, uint64_t line);

/* Adds the signs in the text right behind, whose lines are counted from `first_line` less and whose
 * events are `events` here (NULL: the same). */
void suspicion_append(Suspicion *self, const Suspicion *next, uint64_t first_line,
		      const uint32_t *events);

/* Places where the text is suspicious. */
uint64_t suspicion_count(const Suspicion *self);
