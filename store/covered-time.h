/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

#include "store/selection.h"
#include "store/store.h"
#include "store/time-set.h"

/*
 * Coverage (contract, "Time"): the time in which sampling ran, from the first timed sample to the
 * last, less the holes of survey.h. What rates are divided by.
 */

/* Of the whole recording; empty where nothing is timed. */
GArray *covered_time(const Store *store);

/* What of it a selection chose by --range. */
GArray *covered_time_chosen(const Store *store, const Selection *selection);

/* How much of that --every and --phase leave, ns: what the selection's samples stand for. */
uint64_t covered_time_of(const Store *store, const Selection *selection);
