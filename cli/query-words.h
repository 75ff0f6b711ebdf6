/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

#include "store/query.h"

/* The command-line words that would make this query, each `--name=value`; `with_range`: also
 * those of --range. Free with g_ptr_array_unref(). */
GPtrArray *query_words(const Query *query, bool with_range);
