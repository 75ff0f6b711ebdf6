/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

/*
 * Consecutive recordings in a folder, such as `record --rotate` leaves: files whose names differ
 * only in numbers. They are offered as one recording; whether they are of one host and fit on one
 * time line is told when they are loaded (parse/load.h).
 */
typedef struct {
	char *name;   /* the common name, every number as N */
	char **paths; /* two at least, in the order given; NULL-terminated */
} Ring;

/* The rings among `paths` (of char *), by where their first files are; free with
 * g_ptr_array_unref(). */
GPtrArray *rings_find(const GPtrArray *paths);
