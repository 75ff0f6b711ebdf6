/* SPDX-License-Identifier: MIT */
#pragma once

#include "cli/record-plan.h"

/*
 * Reads the perf.data at `data_path`, at once: the names of code compiled at run time are in files
 * that vanish with their process. Writes the store `path`, and says how it went.
 */
bool record_ingest(const RecordPlan *plan, const char *data_path, const char *path, Notes *notes,
		   GError **error);
