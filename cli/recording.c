/* SPDX-License-Identifier: MIT */
/* Opening a recording, and saying in a picture's head what is in it. */

#include "cli/recording.h"

#include "cli/progress-bar.h"

Store *recording_load(const Invocation *invocation, char *const *inputs, const LoadSettings *load,
		      GError **error)
{
	const CommonSettings *common = invocation->settings;
	const Host *host = invocation->host;
	LoadSettings settings = *load;
	g_auto(ProgressBar) bar = { 0 };

	if (host != NULL)
		return host->open(host->context, inputs, error);
	progress_bar_init(&bar, common->is_quiet);
	settings.n_threads = common->n_threads;
	settings.progress = progress_bar_update;
	settings.progress_data = &bar;
	return load_recording(inputs, &settings, invocation->notes, error);
}

Selection *recording_select(const Invocation *invocation, const Store *store, const Query *query,
			    Notes *notes, GError **error)
{
	Selection *selection = selection_new(store, query, notes, error);

	if (selection != NULL && invocation->host != NULL)
		selection_set_cancel(selection, invocation->host->is_cancelled);
	return selection;
}

bool recording_open(Recording *self, const Invocation *invocation, const LoadSettings *load,
		    const Query *query, GError **error)
{
	if (!query_check(query, error))
		return false;
	self->store = recording_load(invocation, invocation->inputs, load, error);
	if (self->store == NULL)
		return false;
	self->selection =
		recording_select(invocation, self->store, query, invocation->notes, error);
	return self->selection != NULL;
}

void recording_clear(Recording *self)
{
	g_clear_pointer(&self->selection, selection_free);
	g_clear_pointer(&self->store, store_free);
}

void recording_note_empty(const SelectionCounts *counts, Notes *notes)
{
	if (counts->samples > 0)
		return;
	if (counts->seen == 0)
		notes_add_shortfall(notes, "no samples in the chosen time");
	else
		notes_add_shortfall(notes,
				    "no sample passes the filters (%" G_GUINT64_FORMAT
				    " seen, %" G_GUINT64_FORMAT " of them idle)",
				    counts->seen, counts->idle + counts->idle_presumed);
}

char *format_count(uint64_t n)
{
	char digits[24];
	int length = g_snprintf(digits, sizeof(digits), "%" G_GUINT64_FORMAT, n);
	GString *text = g_string_new(NULL);

	for (int i = 0; i < length; i++) {
		if (i > 0 && (length - i) % 3 == 0)
			g_string_append_c(text, ',');
		g_string_append_c(text, digits[i]);
	}
	return g_string_free(text, FALSE);
}

/* --- captions ---------------------------------------------------------------------------- */

/* "a.perf" or "a.perf and 3 more". */
static char *source_name(char **inputs)
{
	guint n = g_strv_length(inputs);
	g_autofree char *first = g_str_equal(inputs[0], "-") ? g_strdup("standard input")
							     : g_path_get_basename(inputs[0]);

	return n == 1 ? g_steal_pointer(&first) : g_strdup_printf("%s and %u more", first, n - 1);
}

static void append_part(GString *text, const char *format, ...) G_GNUC_PRINTF(2, 3);

static void append_part(GString *text, const char *format, ...)
{
	va_list args;

	if (text->len > 0)
		g_string_append(text, " \xc2\xb7 "); /* MIDDLE DOT */
	va_start(args, format);
	g_string_append_vprintf(text, format, args);
	va_end(args);
}

static void append_ranges(GString *text, const Selection *selection)
{
	size_t n;
	const TimeRange *ranges = selection_ranges(selection, &n);
	int64_t zero = selection_zero_ns(selection);

	for (size_t i = 0; i < n && i < 3; i++) {
		g_autofree char *begin = time_format_seconds(ranges[i].begin_ns - zero);
		g_autofree char *end = time_format_seconds(ranges[i].end_ns - zero);

		append_part(text, "%s..%s s", begin, end);
	}
	if (n > 3)
		g_string_append_printf(text, " and %" G_GSIZE_FORMAT " more ranges", n - 3);
}

/* When it was, if that is known: the day is nowhere else in a picture. */
static void append_wall(GString *text, const Recording *recording)
{
	const WallClock *wall = selection_wall(recording->selection);
	g_autofree char *start = NULL;

	if (!wall->is_known || recording->store->n_timed == 0)
		return;
	start = wall_time_format(time_add(store_start_ns(recording->store), wall->offset_ns), true,
				 0);
	append_part(text, "%s %s", start, wall->zone);
}

static void append_machine(GString *text, const Store *store)
{
	uint64_t hz = store_fact_count(store, "sample_freq");
	uint64_t cpus = store_fact_count(store, "nrcpus online");

	if (hz > 0)
		append_part(text, "%" G_GUINT64_FORMAT " Hz", hz);
	if (cpus > 0)
		append_part(text, "%" G_GUINT64_FORMAT " CPU%s", cpus, cpus == 1 ? "" : "s");
}

static void append_count(GString *text, uint64_t n, const char *what)
{
	g_autofree char *number = format_count(n);

	if (n > 0)
		append_part(text, "%s %s", number, what);
}

static char *make_subtitle(const Recording *recording, const SelectionCounts *counts)
{
	g_autoptr(GString) text = g_string_new(NULL);
	const char *event = selection_event(recording->selection);
	/* A folded stack is many samples. */
	bool is_weighted = store_fact_count(recording->store, FACT_WEIGHTED) != 0;
	uint64_t n_samples = is_weighted ? counts->weight : counts->samples;
	g_autofree char *samples = format_count(n_samples);
	uint64_t lost = store_fact_count(recording->store, FACT_LOST);

	append_ranges(text, recording->selection);
	append_wall(text, recording);
	if (*event != '\0')
		append_part(text, "%s", event);
	append_machine(text, recording->store);
	append_part(text, "%s sample%s", samples, n_samples == 1 ? "" : "s");
	if (!g_str_equal(selection_unit(recording->selection), "samples"))
		append_part(text, "weighed by %s", selection_unit(recording->selection));
	append_count(text, counts->idle, "idle dropped");
	append_count(text, counts->idle_presumed, "presumed idle dropped");
	append_count(text, counts->filtered, "filtered out");
	append_count(text, counts->other_event, "of other events");
	append_count(text, lost, "LOST while recording");
	return g_string_free(g_steal_pointer(&text), FALSE);
}

void recording_caption_init(RecordingCaption *self, const Recording *recording,
			    const Invocation *invocation, const SelectionCounts *counts,
			    const char *title, const char *subtitle)
{
	self->source = g_strjoinv(" ", invocation->inputs);
	self->title = title != NULL ? g_strdup(title) : source_name(invocation->inputs);
	self->subtitle = subtitle != NULL ? g_strdup(subtitle) : make_subtitle(recording, counts);
	self->caption = (Caption){ .title = self->title,
				   .subtitle = self->subtitle,
				   .source = self->source,
				   .options = invocation->options,
				   .unit = selection_unit(recording->selection),
				   .event = selection_event(recording->selection),
				   .zero_ns = selection_zero_ns(recording->selection) };
}

void recording_caption_clear(RecordingCaption *self)
{
	g_clear_pointer(&self->title, g_free);
	g_clear_pointer(&self->subtitle, g_free);
	g_clear_pointer(&self->source, g_free);
}
