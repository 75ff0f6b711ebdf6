/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include <stdint.h>

#include "store/text.h"
#include "store/time-range.h"

/*
 * Sets of time as arrays of TimeRange: ascending, disjoint, none empty (as
 * time_ranges_normalize() leaves them). All functions return a new GArray.
 */

/* All time that there can be. */
GArray *time_set_all(void);

/* Of `n` ranges in any order. */
GArray *time_set_new(const TimeRange *ranges, size_t n);

/* As the survey writes it into a fact: `begin..end`, ns, separated by blanks. What is none of it
 * is left out: a fact of a store may say anything. */
GArray *time_set_parse(Text text);

GArray *time_set_intersect(const GArray *a, const GArray *b);

/* All time that is not in `set`. */
GArray *time_set_complement(const GArray *set);

/* How long it is in all, ns. */
uint64_t time_set_length(const GArray *set);

/* The moment at which `offset_ns` of `set` have passed; its end where it is shorter. `set` must
 * not be empty. */
int64_t time_set_moment(const GArray *set, uint64_t offset_ns);
