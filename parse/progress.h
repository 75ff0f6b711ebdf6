/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* How far the reading of one input has come. */
typedef struct {
	const char *name;   /* the input's, for messages */
	uint64_t n_bytes;   /* of the file that were read, packed as they lie there */
	uint64_t n_total;   /* how many there are; 0: not known, as of a pipe */
	uint64_t n_samples; /* that came of it */
	int64_t elapsed_us; /* since reading it began */
} Progress;

/*
 * Told at most PROGRESS_HZ times a second, by the thread that loads. Returning false stops the
 * reading, which then fails.
 */
typedef bool (*ProgressFunc)(void *data, const Progress *progress);

#define PROGRESS_HZ 10
