/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "store/text.h"

/* What a DSO's name says about the code in it (reference: perf's own spellings of them). */

/* `[unknown]`, or nothing at all. */
bool dso_is_unknown(Text dso);

/* Code made at run time: perf's map files, jitdump's objects, simpleperf's JIT cache. */
bool dso_is_jit(Text dso);

/* The kernel, its modules, guests' kernels, BPF programs. */
bool dso_is_kernel(Text dso);

/* `address` if it is an offset in the DSO, which means the same in every run, else 0. perf prints
 * offsets in files of user code alone; of the kernel and its modules, of samples without a call
 * chain, and before perf 5, it prints where the code was in memory. */
uint64_t dso_offset(Text dso, uint64_t address);

/* The last part of the path, without ` (deleted)`. */
Text dso_basename(Text dso);
