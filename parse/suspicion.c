/* SPDX-License-Identifier: MIT */
/* Whether an event's records end in a blank line is known at the end only. */

#include "parse/suspicion.h"

typedef struct {
	uint64_t n_blank, n_within;
} SuspicionEvent;

void suspicion_init(Suspicion *self)
{
	*self = (Suspicion){ .events = g_array_new(FALSE, TRUE, sizeof(SuspicionEvent)) };
}

void suspicion_clear(Suspicion *self)
{
	g_array_unref(self->events);
}

static SuspicionEvent *of_event(Suspicion *self, uint32_t event)
{
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
	self->orphan_runs += self->last_orphan == 0 || line != self->last_orphan + 1;
	self->last_orphan = line;
}

uint64_t suspicion_count(const Suspicion *self)
{
	uint64_t n = self->orphan_runs;

	for (guint i = 0; i < self->events->len; i++) {
		const SuspicionEvent *event = &g_array_index(self->events, SuspicionEvent, i);

		n += event->n_blank > 0 ? event->n_within : 0;
	}
	return n;
}
