/* SPDX-License-Identifier: MIT */
/*
 * Growth by doubling through g_try_realloc: large blocks are remapped, not copied, and pages that
 * were never written take no memory.
 */

#include "store/array.h"

bool array_grow(void **data, size_t *capacity, size_t n_needed, size_t element_size)
{
	size_t wanted = MAX(*capacity, 16);
	void *grown;

	while (wanted < n_needed) {
		if (wanted > G_MAXSIZE / 2)
			return false;
		wanted *= 2;
	}
	grown = g_try_realloc_n(*data, wanted, element_size);
	if (grown == NULL)
		return false;
	*data = grown;
	*capacity = wanted;
	return true;
}
