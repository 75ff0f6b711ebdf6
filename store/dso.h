/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdbool.h>

#include "store/text.h"

/* What a DSO's name says about the code in it (reference: perf's own spellings of them). */

/* `[unknown]`, or nothing at all. */
bool dso_is_unknown(Text dso);

/* Code made at run time: perf's map files, jitdump's objects, simpleperf's JIT cache. */
bool dso_is_jit(Text dso);

/* The kernel, its modules, guests' kernels, BPF programs. */
bool dso_is_kernel(Text dso);

/* Whether addresses in it are offsets that mean the same in every run: not in unknown places, and
 * not in code made at run time. */
bool dso_has_offsets(Text dso);

/* The last part of the path, without ` (deleted)`. */
Text dso_basename(Text dso);
