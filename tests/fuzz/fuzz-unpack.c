/* SPDX-License-Identifier: MIT */
/*
 * gzip, zstd and xz over any bytes: unpacking ends, with what was there or an error, and gives the
 * same whether it is asked for a byte at a time or by the block, here or in a thread of its own.
 */

#include <string.h>
#include <fcntl.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "parse/input.h"
#include "parse/unpacker.h"
#include "tests/fuzz/fuzz.h"

#define CHUNK	    65536
#define SMALL_STEPS 2048 /* bytes that are asked for little by little */

/* What came of it. */
typedef struct {
	uint64_t n_bytes;
	uint64_t sum;
	bool ok;
	bool has_note;
} Outcome;

typedef struct {
	Unpacking *unpacking; /* either this */
	Input *input;	      /* or this */
} Source;

static gssize source_read(const Source *self, char *buffer, gsize size, GError **error)
{
	return self->input != NULL ? input_read(self->input, buffer, size, error)
				   : unpacking_read(self->unpacking, buffer, size, error);
}

/* Reads all, the first bytes `step` at a time. */
static void read_all(const Source *source, size_t step, Outcome *outcome)
{
	g_autofree char *buffer = g_malloc(CHUNK);
	GError *error = NULL;
	XXH3_state_t state;
	gssize n;

	XXH3_64bits_reset(&state);
	do {
		n = source_read(source, buffer, outcome->n_bytes < SMALL_STEPS ? step : CHUNK,
				&error);
		if (n > 0) {
			XXH3_64bits_update(&state, buffer, (size_t)n);
			outcome->n_bytes += (uint64_t)n;
		}
	} while (n > 0);
	outcome->ok = fuzz_check(n == 0, error);
	outcome->sum = XXH3_64bits_digest(&state);
}

static Outcome unpack_here(const uint8_t *data, size_t size, size_t step)
{
	const char *path = fuzz_file(0, data, size);
	RawFile file = { 0 };
	Unpacking unpacking = { 0 };
	Outcome outcome = { 0 };
	GError *error = NULL;

	raw_file_adopt(&file, open(path, O_RDONLY | O_CLOEXEC), "fuzz");
	if (fuzz_check(unpacking_begin(&unpacking, &file, &error), error))
		read_all(&(Source){ .unpacking = &unpacking }, step, &outcome);
	outcome.has_note = unpacking.note != NULL;
	unpacking_clear(&unpacking);
	raw_file_clear(&file);
	return outcome;
}

static Outcome unpack_in_thread(const uint8_t *data, size_t size, size_t step)
{
	g_autoptr(Notes) notes = notes_new();
	GError *error = NULL;
	g_autoptr(Input) input = input_open(fuzz_file(1, data, size), notes, &error);
	Outcome outcome = { 0 };

	if (fuzz_check(input != NULL, error))
		read_all(&(Source){ .input = input }, step, &outcome);
	outcome.has_note = notes_has_shortfall(notes);
	return outcome;
}

/* Gives up after the first bytes, wherever the thread is. */
static void abandon(const uint8_t *data, size_t size)
{
	g_autoptr(Notes) notes = notes_new();
	g_autoptr(Input) input = input_open(fuzz_file(1, data, size), notes, NULL);
	char byte;

	if (input != NULL)
		input_read(input, &byte, 1, NULL);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	FuzzChoices choices = fuzz_choices(data, size);
	size_t steps[] = { 1, 2, 7, 100, 4096, CHUNK };
	size_t step = steps[fuzz_choose(&choices, G_N_ELEMENTS(steps))];
	Outcome whole = unpack_here(data, size, CHUNK);
	Outcome parts = unpack_here(data, size, step);

	/* What came before damage was found depends on the step. */
	g_assert_true(whole.ok == parts.ok && whole.has_note == parts.has_note);
	if (whole.ok)
		g_assert_true(whole.n_bytes == parts.n_bytes && whole.sum == parts.sum);
	if (fuzz_choose(&choices, 16) != 0)
		return 0;
	parts = unpack_in_thread(data, size, step);
	g_assert_true(whole.ok == parts.ok && whole.has_note == parts.has_note);
	if (whole.ok)
		g_assert_true(whole.n_bytes == parts.n_bytes && whole.sum == parts.sum);
	abandon(data, size);
	return 0;
}
