/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>

/*
 * Growable typed array for what grows with the input: growing may fail (GLib's own would abort).
 *
 *     ARRAY_OF(uint32_t) ids = { 0 };
 *     if (!array_push(&ids, 7))
 *             … out of memory; the array is as before
 *     array_clear(&ids);
 */
#define ARRAY_OF(type)                                                                             \
	struct {                                                                                   \
		type *data;                                                                        \
		size_t n, capacity;                                                                \
	}

bool array_grow(void **data, size_t *capacity, size_t n_needed, size_t element_size);

/* Makes room for `extra` more elements. */
#define array_reserve(array, extra)                                                                \
	((array)->n + (extra) <= (array)->capacity ||                                              \
	 array_grow((void **)&(array)->data, &(array)->capacity, (array)->n + (extra),             \
		    sizeof(*(array)->data)))

#define array_push(array, value)                                                                   \
	(array_reserve((array), 1) ? ((array)->data[(array)->n++] = (value), true) : false)

#define array_clear(array)                                                                         \
	(g_free((array)->data), (array)->data = NULL, (array)->n = 0, (array)->capacity = 0)
