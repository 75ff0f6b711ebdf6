/* SPDX-License-Identifier: MIT */
/* Growing the index: the tag alone tells where a slot goes, so no key is looked at again. */

#include "store/id-index.h"

#include <sys/random.h>

#define FIRST_SLOTS 256

uint64_t id_index_seed(void)
{
	uint64_t seed;

	if (getrandom(&seed, sizeof(seed), GRND_NONBLOCK) != sizeof(seed))
		seed = (uint64_t)g_get_monotonic_time() ^ (uintptr_t)&seed;
	return seed;
}

static void move_slots(IdSlot *to, size_t n_to, const IdSlot *from, size_t n_from)
{
	for (size_t i = 0; i < n_from; i++) {
		size_t k = from[i].tag & (n_to - 1);

		if (from[i].id == ROW_NONE)
			continue;
		while (to[k].id != ROW_NONE)
			k = (k + 1) & (n_to - 1);
		to[k] = from[i];
	}
}

bool id_index_reserve(IdIndex *self)
{
	size_t n_slots = self->n_slots > 0 ? self->n_slots * 2 : FIRST_SLOTS;
	IdSlot *slots;

	if (self->n + 1 <= self->n_slots / 2)
		return true;
	slots = g_try_new(IdSlot, n_slots);
	if (slots == NULL)
		return false;
	memset(slots, 0xff, n_slots * sizeof(*slots));
	move_slots(slots, n_slots, self->slots, self->n_slots);
	g_free(self->slots);
	self->slots = slots;
	self->n_slots = n_slots;
	return true;
}
