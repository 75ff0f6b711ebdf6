/* SPDX-License-Identifier: MIT */
/* The summary of a recording as JSON, with what to do about it. */

#include "cli/quality.h"

#include "cli/table.h"
#include "store/dso.h"
#include "store/summary.h"

/* --- advice ------------------------------------------------------------------------------ */

static const char *advice(const char *dso)
{
	Text text = text_from(dso);

	if (dso_is_unknown(text))
		return "no file there: frame pointers are missing (record with --call-graph "
		       "dwarf), or "
		       "the code was unmapped";
	if (dso_is_jit(text))
		return "no perf map: run the JIT with one (-XX:+PreserveFramePointer and "
		       "perf-map-agent, "
		       "node --perf-basic-prof, python -X perf) and print before it ends";
	if (dso_is_kernel(text))
		return "no kernel symbols: sysctl kernel.kptr_restrict=0, print as root";
	if (text_ends(text, " (deleted)"))
		return "the file was replaced while it ran: print sooner, or perf buildid-cache "
		       "--add it";
	if (text_starts(text, "["))
		return "the kernel's page for user code: nothing to do";
	return "stripped, or not there when printed: install its debug symbols (-dbgsym), or "
	       "--symfs "
	       "the container's root";
}

/* --- as JSON ----------------------------------------------------------------------------- */

static double share(uint64_t part, uint64_t whole)
{
	return whole > 0 ? (double)part / (double)whole : 0;
}

static json_int_t integer(uint64_t n)
{
	return (json_int_t)MIN(n, G_MAXINT64);
}

static json_t *unresolved_json(const Summary *self)
{
	json_t *rows = json_array();

	for (int i = 0; i < SUMMARY_ROWS && self->dsos[i].dso != NULL; i++) {
		const SummaryDso *row = &self->dsos[i];

		json_array_append_new(
			rows, json_pack("{s:o, s:I, s:I, s:f, s:s}", "dso",
					table_json_string(row->dso), "frames", integer(row->frames),
					"leaves", integer(row->leaves), "share",
					share(row->frames, self->frames), "fix", advice(row->dso)));
	}
	return rows;
}

static json_t *quality_json(const Summary *self)
{
	return json_pack("{s:f, s:f, s:f, s:f, s:f, s:o}", "frames_unresolved_share",
			 share(self->frames_unresolved, self->frames), "leaves_unresolved_share",
			 share(self->leaves_unresolved, self->leaves), "without_stack_share",
			 share(self->without_stack, self->samples), "short_stacks_share",
			 share(self->short_stacks, self->samples), "depth_limit_share",
			 share(self->at_limit, self->samples), "unresolved", unresolved_json(self));
}

static json_t *list_json(const SummaryRow rows[SUMMARY_ROWS])
{
	json_t *list = json_array();

	for (int i = 0; i < SUMMARY_ROWS && rows[i].name != NULL; i++)
		json_array_append_new(list, json_pack("{s:o, s:I}", "name",
						      table_json_string(rows[i].name), "samples",
						      integer(rows[i].samples)));
	return list;
}

bool quality_add(json_t *info, const Store *store, GError **error)
{
	g_autoptr(Summary) summary = summary_new(store, error);

	if (summary == NULL)
		return false;
	json_object_set_new(info, "quality", quality_json(summary));
	json_object_set_new(info, "top",
			    json_pack("{s:o, s:o, s:o}", "processes",
				      list_json(summary->lists[SUMMARY_PROCESSES]), "pools",
				      list_json(summary->lists[SUMMARY_POOLS]), "threads",
				      list_json(summary->lists[SUMMARY_THREADS])));
	return true;
}
