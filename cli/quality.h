/* SPDX-License-Identifier: MIT */
#pragma once

#include <jansson.h>

#include "cli/recording.h"

/*
 * How good a recording is: frames and leaves without a symbol, by DSO, each with what to do about
 * it; stacks that look cut short; and who ran. Over all samples, idle ones and all events included.
 * Sets "quality" and "top" in `info`.
 */
bool quality_add(json_t *info, const Store *store, GError **error);
