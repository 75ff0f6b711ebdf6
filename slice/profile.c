/* SPDX-License-Identifier: MIT */
#include "slice/profile.h"

#include "store/sampling.h"

bool profile_find_interval(Profile *self, GError **error)
{
	Sampling sampling;

	if (!sampling_find(&sampling, self->store, self->selection, error))
		return false;
	self->interval_ns = NS_PER_MS;
	if (sampling.hz > 0)
		self->interval_ns =
			CLAMP((int64_t)((double)NS_PER_SECOND / sampling.hz), 1, NS_PER_SECOND);
	return true;
}
