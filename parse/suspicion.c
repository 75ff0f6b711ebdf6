/* SPDX-License-Identifier: MIT */
/* Whether an event's records end in a blank line is known at the end only. */

#include "parse/suspicion.h"

typedef struct {
	uint64_t n_blank, n_within;
} SuspicionEvent;

void suspicion_clear(Suspicion *self)
{
	g_clear_pointer(&self->events, g_array_unref);
}

static SuspicionEvent *of_event(Suspicion *self, uint32_t event)
{
	if (self->events == NULL)
		self->events = g_array_new(FALSE, TRUE, sizeof(SuspicionEvent));
	if (event >= self->events->len)
		g_array_set_size(self->events, event + 1);
	return &g_array_index(self->events, SuspicionEvent, event);
}

void suspicion_blank(Suspicion *self, uint32_t event)
{
	of_event(self, event)->n_blank++;
}

void suspicion_within(Suspicion *self, uint32_t event)
{
	of_event(self, event)->n_within++;
}

void suspicion_orphan(Suspicion *self, uint64_t line)
{
	if (self->last_orphan == 0)
		self->first_orphan = line;
	self->orphan_runs += self->last_orphan == 0 || line != self->last_orphan + 1;
	self->last_orphan = line;
}

static void append_orphans(Suspicion *self, const Suspicion *next, uint64_t first_line)
{
	uint64_t first = next->first_orphan + first_line;

	if (next->last_orphan == 0)
		return;
	self->orphan_runs += next->orphan_runs;
	if (self->last_orphan == 0)
		self->first_orphan = first;
	else if (first == self->last_orphan + 1)
		self->orphan_runs--;
	self->last_orphan = next->last_orphan + first_line;
}

void suspicion_append(Suspicion *self, const Suspicion *next, uint64_t first_line,
		      const uint32_t *events)
{
	append_orphans(self, next, first_line);
	for (guint i = 0; next->events != NULL && i < next->events->len; i++) {
		const SuspicionEvent *event = &g_array_index(next->events, SuspicionEvent, i);
		SuspicionEvent *sum = of_event(self, events != NULL ? events[i] : i);

		sum->n_blank += event->n_blank;
		sum->n_within += event->n_within;
	}
}

uint64_t suspicion_count(const Suspicion *self)
{
	uint64_t n = self->orphan_runs;

	for (guint i = 0; self->events != NULL && i < self->events->len; i++) {
		const SuspicionEvent *event = &g_array_index(self->events, SuspicionEvent, i);

		n += event->n_blank > 0 ? event->n_within : 0;
	}
	return n;
}
