/* SPDX-License-Identifier: MIT */
/*
 * Samples come in order of time; each lane remembers its open span. Closed spans are one array in
 * order of when they were closed, which within a lane is the order of time: a counting sort by lane
 * puts them in their places.
 */

#include "slice/spans.h"

#include "store/array.h"
#include "store/error.h"

/* The span that a lane is in. */
typedef struct {
	int64_t begin_ns, last_ns; /* its first and latest sample */
	uint32_t node;
	bool is_open;
} Lane;

typedef struct {
	const Profile *profile;
	ARRAY_OF(Lane) lanes;
	ARRAY_OF(Span) closed;
} Maker;

static bool close_span(Maker *self, uint32_t lane, int64_t end_ns)
{
	Lane *open = &self->lanes.data[lane];
	const Span span = { lane, open->node, open->begin_ns, end_ns };

	open->is_open = false;
	return end_ns <= open->begin_ns || array_push(&self->closed, span);
}

static bool has_lane(Maker *self, uint32_t lane)
{
	while (self->lanes.n <= lane) {
		if (!array_push(&self->lanes, (Lane){ 0 }))
			return false;
	}
	return true;
}

static bool add(Maker *self, uint32_t lane, uint32_t node, int64_t time_ns)
{
	int64_t interval_ns = self->profile->interval_ns;
	Lane *open;
	bool is_near;

	if (!has_lane(self, lane))
		return false;
	open = &self->lanes.data[lane];
	is_near = open->is_open && time_ns - open->last_ns <= 2 * interval_ns;
	if (open->is_open && !(is_near && open->node == node) &&
	    !close_span(self, lane, is_near ? time_ns : time_add(open->last_ns, interval_ns)))
		return false;
	if (!open->is_open)
		*open = (Lane){ .begin_ns = time_ns, .node = node, .is_open = true };
	open->last_ns = time_ns;
	return true;
}

static uint32_t lane_of(const Grouping *lanes, const SampleBlock *block, size_t i)
{
	if (lanes->by_thread != NULL)
		return lanes->by_thread[block->thread[i]];
	if (lanes->by_cpu != NULL)
		return lanes->by_cpu(lanes->context, block->cpu[i]);
	return lanes->by_cgroup != NULL ? lanes->by_cgroup(lanes->context, block->cgroup[i]) : 0;
}

static bool add_all(Maker *self, const Grouping *lanes, bool *is_timed, GError **error)
{
	g_autofree SampleBlock *block = g_new(SampleBlock, 1);
	Selection *selection = self->profile->selection;

	selection_rewind(selection);
	do {
		if (!selection_next(selection, block, error))
			return false;
		for (size_t i = 0; i < block->n; i++) {
			*is_timed = *is_timed && block->time_ns[i] != TIME_NONE;
			if (*is_timed &&
			    !add(self, lane_of(lanes, block, i),
				 profile_node(self->profile, block->stack[i]), block->time_ns[i]))
				return fail(error, FLAMEBEAT_ERROR_LIMIT, "out of memory");
		}
	} while (block->n > 0 && *is_timed);
	for (uint32_t lane = 0; lane < self->lanes.n; lane++) {
		const Lane *open = &self->lanes.data[lane];

		if (open->is_open &&
		    !close_span(self, lane, time_add(open->last_ns, self->profile->interval_ns)))
			return fail(error, FLAMEBEAT_ERROR_LIMIT, "out of memory");
	}
	return true;
}

static bool sort_by_lane(const Maker *maker, Spans *self)
{
	size_t n_lanes = maker->lanes.n, n = maker->closed.n;

	self->lane_begin = g_try_new0(size_t, n_lanes + 2);
	self->spans = g_try_new(Span, n + 1);
	if (self->lane_begin == NULL || self->spans == NULL)
		return false;
	self->n_lanes = (uint32_t)n_lanes;
	for (size_t i = 0; i < n; i++)
		self->lane_begin[maker->closed.data[i].lane + 2]++;
	for (size_t i = 2; i <= n_lanes; i++)
		self->lane_begin[i] += self->lane_begin[i - 1];
	for (size_t i = 0; i < n; i++) {
		const Span *span = &maker->closed.data[i];

		self->spans[self->lane_begin[span->lane + 1]++] = *span;
	}
	return true;
}

bool spans_init(Spans *self, const Profile *profile, const Grouping *lanes, GError **error)
{
	Maker maker = { .profile = profile };
	bool ok;

	*self = (Spans){ .is_timed = true };
	ok = add_all(&maker, lanes, &self->is_timed, error);
	if (!self->is_timed)
		maker.lanes.n = maker.closed.n = 0;
	if (ok && !sort_by_lane(&maker, self)) {
		spans_clear(self);
		ok = fail(error, FLAMEBEAT_ERROR_LIMIT, "out of memory");
	}
	array_clear(&maker.lanes);
	array_clear(&maker.closed);
	return ok;
}

void spans_clear(Spans *self)
{
	g_clear_pointer(&self->spans, g_free);
	g_clear_pointer(&self->lane_begin, g_free);
}
