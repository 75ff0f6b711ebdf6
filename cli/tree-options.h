/* SPDX-License-Identifier: MIT */
#pragma once

#include "cli/command.h"
#include "render/exporter.h"
#include "slice/call-tree.h"
#include "store/query.h"

/* The rows that fill a CallTreeSettings, but for its rules (tree_rule_options). */
extern const OptionRow tree_options[];

/* The same, of what only a single selection can be drawn as. */
extern const OptionRow chart_options[];

/* What the settings take from the other options, and the query from the rules; once, before a
 * recording is opened. */
void call_tree_settings_finish(CallTreeSettings *self, Query *query, const Exporter *exporter);
