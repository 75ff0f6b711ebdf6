/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include <stdint.h>

#include "store/store.h"

/*
 * Names of processes and pools. A *process* is named by the thread whose tid is the pid, else by
 * its earliest comm; where only tids are known every thread is a process. A *pool* is the threads
 * of one process whose names differ only in numbers: `GC Thread#0` to `GC Thread#7` are
 * `GC Thread#N`, shown as `java:GC Thread#N`, or alone where that is the process's own name.
 */
typedef struct Processes Processes;

Processes *processes_new(const Store *store);
void processes_free(Processes *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Processes, processes_free)

/* Of the thread's process, and of its pool; texts live as long as `self` and the store. */
Text processes_process_name(const Processes *self, uint32_t thread_id);
Text processes_pool_name(const Processes *self, uint32_t thread_id);
