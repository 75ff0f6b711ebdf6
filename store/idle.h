/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdbool.h>

#include "store/store.h"

/*
 * Idle: the idle task (tid 0) with an idle routine at the *leaf* of its stack. Interrupts and
 * softirqs that run on top of the idle task have another leaf and are work.
 */

/* Whether the thread is a CPU's idle task. */
bool idle_is_task(const StoreThread *thread);

/* Whether `symbol` (as perf prints it, without offset) is a routine that waits for work. */
bool idle_is_routine(Text symbol);
