/* SPDX-License-Identifier: MIT */
/*
 * Per lane one walk over its spans: of the frames open from the span before, those that both stacks
 * share (the same node of the merged tree) stay open where there is no gap, the others end. A frame
 * is put down when it opens, so that callers come before their callees.
 */

#include "slice/chart.h"

#include <stdlib.h>

#include "slice/group.h"
#include "slice/spans.h"
#include "store/array.h"
#include "store/error.h"

#define NS_PER_US 1000
#define LANE_GAP  1 /* rows between lanes */

/* A frame that is open: its node of the chart, and of the merged tree. */
typedef struct {
	uint32_t at, node;
} Open;

typedef struct {
	const Profile *profile;
	FrameNames *names;
	int64_t begin_ns, end_ns;
	ARRAY_OF(CallNode) nodes;
	ARRAY_OF(uint64_t) begins;
	ARRAY_OF(Open) open; /* of the lane in hand, root first */
	GArray *path;	     /* of uint32_t: scratch, leaf first */
	uint32_t base;	     /* row of the lane in hand */
	uint32_t max_depth;
	bool is_out_of_memory;
} Maker;

static uint64_t to_us(const Maker *self, int64_t time_ns)
{
	return (uint64_t)(CLAMP(time_ns, self->begin_ns, self->end_ns) - self->begin_ns) /
	       NS_PER_US;
}

static uint32_t add_node(Maker *self, uint32_t display, uint32_t parent, uint32_t depth,
			 uint64_t begin)
{
	const CallNode node = { .display = display, .parent = parent, .depth = depth };

	if (self->nodes.n >= ROW_NONE - 1 || !array_push(&self->nodes, node) ||
	    !array_push(&self->begins, begin)) {
		self->is_out_of_memory = true;
		return 0;
	}
	self->max_depth = MAX(self->max_depth, depth);
	return (uint32_t)(self->nodes.n - 1);
}

/* Ends a node at `end`; its subtree is complete. */
static void end_node(Maker *self, uint32_t at, uint64_t end)
{
	CallNode *node = &self->nodes.data[at];

	node->total = end - self->begins.data[at];
	node->next = (uint32_t)self->nodes.n;
}

/* --- frames ------------------------------------------------------------------------------ */

static void close_frames(Maker *self, size_t n_kept, uint64_t end)
{
	while (self->open.n > n_kept)
		end_node(self, self->open.data[--self->open.n].at, end);
}

/* The frames of a stack, leaf first, into `path`. */
static void find_path(Maker *self, uint32_t node)
{
	const CallNode *nodes = self->profile->tree->nodes;

	g_array_set_size(self->path, 0);
	for (; node != 0; node = nodes[node].parent)
		g_array_append_val(self->path, node);
}

static uint32_t path_get(const Maker *self, size_t depth)
{
	return g_array_index(self->path, uint32_t, self->path->len - 1 - depth);
}

static size_t n_shared(const Maker *self)
{
	size_t n = 0, most = MIN(self->open.n, self->path->len);

	while (n < most && self->open.data[n].node == path_get(self, n))
		n++;
	return n;
}

static void open_frames(Maker *self, uint32_t lane_node, uint64_t begin)
{
	const CallNode *nodes = self->profile->tree->nodes;

	for (size_t i = self->open.n; i < self->path->len && !self->is_out_of_memory; i++) {
		uint32_t parent = i > 0 ? self->open.data[i - 1].at : lane_node;
		uint32_t node = path_get(self, i);
		const Open open = { add_node(self, nodes[node].display, parent,
					     self->base + 1 + (uint32_t)i, begin),
				    node };

		if (!array_push(&self->open, open))
			self->is_out_of_memory = true;
	}
}

/* --- lanes ------------------------------------------------------------------------------- */

static void draw_lane(Maker *self, Text name, const Span *first, const Span *end)
{
	uint32_t lane = add_node(self, frame_names_label(self->names, name), 0, self->base, 0);
	uint64_t last = 0;

	for (const Span *span = first; span < end && !self->is_out_of_memory; span++) {
		uint64_t begin = to_us(self, span->begin_ns);

		find_path(self, span->node);
		close_frames(self, begin == last ? n_shared(self) : 0, last);
		open_frames(self, lane, begin);
		last = to_us(self, span->end_ns);
	}
	close_frames(self, 0, last);
	end_node(self, lane, to_us(self, self->end_ns));
}

typedef struct {
	const Groups *groups;
	const Spans *spans;
} LaneNames;

static int compare_lanes(const void *left, const void *right, void *context)
{
	const LaneNames *names = context;
	uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
	int order = text_compare(groups_name(names->groups, a), groups_name(names->groups, b));

	return order != 0 ? order : (a > b) - (a < b);
}

static void draw_lanes(Maker *self, const Spans *spans, const Groups *groups)
{
	g_autofree uint32_t *order = g_new(uint32_t, (gsize)spans->n_lanes + 1);
	LaneNames names = { groups, spans };

	for (uint32_t i = 0; i < spans->n_lanes; i++)
		order[i] = i;
	g_qsort_with_data(order, (gint)spans->n_lanes, sizeof(*order), compare_lanes, &names);
	for (uint32_t i = 0; i < spans->n_lanes; i++) {
		const Span *first = spans->spans + spans->lane_begin[order[i]];
		const Span *end = spans->spans + spans->lane_begin[order[i] + 1];
		Text name = groups_name(groups, order[i]);

		if (first == end)
			continue;
		self->base = i > 0 ? self->max_depth + 1 + LANE_GAP : 1;
		draw_lane(self, name.len > 0 ? name : TEXT("all threads"), first, end);
	}
}

/* --- the whole --------------------------------------------------------------------------- */

/* What is shown: the chosen time, else from the first sample to the end of the last. */
static void find_ends(Maker *self, const Spans *spans)
{
	size_t n, n_spans = spans->lane_begin[spans->n_lanes];
	const TimeRange *ranges = selection_ranges(self->profile->selection, &n);

	self->begin_ns = INT64_MAX;
	self->end_ns = INT64_MIN;
	for (size_t i = 0; i < n_spans; i++) {
		self->begin_ns = MIN(self->begin_ns, spans->spans[i].begin_ns);
		self->end_ns = MAX(self->end_ns, spans->spans[i].end_ns);
	}
	if (n_spans == 0)
		self->begin_ns = self->end_ns = 0;
	if (n > 0) {
		self->begin_ns = ranges[0].begin_ns;
		self->end_ns = ranges[n - 1].end_ns;
	}
}

/* What a frame did itself is what its children do not cover; the root and lanes do nothing. */
static void set_selves(CallTree *tree)
{
	for (uint32_t i = 1; i < tree->n_nodes; i++)
		tree->nodes[i].self = tree->nodes[i].parent != 0 ? tree->nodes[i].total : 0;
	for (uint32_t i = 1; i < tree->n_nodes; i++) {
		CallNode *parent = &tree->nodes[tree->nodes[i].parent];

		parent->self -= MIN(parent->self, tree->nodes[i].total);
	}
}

static CallTree *finish(Maker *self)
{
	CallTree *tree = g_new0(CallTree, 1);

	end_node(self, 0, to_us(self, self->end_ns));
	*tree = (CallTree){ .nodes = self->nodes.data,
			    .begins = self->begins.data,
			    .begin_ns = self->begin_ns,
			    .n_nodes = (uint32_t)self->nodes.n,
			    .max_depth = self->max_depth,
			    .counts = self->profile->tree->counts };
	set_selves(tree);
	return tree;
}

static CallTree *draw(const Profile *profile, const Spans *spans, const Groups *groups,
		      GError **error)
{
	g_autoptr(GArray) path = g_array_new(FALSE, FALSE, sizeof(uint32_t));
	Maker self = { .profile = profile, .names = profile->tree->names, .path = path };

	find_ends(&self, spans);
	add_node(&self, frame_names_label(self.names, TEXT("root")), 0, 0, 0);
	draw_lanes(&self, spans, groups);
	array_clear(&self.open);
	if (!self.is_out_of_memory)
		return finish(&self);
	array_clear(&self.nodes);
	array_clear(&self.begins);
	fail(error, FLAMEBEAT_ERROR_LIMIT, "out of memory for the flame chart");
	return NULL;
}

CallTree *chart_new(const Profile *profile, CallTree *merged, GError **error)
{
	g_autoptr(Groups) groups = groups_new(profile->store, profile->group_by, false);
	Grouping grouping = groups_grouping(groups);
	g_auto(Spans) spans = { 0 };
	CallTree *chart;

	if (!spans_init(&spans, profile, &grouping, error))
		return NULL;
	chart = draw(profile, &spans, groups, error);
	if (chart != NULL)
		chart->names = g_steal_pointer(&merged->names);
	return chart;
}
