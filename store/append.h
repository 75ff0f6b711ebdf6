/* SPDX-License-Identifier: MIT */
#pragma once

#include "store/builder.h"

/*
 * Adds everything in `store` to `builder`, every timed sample `shift_ns` later. Counts among the
 * facts add up, other facts stay as the first store had them. False where the store is damaged.
 */
bool store_append(StoreBuilder *builder, const Store *store, int64_t shift_ns, GError **error);
