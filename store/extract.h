/* SPDX-License-Identifier: MIT */
#pragma once

#include "store/selection.h"
#include "store/store.h"

/*
 * A recording of just the samples that a selection chose, so that all that can be told of a
 * recording can be told of them: threads, events, frames and the summary are theirs alone. The
 * facts of the header, and of what was read, stay those of the whole. NULL with `error` where the
 * store is damaged.
 */
Store *selection_extract(const Store *store, Selection *selection, GError **error);
