/* SPDX-License-Identifier: MIT */
/*
 * Cutting a run into blocks of equal covered time. Blocks are chosen by moments, not by the
 * covered ranges themselves: what is cut are the chosen ranges, so that no sample is lost at the
 * edges of holes.
 */

#include "slice/diff-parts.h"

#include "store/covered-time.h"
#include "store/limits.h"
#include "store/weight.h"

static void clear_part(gpointer data)
{
	DiffPart *part = data;

	call_tree_free(part->tree);
	top_free(part->top);
}

GArray *diff_parts_new(void)
{
	GArray *parts = g_array_new(FALSE, TRUE, sizeof(DiffPart));

	g_array_set_clear_func(parts, clear_part);
	return parts;
}

/* Appends what the selection now holds, weighed in one way. */
static bool add_merged(GArray *parts, const DiffPart *kind, const DiffRun *run,
		       const DiffSettings *settings, GError **error)
{
	DiffPart part = *kind;

	part.tree = call_tree_new(run->store, run->selection, &settings->tree, error);
	if (part.tree == NULL)
		return false;
	part.top = top_new(run->store, run->selection, TOP_BY_FUNCTION, false, settings->tree.names,
			   error);
	g_array_append_val(parts, part);
	return part.top != NULL;
}

static double exposure_of(const DiffPart *part, const DiffRun *run, DiffNormalize normalize)
{
	double seconds = (double)covered_time_of(run->store, run->selection) / NS_PER_SECOND;

	if (normalize == NORMALIZE_SHARE)
		return (double)part->tree->nodes[0].total;
	return seconds > 0 ? seconds : 1;
}

static bool add_part(GArray *parts, DiffSide side, const DiffRun *run, const DiffSettings *settings,
		     GError **error)
{
	bool by_period = selection_weight(run->selection) == WEIGHT_PERIOD;
	DiffPart counts = { .side = side, .has_counts = true, .has_weights = !by_period };
	DiffPart weights = { .side = side, .has_weights = true };
	DiffPart *last;
	bool ok;

	selection_set_weight(run->selection, WEIGHT_SAMPLES);
	ok = add_merged(parts, &counts, run, settings, error);
	selection_set_weight(run->selection, by_period ? WEIGHT_PERIOD : WEIGHT_SAMPLES);
	if (!ok)
		return false;
	last = &g_array_index(parts, DiffPart, parts->len - 1);
	last->exposure = exposure_of(last, run, settings->normalize);
	return !by_period || add_merged(parts, &weights, run, settings, error);
}

/* The chosen ranges, as a set; all time where none were chosen. */
static GArray *chosen_time(const Selection *selection)
{
	size_t n;
	const TimeRange *ranges = selection_ranges(selection, &n);

	return selection_has_ranges(selection) ? time_set_new(ranges, n) : time_set_all();
}

static bool add_block(GArray *parts, DiffSide side, const DiffRun *run, const GArray *chosen,
		      const TimeRange *block, const DiffSettings *settings, GError **error)
{
	g_autoptr(GArray) one = time_set_new(block, 1);
	g_autoptr(GArray) part = time_set_intersect(chosen, one);

	selection_set_ranges(run->selection, (const TimeRange *)(const void *)part->data,
			     part->len);
	return add_part(parts, side, run, settings, error);
}

static bool add_blocks(GArray *parts, DiffSide side, const DiffRun *run, const GArray *covered,
		       const DiffSettings *settings, GError **error)
{
	bool has_ranges = selection_has_ranges(run->selection);
	g_autoptr(GArray) chosen = chosen_time(run->selection);
	uint64_t length = time_set_length(covered);
	TimeRange block = { .end_ns = MIN_TIME_NS };
	bool ok = true;

	for (uint64_t i = 1; i <= DIFF_BLOCKS && ok; i++) {
		block.begin_ns = block.end_ns;
		block.end_ns = i < DIFF_BLOCKS ? time_set_moment(covered, length / DIFF_BLOCKS * i)
					       : MAX_TIME_NS;
		ok = add_block(parts, side, run, chosen, &block, settings, error);
	}
	if (has_ranges)
		selection_set_ranges(run->selection, (const TimeRange *)(const void *)chosen->data,
				     chosen->len);
	else
		selection_unset_ranges(run->selection);
	return ok;
}

static void add_counts(SelectionCounts *sum, const SelectionCounts *counts)
{
	sum->seen += counts->seen;
	sum->samples += counts->samples;
	sum->weight = weight_add(sum->weight, counts->weight);
	sum->idle += counts->idle;
	sum->idle_presumed += counts->idle_presumed;
	sum->other_event += counts->other_event;
	sum->filtered += counts->filtered;
}

static void add_totals(DiffTotals *totals, const GArray *parts, guint first)
{
	for (guint i = first; i < parts->len; i++) {
		const DiffPart *part = &g_array_index(parts, DiffPart, i);

		if (part->has_weights)
			totals->weight = weight_add(totals->weight, part->tree->nodes[0].total);
		if (!part->has_counts)
			continue;
		totals->samples = weight_add(totals->samples, part->tree->nodes[0].total);
		totals->n_parts += part->exposure > 0;
		totals->part_exposure += part->exposure;
		add_counts(&totals->counts, &part->tree->counts);
	}
}

bool diff_parts_add(GArray *parts, DiffTotals *totals, DiffSide side, const DiffRun *run,
		    bool in_blocks, const DiffSettings *settings, GError **error)
{
	g_autoptr(GArray) covered = covered_time_chosen(run->store, run->selection);
	guint first = parts->len;
	bool can_cut = selection_is_timed(run->selection) &&
		       time_set_length(covered) >= DIFF_BLOCKS * (uint64_t)NS_PER_MS;
	bool ok;

	totals->seconds += (double)covered_time_of(run->store, run->selection) / NS_PER_SECOND;
	totals->n_runs++;
	ok = in_blocks && can_cut ? add_blocks(parts, side, run, covered, settings, error)
				  : add_part(parts, side, run, settings, error);
	if (ok)
		add_totals(totals, parts, first);
	return ok;
}
