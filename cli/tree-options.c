/* SPDX-License-Identifier: MIT */
/* The options of merging stacks, for every command that does. */

#include "cli/tree-options.h"

#include "store/error.h"

static bool set_group_by(void *settings, const char *value, GError **error)
{
	static const char *const names[] = { "comm", "pid",    "tid",  "process", "pool",
					     "cpu",  "cgroup", "none", NULL };
	int choice = option_choice("group-by", value, names, error);

	((CallTreeSettings *)settings)->group_by = (GroupBy)choice;
	((CallTreeSettings *)settings)->has_group_by = true;
	return choice >= 0;
}

static bool set_reverse(void *settings, const char *value, GError **error)
{
	((CallTreeSettings *)settings)->is_reversed = true;
	return true;
}

static bool set_chart(void *settings, const char *value, GError **error)
{
	((CallTreeSettings *)settings)->is_chart = true;
	return true;
}

static bool set_by_line(void *settings, const char *value, GError **error)
{
	((CallTreeSettings *)settings)->name_flags |= FRAME_NAMES_BY_LINE;
	return true;
}

static bool set_annotate(void *settings, const char *value, GError **error)
{
	static const char *const names[] = { "kernel", "jit", "inline", NULL };
	static const uint32_t flags[] = { FRAME_ANNOTATE_KERNEL, FRAME_ANNOTATE_JIT,
					  FRAME_ANNOTATE_INLINE };
	g_auto(GStrv) parts = g_strsplit(value, ",", -1);

	for (int i = 0; parts[i] != NULL; i++) {
		int choice = option_choice("annotate", parts[i], names, error);

		if (choice < 0)
			return false;
		((CallTreeSettings *)settings)->name_flags |= flags[choice];
	}
	return true;
}

const OptionRow tree_options[] = {
	{ "group-by", 'g', "WHAT",
	  "first frame: comm, pid, tid, process, pool, cpu, cgroup or none (default: comm)",
	  set_group_by },
	{ "reverse", 0, NULL, "merge from the leaf: who calls the hot functions", set_reverse },
	{ "by-line", 0, NULL, "functions apart by source line (perf script -F +srcline)",
	  set_by_line },
	{ "annotate", 0, "KINDS", "append _[k] _[j] _[i] to kernel, jit, inline frames",
	  set_annotate },
	{ NULL, 0, NULL, NULL, NULL },
};

const OptionRow chart_options[] = {
	{ "chart", 0, NULL, "time on the x axis, a lane for each thread (or --group-by)",
	  set_chart },
	{ "flamechart", 0, NULL, "the same as --chart", set_chart },
	{ NULL, 0, NULL, NULL, NULL },
};

void call_tree_settings_finish(CallTreeSettings *self, Query *query, const Exporter *exporter)
{
	self->names = query->names;
	if (exporter->wants_classes)
		self->name_flags |= FRAME_NAMES_BY_CLASS;
	if (self->is_chart && !self->has_group_by)
		self->group_by = GROUP_BY_TID;
	if (self->rules.root_at != NULL && query->root_at == NULL)
		query->root_at = g_ptr_array_ref(self->rules.root_at);
}
