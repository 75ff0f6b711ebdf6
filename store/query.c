/* SPDX-License-Identifier: MIT */
/* The rows that fill a Query: values are checked here as far as they can be without a recording. */

#include "store/query.h"

#include "store/error.h"
#include "store/patterns.h"
#include "store/wall-clock.h"

void query_init(Query *self)
{
	memset(self, 0, sizeof(*self));
}

void query_clear(Query *self)
{
	GPtrArray **lists[] = { &self->process, &self->comm,  &self->match,  &self->exclude,
				&self->cgroup,	&self->range, &self->root_at };

	for (size_t i = 0; i < G_N_ELEMENTS(lists); i++)
		g_clear_pointer(lists[i], g_ptr_array_unref);
	g_clear_pointer(&self->pid, g_array_unref);
	g_clear_pointer(&self->tid, g_array_unref);
	g_free(self->event);
	g_free(self->cpu);
	g_free(self->zero);
	g_free(self->every);
	g_free(self->phase);
	g_free(self->every_origin);
	g_free(self->wall_zero);
	g_free(self->utc_offset);
	memset(self, 0, sizeof(*self));
}

#define MAX_PERIOD_NS (INT64_MAX / 8)

bool query_check(const Query *self, GError **error)
{
	int64_t every_ns, begin_ns, end_ns;

	if (self->every == NULL && self->phase == NULL)
		return self->every_origin == NULL ||
		       fail(error, FLAMEBEAT_ERROR_USAGE, "--every-origin needs --every");
	if (self->every == NULL || self->phase == NULL)
		return fail(error, FLAMEBEAT_ERROR_USAGE,
			    "--every and --phase go together: --every 1.3s --phase 0.42..0.55");
	return duration_parse(self->every, &every_ns, error) &&
	       phase_parse(self->phase, every_ns, &begin_ns, &end_ns, error);
}

static void replace(char **field, const char *value)
{
	g_free(*field);
	*field = g_strdup(value);
}

static void append(GPtrArray **list, const char *value)
{
	if (*list == NULL)
		*list = g_ptr_array_new_with_free_func(g_free);
	g_ptr_array_add(*list, g_strdup(value));
}

static bool append_id(const char *option, GArray **list, const char *value, GError **error)
{
	gint64 id;

	if (!option_integer(option, value, G_MININT32 + 1, G_MAXINT32, &id, error))
		return false;
	if (*list == NULL)
		*list = g_array_new(FALSE, FALSE, sizeof(gint64));
	g_array_append_val(*list, id);
	return true;
}

static bool set_event(void *settings, const char *value, GError **error)
{
	replace(&((Query *)settings)->event, value);
	return true;
}

static bool set_process(void *settings, const char *value, GError **error)
{
	return patterns_append(&((Query *)settings)->process, "process", value, error);
}

static bool set_comm(void *settings, const char *value, GError **error)
{
	return patterns_append(&((Query *)settings)->comm, "comm", value, error);
}

static bool set_cgroup(void *settings, const char *value, GError **error)
{
	return patterns_append(&((Query *)settings)->cgroup, "cgroup", value, error);
}

static bool set_match(void *settings, const char *value, GError **error)
{
	return patterns_append(&((Query *)settings)->match, "match", value, error);
}

static bool set_exclude(void *settings, const char *value, GError **error)
{
	return patterns_append(&((Query *)settings)->exclude, "exclude", value, error);
}

static bool set_pid(void *settings, const char *value, GError **error)
{
	return append_id("pid", &((Query *)settings)->pid, value, error);
}

static bool set_tid(void *settings, const char *value, GError **error)
{
	return append_id("tid", &((Query *)settings)->tid, value, error);
}

bool cpu_list_parse(const char *list, GArray *cpus)
{
	g_auto(GStrv) parts = g_strsplit(list, ",", -1);

	for (int i = 0; parts[i] != NULL; i++) {
		char *dash = strchr(parts[i], '-');
		gint64 first, last;

		if (dash != NULL)
			*dash = '\0';
		if (!option_integer("cpu", parts[i], 0, G_MAXINT32, &first, NULL) ||
		    !option_integer("cpu", dash != NULL ? dash + 1 : parts[i], first, G_MAXINT32,
				    &last, NULL))
			return false;
		g_array_append_val(cpus, ((CpuRange){ (uint32_t)first, (uint32_t)last }));
	}
	return cpus->len > 0;
}

static bool set_cpu(void *settings, const char *value, GError **error)
{
	Query *self = settings;
	g_autoptr(GArray) cpus = g_array_new(FALSE, FALSE, sizeof(CpuRange));
	g_autofree char *more = self->cpu != NULL ? g_strconcat(self->cpu, ",", value, NULL) : NULL;

	replace(&self->cpu, more != NULL ? more : value);
	return cpu_list_parse(value, cpus) ||
	       fail(error, FLAMEBEAT_ERROR_USAGE, "--cpu: expected a list such as 0-3,7, got '%s'",
		    value);
}

static bool set_idle(void *settings, const char *value, GError **error)
{
	static const char *const names[] = { "drop", "keep", "only", NULL };
	int choice = option_choice("idle", value, names, error);

	((Query *)settings)->idle = (IdleMode)choice;
	return choice >= 0;
}

static bool set_weight(void *settings, const char *value, GError **error)
{
	static const char *const names[] = { "samples", "period", NULL };
	int choice = option_choice("weight", value, names, error);

	((Query *)settings)->weight = (WeightMode)choice;
	return choice >= 0;
}

static bool set_names(void *settings, const char *value, GError **error)
{
	static const char *const names[] = { "tidy", "raw", "addr", NULL };
	int choice = option_choice("names", value, names, error);

	((Query *)settings)->names = (NamesKind)choice;
	return choice >= 0;
}

static bool set_zero(void *settings, const char *value, GError **error)
{
	int64_t ns;

	replace(&((Query *)settings)->zero, value);
	return g_str_equal(value, "first") ||
	       time_moment_parse(value, &time_frame_any, &ns, error) ||
	       (g_prefix_error(error, "--zero: "), false);
}

static bool set_range(void *settings, const char *value, GError **error)
{
	TimeRange range;
	bool is_reversed;

	append(&((Query *)settings)->range, value);
	return time_range_parse(value, &time_frame_any, &range, &is_reversed, error) ||
	       (g_prefix_error(error, "--range: "), false);
}

static bool set_every(void *settings, const char *value, GError **error)
{
	int64_t ns;

	if (!duration_parse(value, &ns, error)) {
		g_prefix_error(error, "--every: ");
		return false;
	}
	if (ns == 0)
		return fail(error, FLAMEBEAT_ERROR_USAGE,
			    "--every: a period must be longer than 0");
	replace(&((Query *)settings)->every, value);
	return true;
}

static bool set_phase(void *settings, const char *value, GError **error)
{
	int64_t begin_ns, end_ns;

	replace(&((Query *)settings)->phase, value);
	/* Durations may be of any length until the period is known: query_check(). */
	return phase_parse(value, MAX_PERIOD_NS, &begin_ns, &end_ns, error);
}

static bool set_every_origin(void *settings, const char *value, GError **error)
{
	int64_t ns;

	replace(&((Query *)settings)->every_origin, value);
	return time_moment_parse(value, &time_frame_any, &ns, error) ||
	       (g_prefix_error(error, "--every-origin: "), false);
}

static bool set_wall_zero(void *settings, const char *value, GError **error)
{
	int64_t ns;
	bool has_date;

	replace(&((Query *)settings)->wall_zero, value);
	return (wall_time_read(text_from(value), &ns, &has_date) && has_date) ||
	       fail(error, FLAMEBEAT_ERROR_USAGE,
		    "--wall-zero: expected a date and time such as 2026-11-21T14:03:22, got '%s'",
		    value);
}

static bool set_utc_offset(void *settings, const char *value, GError **error)
{
	int64_t ns;

	replace(&((Query *)settings)->utc_offset, value);
	return utc_offset_read(text_from(value), &ns) ||
	       fail(error, FLAMEBEAT_ERROR_USAGE,
		    "--utc-offset: expected an offset such as +02:00, got '%s'", value);
}

const OptionRow query_options[] = {
	{ "range", 'r', "FROM..TO",
	  "only this time; repeatable (also FROM+DURATION, -3.., @CLOCK..CLOCK)", set_range },
	{ "every", 0, "DURATION", "with --phase: a part of every period of this length",
	  set_every },
	{ "phase", 0, "A..B", "which part: fractions (0.42..0.55) or durations (546ms..715ms)",
	  set_phase },
	{ "every-origin", 0, "TIME", "where phase 0 is (default: zero)", set_every_origin },
	{ "zero", 0, "first|TIME",
	  "what 0 is (default: the whole second at or before the first sample)", set_zero },
	{ "wall-zero", 0, "TIME", "what 0 is on the wall clock: 2026-11-21T14:03:22",
	  set_wall_zero },
	{ "utc-offset", 0, "OFFSET", "show wall clock times so far from UTC, such as +02:00",
	  set_utc_offset },
	{ "event", 'e', "NAME",
	  "only this event; `all` mixes them (default: the earliest sample's)", set_event },
	{ "process", 0, "RE", "only processes whose name matches; repeatable", set_process },
	{ "comm", 0, "RE", "only threads whose name matches; repeatable", set_comm },
	{ "pid", 'p', "N", "only this process; repeatable", set_pid },
	{ "tid", 't', "N", "only this thread; repeatable", set_tid },
	{ "cpu", 0, "LIST", "only these CPUs, such as 0-3,7; repeatable", set_cpu },
	{ "cgroup", 0, "RE", "only cgroups whose path matches; repeatable", set_cgroup },
	{ "match", 0, "RE", "only stacks with a frame whose name matches; repeatable", set_match },
	{ "exclude", 0, "RE", "no stacks with a frame whose name matches; repeatable",
	  set_exclude },
	{ "idle", 0, "drop|keep|only",
	  "samples of the idle task in an idle routine (default: drop)", set_idle },
	{ "weight", 0, "samples|period", "what a sample adds: 1, or its period (default: samples)",
	  set_weight },
	{ "names", 0, "tidy|raw|addr",
	  "how functions are named (default: tidy); addr: unresolved as lib.so+0xOFFSET",
	  set_names },
	{ NULL, 0, NULL, NULL, NULL },
};
