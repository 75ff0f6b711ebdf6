/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "store/store.h"

/* What libFuzzer calls, and what it offers to mutators. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerInitialize(int *argc, char ***argv);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned int seed);

/*
 * Choices that depend on nothing but the input, so that an input does the same in every run and
 * needs no bytes of its own to steer the target: a corpus holds real files.
 */
typedef struct {
	uint64_t state;
} FuzzChoices;

FuzzChoices fuzz_choices(const uint8_t *data, size_t size);

/* One of 0 .. n-1. */
uint32_t fuzz_choose(FuzzChoices *self, uint32_t n);

/* The path of a file without a name (one of two) that holds these bytes until the next call. */
#define FUZZ_FILES 2
const char *fuzz_file(int which, const uint8_t *data, size_t size);

/*
 * What every fallible function promises: false if and only if `error` is set, to one of the exit
 * statuses, with a message. Frees the error and returns `ok`.
 */
bool fuzz_check(bool ok, GError *error);

/* Aborts unless the bytes are well formed for the output format of this name. */
void fuzz_check_output(const char *data, size_t size, const char *format, bool is_colour);

/* Bits of `flags`. */
#define FUZZ_SOUND 1u /* a parser made the store: nothing in it can be damaged */

/*
 * Does with `store` something that the commands do, in one of the output formats, by the input's
 * choice. Checks that the sums agree and that the output is well formed. Does nothing where there
 * is more than a fuzzer has time for.
 */
void fuzz_walk(const Store *store, FuzzChoices *choices, unsigned flags);

/* The bytes of `store` as a file, or NULL where it turns out to be damaged. */
GBytes *fuzz_store_bytes(const Store *store);

/* All samples as folded stacks; NULL where the store turns out to be damaged. g_free() it. */
char *fuzz_folded(const Store *store);
