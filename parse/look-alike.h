/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include <stdbool.h>

#include "store/text.h"

/* Formats that are given by mistake, or in hope: what the input is instead of a recording, and what
 * to do (shared reference formats.md, 1.15 and 4). Asked only once it could not be read. False
 * where `head`, its first bytes, looks like none of them. */
bool look_alike_fail(Text head, const char *name, GError **error);

/* ftrace's lines have a time and an event as perf's have, and could be read as such: wrongly. */
bool look_alike_is_ftrace(Text head);
