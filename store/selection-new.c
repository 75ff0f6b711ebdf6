/* SPDX-License-Identifier: MIT */
/*
 * Making a query out against a store: names and expressions are tried once on every event, thread
 * and distinct frame, so that a sample is tested by looking up flags.
 */

#include "store/selection-private.h"

#include "store/error.h"
#include "store/patterns.h"
#include "store/idle.h"
#include "store/process.h"

void selection_free(Selection *self)
{
	if (self == NULL)
		return;
	g_free(self->event_name);
	g_free(self->unit);
	g_free(self->is_event_chosen);
	g_free(self->thread_flags);
	g_free(self->leaf_kinds);
	g_free(self->is_stack_chosen);
	g_free(self->is_cgroup_chosen);
	g_clear_pointer(&self->cpus, g_array_unref);
	g_free(self->ranges);
	g_free(self);
}

/* --- threads, CPUs, stacks --------------------------------------------------------------- */

static bool has_id(const GArray *ids, int32_t id)
{
	for (guint i = 0; ids != NULL && i < ids->len; i++)
		if (g_array_index(ids, gint64, i) == id)
			return true;
	return ids == NULL;
}

static bool choose_threads(Selection *self, const Query *query, Notes *notes, GError **error)
{
	uint32_t n = store_n_threads(self->store), n_chosen = 0;
	Patterns comms, processes;
	g_autoptr(Processes) names = query->process != NULL ? processes_new(self->store) : NULL;

	patterns_init(&comms, "comm", query->comm);
	patterns_init(&processes, "process", query->process);
	self->thread_flags = g_new0(uint8_t, (gsize)n + 1);
	for (uint32_t i = 0; i < n; i++) {
		StoreThread thread = store_thread(self->store, i);
		bool chosen = has_id(query->pid, thread.pid) && has_id(query->tid, thread.tid) &&
			      (query->comm == NULL || patterns_match(&comms, thread.comm)) &&
			      (names == NULL ||
			       patterns_match(&processes, processes_process_name(names, i)));

		self->thread_flags[i] = (chosen ? THREAD_CHOSEN : 0) |
					(idle_is_task(&thread) ? THREAD_IDLE_TASK : 0);
		n_chosen += chosen;
	}
	if (n > 0 && n_chosen == 0)
		notes_add_shortfall(notes, "no thread of the recording matches --process, --comm, "
					   "--pid or --tid");
	if (patterns_finish(&comms, error))
		return patterns_finish(&processes, error);
	patterns_finish(&processes, NULL);
	return false;
}

static bool has_overlap(const GArray *a, const GArray *b)
{
	for (guint i = 0; i < a->len; i++)
		for (guint k = 0; k < b->len; k++)
			if (g_array_index(a, CpuRange, i).first <=
				    g_array_index(b, CpuRange, k).last &&
			    g_array_index(b, CpuRange, k).first <=
				    g_array_index(a, CpuRange, i).last)
				return true;
	return false;
}

static bool choose_cpus(Selection *self, const Query *query, Notes *notes, GError **error)
{
	g_autoptr(GArray) seen = g_array_new(FALSE, FALSE, sizeof(CpuRange));
	Text fact = store_fact(self->store, FACT_CPUS);
	g_autofree char *list = g_strndup(fact.data, fact.len);

	if (query->cpu == NULL)
		return true;
	self->cpus = g_array_new(FALSE, FALSE, sizeof(CpuRange));
	cpu_list_parse(query->cpu, self->cpus);
	if (!cpu_list_parse(list, seen) || !has_overlap(self->cpus, seen))
		notes_add_shortfall(notes, "no sample is of the CPUs of --cpu %s (there are: %s)",
				    query->cpu, *list != '\0' ? list : "none known");
	return true;
}

/* Which strings are cgroups is told by the samples alone. */
static bool choose_cgroups(Selection *self, const Query *query, Notes *notes, GError **error)
{
	const Column *column = &self->store->columns[SECTION_CGROUP];
	uint64_t n = column->width > 0 ? column->n : MIN(column->n, 1);
	uint32_t last = ROW_NONE, n_strings = store_n_strings(self->store);
	bool has_any = false;
	Patterns patterns;

	if (query->cgroup == NULL)
		return true;
	if (!store_touch(self->store, SECTION_CGROUP, 0, n, error))
		return false;
	patterns_init(&patterns, "cgroup", query->cgroup);
	self->is_cgroup_chosen = g_new0(bool, n_strings);
	for (uint64_t i = 0; i < n; i++) {
		uint32_t id = (uint32_t)column_get(column, i);

		if (id == last || id == 0 || id >= n_strings || self->is_cgroup_chosen[id])
			continue;
		last = id;
		self->is_cgroup_chosen[id] =
			patterns_match(&patterns, store_string(self->store, id));
		has_any = has_any || self->is_cgroup_chosen[id];
	}
	if (!has_any)
		notes_add_shortfall(notes, "no cgroup of the recording matches --cgroup (recorded "
					   "with `perf record --all-cgroups` and printed with -F "
					   "+cgroup?)");
	return patterns_finish(&patterns, error);
}

enum { FRAME_MATCHED = 1, FRAME_EXCLUDED = 2, FRAME_ROOT = 4 };

/* By frame id: which of them have a displayed name that the patterns match, as `flag`. */
static bool judge_frames(const Store *store, FrameNames *names, Patterns *patterns, uint8_t flag,
			 uint8_t *verdicts, GError **error)
{
	for (uint32_t frame = 0; frame < store_n_frames(store); frame++) {
		uint32_t n_ids;
		const uint32_t *ids = frame_names_ids(names, frame, &n_ids);

		for (uint32_t k = 0; k < n_ids; k++)
			if (patterns_match(patterns, frame_names_get(names, ids[k]).name))
				verdicts[frame] |= flag;
	}
	return patterns_finish(patterns, error);
}

/* What --match, --exclude and --root-at say of every frame; NULL with `error` where one of them
 * gave up. */
static uint8_t *judge_all_frames(const Store *store, const Query *query, GError **error)
{
	g_autofree uint8_t *verdicts = g_new0(uint8_t, (gsize)store_n_frames(store) + 1);
	g_autoptr(FrameNames) names = frame_names_new(store, query->names, 0);
	Patterns patterns;

	patterns_init(&patterns, "match", query->match);
	if (!judge_frames(store, names, &patterns, FRAME_MATCHED, verdicts, error))
		return NULL;
	patterns_init(&patterns, "exclude", query->exclude);
	if (!judge_frames(store, names, &patterns, FRAME_EXCLUDED, verdicts, error))
		return NULL;
	patterns_init(&patterns, "root-at", query->root_at);
	if (!judge_frames(store, names, &patterns, FRAME_ROOT, verdicts, error))
		return NULL;
	return g_steal_pointer(&verdicts);
}

static bool is_wanted(const Query *query, uint8_t verdicts)
{
	return (query->match == NULL || (verdicts & FRAME_MATCHED) != 0) &&
	       (query->root_at == NULL || (verdicts & FRAME_ROOT) != 0) &&
	       (verdicts & FRAME_EXCLUDED) == 0;
}

/* Parents have lower ids: one pass carries the verdict of the frames down to every stack. */
static bool choose_stacks(Selection *self, const Query *query, Notes *notes, GError **error)
{
	const Store *store = self->store;
	uint32_t n = store_n_stacks(store), n_chosen = 0;
	g_autofree uint8_t *frames = NULL;
	g_autofree uint8_t *stacks = NULL;

	if (query->match == NULL && query->exclude == NULL && query->root_at == NULL)
		return true;
	frames = judge_all_frames(store, query, error);
	if (frames == NULL)
		return false;
	stacks = g_new0(uint8_t, n);
	self->is_stack_chosen = g_new0(bool, n);
	for (uint32_t i = 0; i < n; i++) {
		if (i > 0)
			stacks[i] = stacks[store_stack_parent(store, i)] |
				    frames[store_stack_frame(store, i)];
		self->is_stack_chosen[i] = is_wanted(query, stacks[i]);
		n_chosen += self->is_stack_chosen[i];
	}
	if (n_chosen == 0)
		notes_add_shortfall(
			notes, "no stack of the recording passes --match, --exclude and --root-at");
	return true;
}

/* --- time -------------------------------------------------------------------------------- */

static int64_t floor_second(int64_t ns)
{
	int64_t rest = ns % NS_PER_SECOND;

	return ns - (rest < 0 ? rest + NS_PER_SECOND : rest);
}

/* --- the wall clock ---------------------------------------------------------------------- */

/* What the input tells: UTC from perf.data, the printer's zone from text. */
static void find_wall(Selection *self)
{
	const Store *store = self->store;
	bool is_data = text_equal(store_fact(store, FACT_FORMAT), TEXT("perf.data"));
	WallClock *wall = &self->wall;

	wall->is_known = store_fact_signed(store, is_data ? FACT_WALL_UTC : FACT_WALL_LOCAL,
					   &wall->offset_ns);
	g_strlcpy(wall->zone, is_data ? "UTC" : "local", sizeof(wall->zone));
	wall->source = text_equal(store_fact(store, FACT_WALL_SOURCE), TEXT("tod"))
			       ? "tod"
			       : "reference time";
}

/* --wall-zero says it outright, --utc-offset moves what is shown. */
static void adjust_wall(Selection *self, const Query *query)
{
	WallClock *wall = &self->wall;
	int64_t ns, utc;
	bool has_date;

	if (query->wall_zero != NULL &&
	    wall_time_read(text_from(query->wall_zero), &ns, &has_date)) {
		wall->is_known = true;
		wall->offset_ns = time_add(ns, -self->zero_ns);
		wall->source = "--wall-zero";
		g_strlcpy(wall->zone, "local", sizeof(wall->zone));
	}
	if (query->utc_offset == NULL || !wall->is_known ||
	    !utc_offset_read(text_from(query->utc_offset), &ns))
		return;
	if (query->wall_zero == NULL && store_fact_signed(self->store, FACT_WALL_UTC, &utc))
		wall->offset_ns = time_add(utc, ns);
	else
		wall->offset_ns = time_add(wall->offset_ns, ns);
	g_strlcpy(wall->zone, query->utc_offset, sizeof(wall->zone));
}

/* Sets zero and the wall clock, each of which can be said in terms of the other. */
static bool choose_zero(Selection *self, const Query *query, GError **error)
{
	TimeFrame frame;

	self->zero_ns = floor_second(self->store->start_ns);
	find_wall(self);
	if (query->zero == NULL || g_str_equal(query->zero, "first")) {
		self->zero_ns = query->zero == NULL ? self->zero_ns : self->store->start_ns;
		adjust_wall(self, query);
		return true;
	}
	frame = selection_time_frame(self);
	if (!time_moment_parse(query->zero, &frame, &self->zero_ns, error)) {
		g_prefix_error(error, "--zero: ");
		return false;
	}
	adjust_wall(self, query);
	return true;
}

/* The whole seconds that the recording touches: what a range may say without being clamped. */
static TimeRange extent(const TimeFrame *frame)
{
	return (TimeRange){ MIN(floor_second(frame->start_ns), frame->zero_ns),
			    floor_second(frame->end_ns - 1) + NS_PER_SECOND };
}

static const char *range_option(const Query *query)
{
	return query->range_option != NULL ? query->range_option : "--range";
}

static void clamp(TimeRange *range, const TimeFrame *frame, const char *option, const char *text,
		  Notes *notes)
{
	TimeRange limits = extent(frame);

	if (range->begin_ns >= limits.begin_ns && range->end_ns <= limits.end_ns)
		return;
	range->begin_ns = CLAMP(range->begin_ns, limits.begin_ns, limits.end_ns);
	range->end_ns = CLAMP(range->end_ns, limits.begin_ns, limits.end_ns);
	notes_add_shortfall(notes, "%s %s reaches beyond the recording and was clamped", option,
			    text);
}

static bool choose_ranges(Selection *self, const Query *query, const TimeFrame *frame, Notes *notes,
			  GError **error)
{
	if (query->range == NULL)
		return true;
	self->has_ranges = true;
	self->ranges = g_new0(TimeRange, query->range->len);
	for (guint i = 0; i < query->range->len; i++) {
		const char *text = g_ptr_array_index(query->range, i);
		bool is_reversed;

		if (!time_range_parse(text, frame, &self->ranges[i], &is_reversed, error)) {
			g_prefix_error(error, "%s: ", range_option(query));
			return false;
		}
		if (is_reversed)
			notes_add_shortfall(notes, "%s %s: the ends were swapped",
					    range_option(query), text);
		clamp(&self->ranges[i], frame, range_option(query), text, notes);
	}
	self->n_ranges = time_ranges_normalize(self->ranges, query->range->len);
	return true;
}

static bool choose_phase(Selection *self, const Query *query, const TimeFrame *frame,
			 GError **error)
{
	if (!query_check(query, error))
		return false;
	if (query->every == NULL)
		return true;
	self->every_origin_ns = frame->zero_ns;
	if (!duration_parse(query->every, &self->every_ns, error))
		return false;
	if (query->every_origin != NULL &&
	    !time_moment_parse(query->every_origin, frame, &self->every_origin_ns, error))
		return false;
	return phase_parse(query->phase, self->every_ns, &self->phase_begin_ns, &self->phase_end_ns,
			   error);
}

static bool choose_time(Selection *self, const Query *query, Notes *notes, GError **error)
{
	TimeFrame frame;

	if ((query->range != NULL || query->every != NULL) &&
	    !selection_require_time(self, notes, error))
		return false;
	if (!choose_zero(self, query, error))
		return false;
	frame = selection_time_frame(self);
	return choose_ranges(self, query, &frame, notes, error) &&
	       choose_phase(self, query, &frame, error);
}

static void choose_weight(Selection *self, const Query *query)
{
	self->weight = query->weight;
	self->unit = query->weight == WEIGHT_SAMPLES
			     ? g_strdup("samples")
			     : g_strdup_printf("period of %s", self->event_name);
}

Selection *selection_new(const Store *store, const Query *query, Notes *notes, GError **error)
{
	g_autoptr(Selection) self = g_new0(Selection, 1);

	self->store = store;
	self->idle = query->idle;
	self->is_idle_presumed = store_fact_count(store, FACT_IDLE_PRESUMED) != 0;
	self->is_weighted = store_fact_count(store, FACT_WEIGHTED) != 0;
	self->leaf_kinds = g_new0(uint8_t, (gsize)store_n_stacks(store) + 1);
	if (!selection_choose_events(self, query, notes, error) ||
	    !choose_cpus(self, query, notes, error) || !choose_time(self, query, notes, error) ||
	    !choose_cgroups(self, query, notes, error) ||
	    !choose_threads(self, query, notes, error) || !choose_stacks(self, query, notes, error))
		return NULL;
	choose_weight(self, query);
	selection_rewind(self);
	return g_steal_pointer(&self);
}
