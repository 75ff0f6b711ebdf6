/* SPDX-License-Identifier: MIT */
/* Samples for pprof: those of one stack, thread and CPU are one, with these as labels. */

#include "render/formats.h"

#include "render/pprof-writer.h"
#include "slice/sample-table.h"

typedef struct {
	PprofWriter pprof;
	const Profile *profile;
	const Caption *caption;
	bool is_weighted; /* a sample is many, and has no other value */
	bool has_periods;
	bool is_clock; /* periods are ns */
} Writer;

static void write_sample(Writer *self, const SampleRow *row)
{
	StoreThread thread = store_thread(self->profile->store, row->thread);
	const uint64_t values[] = { self->is_weighted ? row->weight : row->n_samples, row->weight };

	pprof_begin_sample(&self->pprof, row->node, values, self->has_periods ? 2 : 1);
	pprof_put_text_label(&self->pprof, "thread", thread.comm);
	pprof_put_number_label(&self->pprof, "pid", thread.pid);
	pprof_put_number_label(&self->pprof, "tid", thread.tid);
	pprof_put_number_label(&self->pprof, "cpu", row->cpu);
	pprof_end_sample(&self->pprof);
}

static const char *event_type(const Writer *self)
{
	if (self->is_clock)
		return "cpu";
	return self->caption->event != NULL ? self->caption->event : "events";
}

static void write_head(Writer *self)
{
	PprofWriter *pprof = &self->pprof;
	const char *unit = self->is_clock ? "nanoseconds" : "count";

	pprof_write_type(pprof, PROFILE_SAMPLE_TYPE, "samples", "count");
	if (self->has_periods)
		pprof_write_type(pprof, PROFILE_SAMPLE_TYPE, event_type(self), unit);
	if (self->is_clock) {
		pprof_write_type(pprof, PROFILE_PERIOD_TYPE, "cpu", "nanoseconds");
		pprof_write_number(pprof, PROFILE_PERIOD, (uint64_t)self->profile->interval_ns);
	}
	pprof_write_text(pprof, PROFILE_DEFAULT_SAMPLE_TYPE, "samples");
}

/* When it was is only told where that is UTC. */
static void write_times(Writer *self)
{
	const Store *store = self->profile->store;
	const WallClock *wall = selection_wall(self->profile->selection);
	size_t n;
	const TimeRange *ranges = selection_ranges(self->profile->selection, &n);
	int64_t start_ns = n > 0 ? ranges[0].begin_ns : store_start_ns(store);
	int64_t length_ns = store_last_ns(store) - store_start_ns(store) + 1;

	if (store->n_timed == 0)
		return;
	if (n > 0)
		length_ns = 0;
	for (size_t i = 0; i < n; i++)
		length_ns = time_add(length_ns, ranges[i].end_ns - ranges[i].begin_ns);
	if (wall->is_known && g_str_equal(wall->zone, "UTC"))
		pprof_write_number(&self->pprof, PROFILE_TIME_NANOS,
				   (uint64_t)time_add(start_ns, wall->offset_ns));
	pprof_write_number(&self->pprof, PROFILE_DURATION_NANOS, (uint64_t)length_ns);
}

static void look_at_events(Writer *self)
{
	const Store *store = self->profile->store;
	const Column *periods = &store->columns[SECTION_PERIOD];

	self->is_weighted = store_fact_count(store, FACT_WEIGHTED) != 0;
	self->has_periods = !self->is_weighted && (periods->width > 0 || periods->base > 0);
	self->is_clock = self->has_periods && pprof_is_clock(self->caption);
}

bool profile_pprof(FILE *out, const Profile *profile, const Caption *caption, GError **error)
{
	g_auto(SampleTable) table = { 0 };
	Writer self = { .profile = profile, .caption = caption };

	if (!sample_table_init(&table, profile, error))
		return false;
	pprof_writer_init(&self.pprof, out, profile->tree);
	look_at_events(&self);
	write_head(&self);
	for (size_t i = 0; i < table.n_rows; i++)
		write_sample(&self, &table.rows[i]);
	write_times(&self);
	return pprof_writer_finish(&self.pprof, caption, error);
}
