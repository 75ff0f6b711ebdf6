/* SPDX-License-Identifier: MIT */
/* Opening a recording, and saying in a picture's head what is in it. */

#include "cli/recording.h"

#include "cli/subtitle.h"

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
	self->query = query;
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

void recording_caption_init(RecordingCaption *self, const Recording *recording,
			    const Invocation *invocation, const SelectionCounts *counts,
			    const char *title, const char *subtitle)
{
	self->source = g_strjoinv(" ", invocation->inputs);
	self->title = title != NULL ? g_strdup(title) : source_name(invocation->inputs);
	self->subtitle = subtitle != NULL ? g_strdup(subtitle) : subtitle_new(recording, counts);
	self->caption = (Caption){ .title = self->title,
				   .subtitle = self->subtitle,
				   .source = self->source,
				   .options = invocation->options,
				   .unit = selection_unit(recording->selection),
				   .event = selection_event(recording->selection),
				   .zero_ns = selection_zero_ns(recording->selection) };
}

void recording_caption_add(RecordingCaption *self, const char *words)
{
	char *longer;

	if (*words == '\0')
		return;
	longer = g_strconcat(self->subtitle, *self->subtitle != '\0' ? " \xc2\xb7 " : "", words,
			     NULL);
	g_free(self->subtitle);
	self->subtitle = longer;
	self->caption.subtitle = longer;
}

void recording_caption_clear(RecordingCaption *self)
{
	g_clear_pointer(&self->title, g_free);
	g_clear_pointer(&self->subtitle, g_free);
	g_clear_pointer(&self->source, g_free);
}
