/* SPDX-License-Identifier: MIT */
#pragma once

#include "slice/diff.h"

/* Fills the verdicts of all nodes and functions from their tallies, and puts the functions in
 * order. */
void diff_judge(Diff *diff);
