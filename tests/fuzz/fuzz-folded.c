/* SPDX-License-Identifier: MIT */
/* The reader of folded stacks, on bytes that need not look like them. */

#include "parse/format.h"
#include "store/limits.h"
#include "tests/fuzz/fuzz.h"

static Store *parse(const uint8_t *data, size_t size, uint32_t max_frames)
{
	g_autoptr(Notes) notes = notes_new();
	GError *error = NULL;
	g_autoptr(Input) input = input_open(fuzz_file(0, data, size), notes, &error);
	g_autoptr(StoreBuilder) builder = store_builder_new();
	Skips skips = { .file = "fuzz" };
	ParseJob job = { .input = input,
			 .builder = builder,
			 .skips = &skips,
			 .notes = notes,
			 .max_frames = max_frames };
	uint32_t n_recorded = 0;
	Store *store;
	Text head;

	if (!fuzz_check(input != NULL, error) ||
	    !fuzz_check(input_peek(input, &head, &error), error))
		return NULL;
	format_folded.probe(head);
	if (!fuzz_check(format_folded.parse(&job, &error), error))
		return NULL;
	skips_record(&skips, builder, &n_recorded);
	store = store_builder_finish(builder, &error);
	return fuzz_check(store != NULL, error) ? store : NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	FuzzChoices choices = fuzz_choices(data, size);
	uint32_t max_frames = fuzz_choose(&choices, 4) == 0 ? 2 : DEFAULT_MAX_FRAMES;
	g_autoptr(Store) store = parse(data, size, max_frames);

	if (store != NULL)
		fuzz_walk(store, &choices, FUZZ_SOUND);
	return 0;
}
