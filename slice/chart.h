/* SPDX-License-Identifier: MIT */
#pragma once

#include "slice/call-tree.h"
#include "slice/profile.h"

/*
 * A *flame chart*: time on the x axis, a lane for each thread (or what --group-by says), in it what
 * was on the stack. As a CallTree whose `begins` is set, in microseconds: the root is the chosen
 * time, its children are the lanes in order of name, as wide as the root, which do nothing; below a
 * lane are its frames, in order of time, neighbouring equal ones merged and gaps left empty. A
 * node's depth is the row that it is drawn in: no two lanes share one.
 *
 * Weights are how long samples last (spans.h). `merged` is profile->tree; its names pass to the
 * chart. The samples must have times (selection_require_time()).
 */
CallTree *chart_new(const Profile *profile, CallTree *merged, GError **error);
