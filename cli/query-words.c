/* SPDX-License-Identifier: MIT */
/* A query back into words: for commands that run others on the same samples. */

#include "cli/query-words.h"

static void add(GPtrArray *words, const char *option, const char *value)
{
	if (value != NULL)
		g_ptr_array_add(words, g_strdup_printf("--%s=%s", option, value));
}

static void add_all(GPtrArray *words, const char *option, const GPtrArray *values)
{
	for (guint i = 0; values != NULL && i < values->len; i++)
		add(words, option, g_ptr_array_index(values, i));
}

static void add_ids(GPtrArray *words, const char *option, const GArray *ids)
{
	for (guint i = 0; ids != NULL && i < ids->len; i++)
		g_ptr_array_add(words, g_strdup_printf("--%s=%" G_GINT64_FORMAT, option,
						       g_array_index(ids, gint64, i)));
}

/* Choices whose first is the default. */
static void add_choice(GPtrArray *words, const char *option, const char *const *names, int choice)
{
	if (choice != 0)
		add(words, option, names[choice]);
}

GPtrArray *query_words(const Query *query, bool with_range)
{
	static const char *const idle[] = { "drop", "keep", "only" };
	static const char *const weight[] = { "samples", "period" };
	static const char *const names[] = { "tidy", "raw", "addr" };
	GPtrArray *words = g_ptr_array_new_with_free_func(g_free);

	add(words, "event", query->event);
	add_all(words, "process", query->process);
	add_all(words, "comm", query->comm);
	add_all(words, "cgroup", query->cgroup);
	add_all(words, "match", query->match);
	add_all(words, "exclude", query->exclude);
	add_ids(words, "pid", query->pid);
	add_ids(words, "tid", query->tid);
	add(words, "cpu", query->cpu);
	add_choice(words, "idle", idle, (int)query->idle);
	add_choice(words, "weight", weight, (int)query->weight);
	add_choice(words, "names", names, (int)query->names);
	add(words, "zero", query->zero);
	if (with_range)
		add_all(words, "range", query->range);
	add(words, "every", query->every);
	add(words, "phase", query->phase);
	add(words, "every-origin", query->every_origin);
	add(words, "wall-zero", query->wall_zero);
	add(words, "utc-offset", query->utc_offset);
	return words;
}
