/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include <stdbool.h>

#include "store/notes.h"

/* What the kernel permits whoever runs `perf` to record. */
typedef struct {
	int paranoid;	    /* kernel.perf_event_paranoid */
	int kptr_restrict;  /* kernel.kptr_restrict: who sees the kernel's addresses */
	int max_rate_hz;    /* kernel.perf_event_max_sample_rate; 0: not known */
	bool is_privileged; /* paranoid does not hold: root, capabilities, or those of perf's file
			     */
	bool sees_kernel_addresses; /* whatever kptr_restrict says, short of 2 */
} PerfLimits;

/* `perf_path` is the program that will be run. */
void perf_limits_read(PerfLimits *self, const char *perf_path);

/* Fails where nothing can be recorded, or not what is asked for: what forbids it, and what to do.
 */
bool perf_limits_check(const PerfLimits *self, bool is_system_wide, GError **error);

/* What a recording will lack, and how to change that. */
void perf_limits_note(const PerfLimits *self, int frequency_hz, Notes *notes);
