/* SPDX-License-Identifier: MIT */
/* Both sides in one file for pprof: a value of each stack for each, so that `-sample_index` chooses
 * the side. */

#include "render/formats.h"
#include "render/pprof-writer.h"

bool diff_pprof(FILE *out, const Diff *diff, const Caption *caption,
		const DiffStyle *style G_GNUC_UNUSED, GError **error)
{
	const char *unit = diff->is_by_period && pprof_is_clock(caption) ? "nanoseconds" : "count";
	PprofWriter pprof;

	pprof_writer_init(&pprof, out, diff->shape);
	pprof_write_type(&pprof, PROFILE_SAMPLE_TYPE, "base", unit);
	pprof_write_type(&pprof, PROFILE_SAMPLE_TYPE, "new", unit);
	pprof_write_text(&pprof, PROFILE_DEFAULT_SAMPLE_TYPE, "new");
	for (uint32_t i = 0; i < diff->shape->n_nodes; i++) {
		const DiffTally *tally = diff->nodes[i].tally[MEASURE_SELF];
		const uint64_t values[] = { tally[SIDE_BASE].weight, tally[SIDE_NEW].weight };

		if (values[0] == 0 && values[1] == 0)
			continue;
		pprof_begin_sample(&pprof, i, values, G_N_ELEMENTS(values));
		pprof_end_sample(&pprof);
	}
	return pprof_writer_finish(&pprof, caption, error);
}
