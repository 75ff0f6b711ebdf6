/* SPDX-License-Identifier: MIT */
/* Which recording and which time each side is. */

#include "cli/diff-sides.h"

#include "heatmap/spikes.h"
#include "store/error.h"
#include "store/time-set.h"

static bool check_choice(const DiffChoice *choice, const Query *query, GError **error)
{
	if (choice->is_spikes &&
	    (choice->is_rest || choice->bases != NULL || choice->base_range != NULL))
		return fail(error, FLAMEBEAT_ERROR_USAGE,
			    "--spikes are compared with the rest of the recording: no --rest, "
			    "--base or --base-range");
	if (choice->is_rest && (choice->bases != NULL || choice->base_range != NULL))
		return fail(error, FLAMEBEAT_ERROR_USAGE,
			    "--rest is the base: it does not go with --base or --base-range");
	if (choice->is_rest && (query->range == NULL) == (query->phase == NULL))
		return fail(error, FLAMEBEAT_ERROR_USAGE,
			    "--rest: everything outside --range, or outside --every and --phase: "
			    "one of the two is needed");
	if (!choice->is_spikes && !choice->is_rest && choice->bases == NULL &&
	    choice->base_range == NULL)
		return fail(error, FLAMEBEAT_ERROR_USAGE,
			    "compared with what? --base FILE, --base-range FROM..TO, --range "
			    "FROM..TO --rest, or --spikes");
	return true;
}

/* --- selections ---------------------------------------------------------------------------- */

/* The event of the new side, where the base has it; else its own. */
static Selection *select_event(const DiffSides *self, const Invocation *invocation,
			       const Store *store, Query *query, GError **error)
{
	const char *event = selection_event(self->new_side.selection);
	Selection *selection = NULL;

	if (query->event == NULL && *event != '\0') {
		Query same = *query;

		same.event = (char *)event;
		selection = recording_select(invocation, store, &same, NULL, NULL);
	}
	if (selection != NULL) {
		selection_free(selection);
		query->event = (char *)event;
	}
	return recording_select(invocation, store, query, invocation->notes, error);
}

static Selection *select_base(const DiffSides *self, const Invocation *invocation,
			      const Store *store, const Query *query, const DiffChoice *choice,
			      GError **error)
{
	Query base = *query; /* borrows */

	base.range = choice->base_range;
	base.range_option = "--base-range";
	return select_event(self, invocation, store, &base, error);
}

/* From the recording's zero to its last sample. */
static GArray *whole_time(const Selection *selection)
{
	TimeFrame frame = selection_time_frame(selection);
	TimeRange extent = { MIN(frame.zero_ns, frame.start_ns), frame.end_ns };

	return time_set_new(&extent, 1);
}

/* Chooses the spikes of the new side, and nothing else. */
static bool choose_spikes(DiffSides *self, const Invocation *invocation, const Query *query,
			  GError **error)
{
	SpikeSettings settings = { .names = query->names };
	g_autoptr(Spikes) spikes = spikes_new(self->new_side.store, self->new_side.selection,
					      &settings, invocation->notes, error);
	g_autofree TimeRange *ranges = NULL;
	size_t n;

	if (spikes == NULL)
		return false;
	if (spikes->n == 0)
		notes_add_shortfall(invocation->notes, "--spikes: there is none");
	ranges = g_new(TimeRange, spikes->n + 1);
	for (size_t i = 0; i < spikes->n; i++)
		ranges[i] = spikes->items[i].range;
	n = time_ranges_normalize(ranges, spikes->n);
	selection_set_ranges(self->new_side.selection, ranges, n);
	self->n_spikes = n;
	return true;
}

/* The other part of every period: a phase may wrap. */
static Selection *select_other_phase(DiffSides *self, const Invocation *invocation,
				     const Query *query, GError **error)
{
	g_auto(GStrv) ends = g_strsplit(query->phase, "..", 2);
	Query base = *query;

	self->base_phase = g_strdup_printf("%s..%s", ends[1], ends[0]);
	base.phase = self->base_phase;
	self->base_query.phase = self->base_phase;
	return select_event(self, invocation, self->new_side.store, &base, error);
}

/* All of `whole` but the ranges that the new side chose. */
static Selection *select_other_time(const DiffSides *self, const Invocation *invocation,
				    const Query *query, const GArray *whole, GError **error)
{
	const Store *store = self->new_side.store;
	g_autoptr(GArray) chosen = NULL;
	g_autoptr(GArray) others = NULL;
	g_autoptr(GArray) rest = NULL;
	Query base = *query;
	Selection *selection;
	size_t n;
	const TimeRange *ranges = selection_ranges(self->new_side.selection, &n);

	base.range = NULL;
	chosen = time_set_new(ranges, n);
	others = time_set_complement(chosen);
	rest = time_set_intersect(whole, others);
	selection = select_event(self, invocation, store, &base, error);
	if (selection != NULL)
		selection_set_ranges(selection, (const TimeRange *)(const void *)rest->data,
				     rest->len);
	return selection;
}

static Selection *select_rest(DiffSides *self, const Invocation *invocation, const Query *query,
			      GError **error)
{
	g_autoptr(GArray) whole = NULL;

	if (query->range == NULL)
		return select_other_phase(self, invocation, query, error);
	whole = whole_time(self->new_side.selection);
	return select_other_time(self, invocation, query, whole, error);
}

/* The spikes become the new side, what else there is where they were looked for the base. */
static Selection *select_beside_spikes(DiffSides *self, const Invocation *invocation,
				       const Query *query, GError **error)
{
	g_autoptr(GArray) whole = NULL;
	size_t n;
	const TimeRange *ranges = selection_ranges(self->new_side.selection, &n);

	whole = selection_has_ranges(self->new_side.selection)
			? time_set_new(ranges, n)
			: whole_time(self->new_side.selection);
	self->is_spikes = true;
	if (!choose_spikes(self, invocation, query, error))
		return NULL;
	return select_other_time(self, invocation, query, whole, error);
}

/* --- opening ------------------------------------------------------------------------------- */

static bool open_own(DiffSides *self, const Invocation *invocation, const Query *query,
		     const DiffChoice *choice, GError **error)
{
	DiffRun *run = &self->bases[0];

	run->store = self->new_side.store;
	if (choice->is_spikes)
		run->selection = select_beside_spikes(self, invocation, query, error);
	else if (choice->is_rest)
		run->selection = select_rest(self, invocation, query, error);
	else
		run->selection = select_base(self, invocation, run->store, query, choice, error);
	self->n_bases = 1;
	self->base_inputs = g_strdupv(invocation->inputs);
	return run->selection != NULL;
}

static bool open_bases(DiffSides *self, const Invocation *invocation, const LoadSettings *load,
		       const Query *query, const DiffChoice *choice, GError **error)
{
	for (guint i = 0; i < choice->bases->len; i++) {
		char *inputs[] = { g_ptr_array_index(choice->bases, i), NULL };
		Store *store = recording_load(invocation, inputs, load, error);
		DiffRun *run = &self->bases[self->n_bases++];

		if (store == NULL)
			return false;
		g_ptr_array_add(self->stores, store);
		run->store = store;
		run->selection = select_base(self, invocation, store, query, choice, error);
		if (run->selection == NULL)
			return false;
		self->base_inputs[i] = g_strdup(inputs[0]);
	}
	return true;
}

bool diff_sides_open(DiffSides *self, const Invocation *invocation, const LoadSettings *load,
		     const Query *query, const DiffChoice *choice, GError **error)
{
	size_t n = choice->bases != NULL ? choice->bases->len : 1;

	if (!check_choice(choice, query, error) ||
	    !recording_open(&self->new_side, invocation, load, query, error))
		return false;
	self->stores = g_ptr_array_new_with_free_func((GDestroyNotify)store_free);
	self->bases = g_new0(DiffRun, n);
	self->base_query = *query;
	if (choice->bases == NULL)
		return open_own(self, invocation, query, choice, error);
	self->base_inputs = g_new0(char *, n + 1);
	return open_bases(self, invocation, load, query, choice, error);
}

void diff_sides_clear(DiffSides *self)
{
	for (size_t i = 0; i < self->n_bases; i++)
		selection_free(self->bases[i].selection);
	g_clear_pointer(&self->bases, g_free);
	g_clear_pointer(&self->stores, g_ptr_array_unref);
	g_clear_pointer(&self->base_inputs, g_strfreev);
	g_clear_pointer(&self->base_phase, g_free);
	recording_clear(&self->new_side);
}

/* --- words --------------------------------------------------------------------------------- */

/* Folded stacks have no event; theirs is called `samples`. */
static bool is_same_event(const DiffSides *self, const DiffRun *base)
{
	return store_fact_count(self->new_side.store, FACT_WEIGHTED) != 0 ||
	       store_fact_count(base->store, FACT_WEIGHTED) != 0 ||
	       g_str_equal(selection_event(self->new_side.selection),
			   selection_event(base->selection));
}

void diff_sides_note(const DiffSides *self, const Diff *diff, Notes *notes)
{
	static const char *const names[] = { "the new side", "the base" };

	for (int side = 0; side < N_SIDES; side++) {
		const SelectionCounts *counts = &diff->totals[side].counts;

		if (counts->samples > 0)
			continue;
		notes_add_shortfall(notes,
				    "%s holds no sample (%" G_GUINT64_FORMAT
				    " in its time, %" G_GUINT64_FORMAT " of them idle)",
				    names[side], counts->seen,
				    counts->idle + counts->idle_presumed);
	}
	for (size_t i = 0; i < self->n_bases; i++)
		if (!is_same_event(self, &self->bases[i]))
			notes_add_shortfall(notes,
					    "the sides count different events: %s, and %s in the "
					    "base (--event chooses one)",
					    selection_event(self->new_side.selection),
					    selection_event(self->bases[i].selection));
}

char *diff_sides_describe(const DiffSides *self, const Invocation *invocation, const Diff *diff,
			  DiffSide side)
{
	Invocation named = *invocation;
	Recording recording = self->new_side; /* borrows */
	g_auto(RecordingCaption) caption = { 0 };

	if (side == SIDE_BASE) {
		named.inputs = self->base_inputs;
		recording.store = (Store *)self->bases[0].store;
		recording.selection = self->bases[0].selection;
		recording.query = &self->base_query;
	}
	recording_caption_init(&caption, &recording, &named, &diff->totals[side].counts, NULL,
			       NULL);
	return g_strdup_printf("%s \xc2\xb7 %s", caption.title, caption.subtitle);
}

char *diff_sides_title(const DiffSides *self, const Invocation *invocation)
{
	g_autofree char *name = g_path_get_basename(invocation->inputs[0]);
	g_autofree char *base = g_path_get_basename(self->base_inputs[0]);
	guint n = g_strv_length(self->base_inputs);

	if (self->is_spikes)
		return g_strdup_printf("%s: the spikes against the rest", name);
	if (self->stores->len == 0)
		return g_strdup_printf("%s: what changed", name);
	if (n > 1)
		return g_strdup_printf("%s against %s and %u more", name, base, n - 1);
	return g_strdup_printf("%s against %s", name, base);
}
