/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

#include "heatmap/segments.h"

/* Appends `whole` to `out`, or the parts of it that stand out, where it is some with gaps between
 * them rather than one. For segments of too many, not of too few. */
void segments_split(const SegmentSearch *search, const Segment *whole, GArray *out);
