/* SPDX-License-Identifier: MIT */
/* What was met in one block, and in the next, put together. */

#include "parse/script-parser.h"

void script_findings_clear(ScriptFindings *self)
{
	for (size_t i = 0; i < self->remarks.n; i++)
		g_free(self->remarks.data[i].line);
	array_clear(&self->remarks);
	suspicion_clear(&self->suspicion);
	*self = (ScriptFindings){ 0 };
}

void script_findings_append(ScriptFindings *self, const ScriptFindings *next, uint64_t first_line,
			    const uint32_t *events)
{
	if (self->counts.records == 0)
		self->first_time_ns = next->first_time_ns;
	else if (next->counts.records > 0)
		self->counts.steps_back += next->first_time_ns < self->last_time_ns;
	if (next->counts.records > 0)
		self->last_time_ns = next->last_time_ns;
	skips_append(&self->skips, &next->skips, first_line);
	suspicion_append(&self->suspicion, &next->suspicion, first_line, events);
	perf_counts_append(&self->counts, &next->counts);
}
