/* SPDX-License-Identifier: MIT */
#pragma once

#include "cli/recording.h"
#include "slice/tree-rules.h"

/*
 * What makes a picture traceable, in one line whose parts are separated by middle dots: the chosen
 * time (from zero, on the recording's clock and, where it is known, on the wall), the event, the
 * machine, how many samples are shown, what they are weighed by, the filters, and what was dropped.
 * g_free() it.
 */
char *subtitle_new(const Recording *recording, const SelectionCounts *counts);

/* Which frames `rules` leaves, in words: "focus ^main$, hide ^std::"; empty: all. g_free() it. */
char *subtitle_rules(const TreeRules *rules);
