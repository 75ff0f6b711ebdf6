/* SPDX-License-Identifier: MIT */
/*
 * speedscope's file format (https://www.speedscope.app/file-format-schema.json). The first profile
 * has all threads, merged: each stack once, with the time it took in all of them. Then comes one
 * for each thread in which time goes from left to right; where the thread was not seen the stack is
 * empty. Where samples have no time there is the merged profile alone, in samples.
 */

#include "render/formats.h"

#include <inttypes.h>

#include "render/json-writer.h"
#include "render/number.h"
#include "slice/group.h"
#include "slice/spans.h"
#include "store/error.h"

typedef struct {
	FILE *out;
	const Profile *profile;
	const Caption *caption;
	const Groups *groups; /* of threads, for the first frame; NULL: none */
	const Groups *threads;
	Spans spans;
	uint64_t *time_ns;	  /* by node; all 0 between groups */
	GArray *stack;		  /* of uint32_t: scratch */
	GHashTable *group_frames; /* group -> frame number */
	uint32_t n_displays;
	bool has_profile;
} Writer;

/* --- frames -------------------------------------------------------------------------------- */

static void write_frame(Writer *self, Text name, Text dso)
{
	fputs_unlocked("{\"name\":", self->out);
	json_write_string(self->out, name);
	if (dso.len > 0) {
		fputs_unlocked(",\"file\":", self->out);
		json_write_string(self->out, dso);
	}
	putc_unlocked('}', self->out);
}

/* Displays by their ids, then one for each group. */
static void write_frames(Writer *self, const uint32_t *group_of_lane)
{
	FrameNames *names = self->profile->tree->names;

	fputs("\"shared\":{\"frames\":[", self->out);
	for (uint32_t i = 0; i < self->n_displays; i++) {
		DisplayFrame frame = frame_names_get(names, i);

		fputs_unlocked(i > 0 ? ",\n" : "\n", self->out);
		write_frame(self, frame.name, frame.dso);
	}
	for (uint32_t lane = 0; self->groups != NULL && lane < self->spans.n_lanes; lane++) {
		gpointer key = GUINT_TO_POINTER(group_of_lane[lane] + 1);
		guint number = self->n_displays + g_hash_table_size(self->group_frames);

		if (g_hash_table_contains(self->group_frames, key))
			continue;
		g_hash_table_insert(self->group_frames, key, GUINT_TO_POINTER(number));
		fputs_unlocked(",\n", self->out);
		write_frame(self, groups_name(self->groups, group_of_lane[lane]), TEXT(""));
	}
	fputs("]},\n", self->out);
}

static void write_stack(Writer *self, uint32_t group_frame, uint32_t node)
{
	const CallNode *nodes = self->profile->tree->nodes;
	const char *comma = "";

	g_array_set_size(self->stack, 0);
	for (; node != 0; node = nodes[node].parent)
		g_array_append_val(self->stack, nodes[node].display);
	putc_unlocked('[', self->out);
	if (group_frame != ROW_NONE) {
		number_write(self->out, group_frame);
		comma = ",";
	}
	for (guint i = self->stack->len; i-- > 0; comma = ",") {
		fputs_unlocked(comma, self->out);
		number_write(self->out, g_array_index(self->stack, uint32_t, i));
	}
	putc_unlocked(']', self->out);
}

/* --- profiles ------------------------------------------------------------------------------ */

static void open_profile(Writer *self, Text name, const char *unit, int64_t begin, uint64_t end)
{
	fprintf(self->out, "%s{\"type\":\"sampled\",\"name\":", self->has_profile ? ",\n" : "");
	json_write_string(self->out, name);
	fprintf(self->out,
		",\"unit\":\"%s\",\"startValue\":%" PRId64 ",\"endValue\":%" PRIu64
		",\"samples\":[\n",
		unit, begin, end);
	self->has_profile = true;
}

/* Stacks go to `out` as they are met, weights to `weights`: they come after all stacks. */
static void add_sample(Writer *self, GString *weights, uint32_t group_frame, uint32_t node,
		       uint64_t weight)
{
	if (weights->len > 0)
		fputs_unlocked(",\n", self->out);
	write_stack(self, group_frame, node);
	g_string_append_printf(weights, "%s%" PRIu64, weights->len > 0 ? "," : "", weight);
}

static void close_profile(Writer *self, const GString *weights)
{
	fputs("],\"weights\":[", self->out);
	fwrite(weights->str, 1, weights->len, self->out);
	fputs("]}", self->out);
}

/* The lanes of one group, whose times are summed up by node. */
static void write_group(Writer *self, GString *weights, const uint32_t *group_of_lane,
			uint32_t group)
{
	const CallTree *tree = self->profile->tree;
	gpointer frame = g_hash_table_lookup(self->group_frames, GUINT_TO_POINTER(group + 1));

	for (uint32_t lane = 0; lane < self->spans.n_lanes; lane++) {
		if (group_of_lane[lane] != group)
			continue;
		for (size_t i = self->spans.lane_begin[lane]; i < self->spans.lane_begin[lane + 1];
		     i++) {
			const Span *span = &self->spans.spans[i];

			self->time_ns[span->node] += (uint64_t)(span->end_ns - span->begin_ns);
		}
	}
	for (uint32_t node = 0; node < tree->n_nodes; node++) {
		if (self->time_ns[node] > 0)
			add_sample(self, weights,
				   frame != NULL ? GPOINTER_TO_UINT(frame) : ROW_NONE, node,
				   self->time_ns[node]);
		self->time_ns[node] = 0;
	}
}

static uint64_t total_time(const Spans *spans)
{
	uint64_t total = 0;

	for (size_t i = 0; i < spans->lane_begin[spans->n_lanes]; i++)
		total += (uint64_t)(spans->spans[i].end_ns - spans->spans[i].begin_ns);
	return total;
}

static void write_merged(Writer *self, const uint32_t *group_of_lane)
{
	g_autoptr(GString) weights = g_string_new(NULL);
	g_autoptr(GHashTable) done = g_hash_table_new(NULL, NULL);

	open_profile(self, TEXT("all threads"), "nanoseconds", 0, total_time(&self->spans));
	for (uint32_t lane = 0; lane < self->spans.n_lanes; lane++)
		if (g_hash_table_add(done, GUINT_TO_POINTER(group_of_lane[lane] + 1)))
			write_group(self, weights, group_of_lane, group_of_lane[lane]);
	close_profile(self, weights);
}

/* One thread; `first` up to `end` are its spans. */
static void write_thread(Writer *self, Text name, const Span *first, const Span *end)
{
	g_autoptr(GString) weights = g_string_new(NULL);
	int64_t zero_ns = self->caption->zero_ns, at_ns = first->begin_ns;

	open_profile(self, name, "nanoseconds", at_ns - zero_ns,
		     (uint64_t)(end[-1].end_ns - zero_ns));
	for (const Span *span = first; span < end; span++) {
		if (span->begin_ns > at_ns)
			add_sample(self, weights, ROW_NONE, 0, (uint64_t)(span->begin_ns - at_ns));
		add_sample(self, weights, ROW_NONE, span->node,
			   (uint64_t)(span->end_ns - span->begin_ns));
		at_ns = span->end_ns;
	}
	close_profile(self, weights);
}

/* Without times: each stack with its weight. */
static void write_untimed(Writer *self)
{
	const CallTree *tree = self->profile->tree;
	g_autoptr(GString) weights = g_string_new(NULL);

	open_profile(self, TEXT("all threads"), "none", 0, tree->nodes[0].total);
	for (uint32_t node = 0; node < tree->n_nodes; node++)
		if (tree->nodes[node].self > 0)
			add_sample(self, weights, ROW_NONE, node, tree->nodes[node].self);
	close_profile(self, weights);
}

static void write_profiles(Writer *self, const uint32_t *group_of_lane)
{
	const Spans *spans = &self->spans;

	fputs("\"profiles\":[\n", self->out);
	if (spans->is_timed)
		write_merged(self, group_of_lane);
	else
		write_untimed(self);
	for (uint32_t lane = 0; lane < spans->n_lanes; lane++)
		if (spans->lane_begin[lane] < spans->lane_begin[lane + 1])
			write_thread(self, groups_name(self->threads, lane),
				     spans->spans + spans->lane_begin[lane],
				     spans->spans + spans->lane_begin[lane + 1]);
	fputs("],\n\"name\":", self->out);
	json_write_cstring(self->out, self->caption->title != NULL ? self->caption->title : "");
	fputs(",\"activeProfileIndex\":0,\"exporter\":\"flamebeat@" FLAMEBEAT_VERSION "\"}\n",
	      self->out);
}

/* --- the whole ------------------------------------------------------------------------------ */

/* The group of each lane: of the first thread of that name. */
static uint32_t *find_groups(const Writer *self, const Grouping *lanes, const Grouping *groups)
{
	uint32_t *group_of_lane = g_new0(uint32_t, (gsize)self->spans.n_lanes + 1);

	if (groups->by_thread == NULL)
		return group_of_lane;
	for (uint32_t i = store_n_threads(self->profile->store); i-- > 0;)
		if (lanes->by_thread[i] < self->spans.n_lanes)
			group_of_lane[lanes->by_thread[i]] = groups->by_thread[i];
	return group_of_lane;
}

bool profile_speedscope(FILE *out, const Profile *profile, const Caption *caption, GError **error)
{
	g_autoptr(Groups) threads = groups_new(profile->store, GROUP_BY_TID, true);
	g_autoptr(Groups) groups = groups_new(profile->store, profile->group_by, true);
	Grouping lanes = groups_grouping(threads), grouping = groups_grouping(groups);
	g_autofree uint64_t *time_ns = g_try_new0(uint64_t, profile->tree->n_nodes);
	g_autoptr(GArray) stack = g_array_new(FALSE, FALSE, sizeof(uint32_t));
	g_autoptr(GHashTable) group_frames = g_hash_table_new(NULL, NULL);
	g_autofree uint32_t *group_of_lane = NULL;
	Writer self = { .out = out,
			.profile = profile,
			.caption = caption,
			.groups = grouping.by_thread != NULL ? groups : NULL,
			.threads = threads,
			.time_ns = time_ns,
			.stack = stack,
			.group_frames = group_frames,
			.n_displays = frame_names_count(profile->tree->names) };

	if (time_ns == NULL)
		return fail(error, FLAMEBEAT_ERROR_LIMIT, "out of memory");
	if (!spans_init(&self.spans, profile, &lanes, error))
		return false;
	group_of_lane = find_groups(&self, &lanes, &grouping);
	fputs("{\"$schema\":\"https://www.speedscope.app/file-format-schema.json\",\n", out);
	write_frames(&self, group_of_lane);
	write_profiles(&self, group_of_lane);
	spans_clear(&self.spans);
	return true;
}
