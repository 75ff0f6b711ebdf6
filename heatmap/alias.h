/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include <stdbool.h>

#include "heatmap/periods.h"
#include "heatmap/sample-clock.h"

/*
 * Sets alias_hz of the periods that may be none: work of a usual timer's frequency F, sampled at
 * regular ticks of frequency S, shows as a beat of |F - k S|. One CPU alone cannot tell the two
 * apart. Several can, since their ticks lie apart: what is really slow is in step on all of them as
 * it is, what is fast only at the timer's own frequency. Fails where the store is damaged.
 */
bool alias_mark(Periods *self, const SampleClock *clock, Selection *selection, GError **error);
