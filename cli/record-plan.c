/* SPDX-License-Identifier: MIT */
/*
 * perf's command line. Whether perf agrees with it is tried out first, on a program that does
 * nothing: so what perf says can be read and acted upon, while the real recording leaves standard
 * error, terminal and all, to the command that is recorded.
 */

#include "cli/record-plan.h"

#include <string.h>

#include "store/error.h"
#include "store/time-range.h"

/* What is asked of perf on top, and done without where it, or the event, refuses. */
static const struct {
	const char *option;
	const char *name; /* that perf uses when it refuses */
	const char *note; /* what its lack means; NULL: little */
	bool is_for_trial;
} extras[] = {
	{ "--clockid=CLOCK_MONOTONIC", "clockid",
	  "perf refuses -k CLOCK_MONOTONIC here: recorded without it, so that the time of day will "
	  "not be known",
	  false },
	{ "--sample-cpu", "sample-cpu", NULL, false },
	/* Without it, perf takes a second to stop. */
	{ "--no-bpf-event", "no-bpf-event", NULL, true },
};

bool record_plan_is_system_wide(const RecordPlan *self)
{
	return self->settings->is_system_wide ||
	       (self->settings->pids == NULL && self->command[0] == NULL);
}

/* --- events ------------------------------------------------------------------------------ */

/* `group:name`, where what follows the colon is more than modifiers. */
static bool is_tracepoint(const char *event)
{
	const char *colon = strchr(event, ':');

	return colon != NULL && colon[1 + strspn(colon + 1, "ukhIGHpPSDWeb")] != '\0';
}

/* The modifiers of `event`, with their colon, where it is the CPU's cycles; else NULL. */
static const char *after_cycles(const char *event)
{
	static const char *const names[] = { "cpu-cycles", "cycles" };

	for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
		size_t n = strlen(names[i]);

		if (g_str_has_prefix(event, names[i]) && (event[n] == '\0' || event[n] == ':'))
			return event + n;
	}
	return NULL;
}

static const char *event_at(const RecordPlan *self, guint i)
{
	const GPtrArray *events = self->settings->events;

	return events != NULL && i < events->len ? g_ptr_array_index(events, i) : NULL;
}

bool record_plan_wants_cycles(const RecordPlan *self)
{
	for (guint i = 0; event_at(self, i) != NULL; i++)
		if (after_cycles(event_at(self, i)) != NULL)
			return true;
	return false;
}

int record_plan_frequency(const RecordPlan *self)
{
	bool has_tracepoint = false;

	for (guint i = 0; event_at(self, i) != NULL; i++)
		has_tracepoint |= is_tracepoint(event_at(self, i));
	if (self->settings->frequency_hz > 0)
		return (int)self->settings->frequency_hz;
	return has_tracepoint ? 0 : DEFAULT_FREQUENCY_HZ;
}

static char *event_word(const RecordPlan *self, const char *event)
{
	const char *modifiers = after_cycles(event);

	if (self->uses_cpu_clock && modifiers != NULL)
		return g_strconcat("--event=cpu-clock", modifiers, NULL);
	return g_strconcat("--event=", event, NULL);
}

/* --- words ------------------------------------------------------------------------------- */

static void add_what(const RecordPlan *self, GPtrArray *words)
{
	const RecordSettings *settings = self->settings;
	int frequency = record_plan_frequency(self);

	if (frequency > 0)
		g_ptr_array_add(words, g_strdup_printf("--freq=%d", frequency));
	for (guint i = 0; event_at(self, i) != NULL; i++)
		g_ptr_array_add(words, event_word(self, event_at(self, i)));
	if (settings->pids != NULL)
		g_ptr_array_add(words, g_strconcat("--pid=", settings->pids, NULL));
	else if (record_plan_is_system_wide(self))
		g_ptr_array_add(words, g_strdup("--all-cpus"));
	g_ptr_array_add(words, settings->call_graph == NULL
				       ? g_strdup("-g")
				       : g_strconcat("--call-graph=", settings->call_graph, NULL));
}

static void add_extras(const RecordPlan *self, GPtrArray *words, bool is_trial)
{
	for (guint i = 0; i < G_N_ELEMENTS(extras); i++)
		if ((self->refused & 1u << i) == 0 && (is_trial || !extras[i].is_for_trial))
			g_ptr_array_add(words, g_strdup(extras[i].option));
}

static GPtrArray *begin_words(const RecordPlan *self, const char *path, bool is_trial)
{
	const char *perf = self->settings->perf != NULL ? self->settings->perf : "perf";
	GPtrArray *words = g_ptr_array_new();

	g_ptr_array_add(words, g_strdup(perf));
	g_ptr_array_add(words, g_strdup("record"));
	add_what(self, words);
	add_extras(self, words, is_trial);
	g_ptr_array_add(words, g_strconcat("--output=", path, NULL));
	return words;
}

static char **end_words(GPtrArray *words)
{
	g_ptr_array_add(words, NULL);
	return (char **)g_ptr_array_free(words, FALSE);
}

static char **trial_words(const RecordPlan *self)
{
	GPtrArray *words = begin_words(self, "/dev/null", true);

	g_ptr_array_add(words, g_strdup("--no-buildid"));
	g_ptr_array_add(words, g_strdup("--"));
	g_ptr_array_add(words, g_strdup("true"));
	return end_words(words);
}

char **record_plan_words(const RecordPlan *self, const char *path)
{
	GPtrArray *words = begin_words(self, path, false);

	/* What perf has to say has been said in the trial, or is found in the file. */
	g_ptr_array_add(words, g_strdup("--quiet"));
	if (self->settings->rotate_ns > 0)
		g_ptr_array_add(words, g_strdup_printf("--switch-output=%" G_GINT64_FORMAT "s",
						       (gint64)(self->settings->rotate_ns /
								NS_PER_SECOND)));
	if (self->command[0] != NULL)
		g_ptr_array_add(words, g_strdup("--"));
	for (char *const *word = self->command; *word != NULL; word++)
		g_ptr_array_add(words, g_strdup(*word));
	return end_words(words);
}

/* --- what perf refuses ------------------------------------------------------------------- */

/* What some sentence of perf's means, and what to do. */
static const struct {
	const char *part;
	const char *advice;
} explanations[] = {
	{ "branch stack", "this machine has no branch stacks, which --call-graph lbr needs: use "
			  "--call-graph dwarf" },
	{ "event syntax error", "perf does not know this event: `perf list` shows those it knows" },
	{ "Access to performance monitoring", "the kernel forbids it: use sudo (in a container: "
					      "CAP_PERFMON, and no seccomp filter against perf)" },
	{ "No permission", "the kernel forbids it: use sudo" },
	{ "No such process", "there is no such process" },
};

/* The first `max` lines of what perf said, as one. */
static char *in_one_line(const char *messages, int max)
{
	g_auto(GStrv) lines = g_strsplit(messages, "\n", -1);
	GString *text = g_string_new(NULL);

	for (int i = 0; lines[i] != NULL && max > 0; i++) {
		const char *line = g_strstrip(lines[i]);

		if (*line == '\0' || g_str_equal(line, "Error:") ||
		    g_str_has_prefix(line, "[ perf record:"))
			continue;
		g_string_append_printf(text, "%s%s", text->len > 0 ? " " : "", line);
		max--;
	}
	if (text->len == 0)
		g_string_append(text, "it fails and does not say why; `perf record -v` may");
	return g_string_free(text, FALSE);
}

static bool fail_trial(const char *messages, GError **error)
{
	g_autofree char *first = in_one_line(messages, 1);
	g_autofree char *some = in_one_line(messages, 4);

	for (size_t i = 0; i < G_N_ELEMENTS(explanations); i++)
		if (strstr(messages, explanations[i].part) != NULL)
			return fail(error, FLAMEBEAT_ERROR_FAILED, "%s (perf record: %s)",
				    explanations[i].advice, first);
	return fail(error, FLAMEBEAT_ERROR_FAILED, "perf record: %s", some);
}

static bool give_way_on_extras(RecordPlan *self, const char *messages, Notes *notes)
{
	for (guint i = 0; i < G_N_ELEMENTS(extras); i++) {
		if ((self->refused & 1u << i) != 0 || strstr(messages, extras[i].name) == NULL)
			continue;
		self->refused |= 1u << i;
		if (extras[i].note != NULL)
			notes_add(notes, "%s", extras[i].note);
		return true;
	}
	return false;
}

/* Virtual machines as a rule count no cycles. */
static bool give_way_on_cycles(RecordPlan *self, const char *messages, Notes *notes)
{
	if (self->uses_cpu_clock || !record_plan_wants_cycles(self) ||
	    (strstr(messages, "not supported") == NULL &&
	     strstr(messages, "support sampling") == NULL))
		return false;
	self->uses_cpu_clock = true;
	notes_add(notes, "this machine counts no cycles (is it virtual?): recorded by cpu-clock");
	return true;
}

/* One trial; what perf said, or NULL. `*is_accepted`: it recorded. */
static char *try_once(const RecordPlan *self, bool *is_accepted, GError **error)
{
	g_auto(GStrv) words = trial_words(self);
	g_auto(GStrv) environment = g_environ_setenv(g_get_environ(), "LC_ALL", "C", TRUE);
	g_autoptr(GError) cause = NULL;
	char *messages = NULL;
	char *usage;
	int status;

	if (!g_spawn_sync(NULL, words, environment,
			  G_SPAWN_SEARCH_PATH | G_SPAWN_STDOUT_TO_DEV_NULL, NULL, NULL, NULL,
			  &messages, &status, &cause)) {
		fail(error, FLAMEBEAT_ERROR_FAILED, "cannot run perf: %s", cause->message);
		return NULL;
	}
	*is_accepted = g_spawn_check_wait_status(status, NULL);
	/* The options that it lists there are not what it complains of. */
	usage = strstr(messages, "Usage:");
	if (usage != NULL)
		*usage = '\0';
	return messages;
}

bool record_plan_try(RecordPlan *self, Notes *notes, GError **error)
{
	/* Each turn gives up something. */
	for (;;) {
		bool is_accepted;
		g_autofree char *messages = try_once(self, &is_accepted, error);

		if (messages == NULL)
			return false;
		if (is_accepted)
			return true;
		if (!give_way_on_extras(self, messages, notes) &&
		    !give_way_on_cycles(self, messages, notes))
			return fail_trial(messages, error);
	}
}
