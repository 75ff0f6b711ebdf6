/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdbool.h>

#include "store/builder.h"
#include "store/store.h"

/*
 * What can only be told from all samples together, found once when a store is made and kept as
 * facts: samples and periods per event, CPUs, idle samples (and whether they are presumed),
 * coverage and holes, the summary. False when out of memory.
 *
 * A *hole* is a silence of all CPUs and events longer than HOLE_MIN_NS and HOLE_GAPS average gaps:
 * sampling did not run, or nothing ran that the event counts. Between the parts of a recording,
 * HOLE_PART_GAPS average gaps (or half of HOLE_MIN_NS, if that is shorter) make a hole.
 */
#define HOLE_PART_GAPS 5
#define HOLE_MIN_NS    NS_PER_SECOND
#define HOLE_GAPS      50

bool survey_store(const Store *store, StoreBuilder *facts);
