/* SPDX-License-Identifier: MIT */
/*
 * Any bytes through the door that the program uses: recognised, unpacked, parsed as whatever they
 * are. A line `--8<--` makes two files of them. A store that comes of it is walked, and must be the
 * same after it was written and opened; the same text with other line ends must be the same
 * recording.
 */

#include <string.h>

#include "parse/load.h"
#include "parse/unpacker.h"
#include "store/store-file.h"
#include "tests/fuzz/fuzz.h"

/* perf.data is read by perf, which is not what is tested here. */
static bool is_perf_data(const uint8_t *data, size_t size)
{
	return size >= 8 && (memcmp(data, "PERFILE2", 8) == 0 || memcmp(data, "PERFFILE", 8) == 0 ||
			     memcmp(data, "2ELIFREP", 8) == 0);
}

static Store *load(char *const *paths, const LoadSettings *settings)
{
	g_autoptr(Notes) notes = notes_new();
	GError *error = NULL;
	Store *store = load_recording(paths, settings, notes, &error);

	return fuzz_check(store != NULL, error) ? store : NULL;
}

static void check_reopened(const Store *store, GBytes *bytes, const char *folded)
{
	GError *error = NULL;
	g_autoptr(Store) again = store_open_bytes(bytes, "again", &error);
	g_autofree char *folded_again = NULL;
	g_autoptr(GBytes) bytes_again = NULL;

	g_assert_true(fuzz_check(again != NULL, error));
	g_assert_true(store_verify(again, NULL));
	folded_again = fuzz_folded(again);
	bytes_again = fuzz_store_bytes(again);
	g_assert_cmpstr(folded, ==, folded_again);
	g_assert_true(g_bytes_equal(bytes, bytes_again));
}

/* Whether what is parsed is what the file holds, byte by byte. */
static bool is_plain_text(const uint8_t *data, size_t size)
{
	Text text = { (const char *)data, size };

	for (int i = 0; unpackers[i] != NULL; i++)
		if (unpackers[i]->starts(text))
			return false;
	return memchr(data, '\r', size) == NULL && data[0] < 0x80;
}

/* The text with a byte order mark and CR LF. */
static void check_line_ends(const uint8_t *data, size_t size, const LoadSettings *settings,
			    const Store *store, const char *folded)
{
	g_autoptr(GByteArray) other = g_byte_array_new();
	char *paths[] = { NULL, NULL };
	g_autoptr(Store) same = NULL;
	g_autofree char *folded_other = NULL;

	if (!text_equal(store_fact(store, FACT_FORMAT), TEXT("perf script")) ||
	    !is_plain_text(data, size))
		return;
	g_byte_array_append(other, (const guint8 *)"\xef\xbb\xbf", 3);
	for (size_t i = 0; i < size; i++) {
		if (data[i] == '\n')
			g_byte_array_append(other, (const guint8 *)"\r", 1);
		g_byte_array_append(other, data + i, 1);
	}
	paths[0] = (char *)fuzz_file(0, other->data, other->len);
	same = load(paths, settings);
	g_assert_true(same != NULL && same->n_samples == store->n_samples);
	folded_other = fuzz_folded(same);
	g_assert_cmpstr(folded, ==, folded_other);
}

/* Puts the input into one file, or two; false where perf would be needed. */
static bool make_files(const uint8_t *data, size_t size, char **paths)
{
	static const char cut[] = "\n--8<--\n";
	const char *at = memmem(data, size, cut, strlen(cut));
	size_t n_first = at != NULL ? (size_t)(at + 1 - (const char *)data) : size;
	size_t second = at != NULL ? n_first + strlen(cut) - 1 : size;

	if (is_perf_data(data, n_first) || is_perf_data(data + second, size - second))
		return false;
	paths[0] = (char *)fuzz_file(0, data, n_first);
	if (at != NULL)
		paths[1] = (char *)fuzz_file(1, data + second, size - second);
	return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static char no_perf[] = "/nonexistent/perf";
	FuzzChoices choices = fuzz_choices(data, size);
	LoadSettings settings = { .max_frames = fuzz_choose(&choices, 4) == 0 ? 3 : 0,
				  .is_concatenated = fuzz_choose(&choices, 2) == 0,
				  .perf = { .program = no_perf } };
	char *paths[] = { NULL, NULL, NULL };
	g_autoptr(Store) store = NULL;
	g_autoptr(GBytes) bytes = NULL;
	g_autofree char *folded = NULL;

	if (!make_files(data, size, paths))
		return 0;
	store = load(paths, &settings);
	if (store == NULL)
		return 0;
	bytes = fuzz_store_bytes(store);
	folded = fuzz_folded(store);
	if (bytes != NULL && folded != NULL)
		check_reopened(store, bytes, folded);
	fuzz_walk(store, &choices, store->file == NULL ? FUZZ_SOUND : 0);
	if (paths[1] == NULL && folded != NULL && fuzz_choose(&choices, 8) == 0)
		check_line_ends(data, size, &settings, store, folded);
	return 0;
}
