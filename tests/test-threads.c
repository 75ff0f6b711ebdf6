/* SPDX-License-Identifier: MIT */
/*
 * What many threads make of a text is, to the last byte, what one makes of it in one piece: with
 * pieces that end at every byte, of texts that hold whatever carries over from one line to another.
 */

#include <glib/gstdio.h>
#include <stdio.h>

#include "store/store-file.h"
#include "tests/parse-fixture.h"

#define RECORD(comm, time, frames) comm " 7/8 [001] " time ": 100 cycles:u: \n" frames "\n"
#define HEADER                                                                                     \
	"# ========\n# captured on    : Sat Nov 21 06:00:00 2026\n# hostname : h\n"                \
	"# event : name = cycles, , { sample_period, sample_freq } = 99, freq = 1\n# "             \
	"========\n#\n"
#define FRAMES "\t    7f01 work+0x1 (/bin/w)\n\t    7f02 main+0x20 (/bin/w)\n"

/* Each is what some state of the parser is about. */
static const char *const pieces[] = {
	RECORD("a", "1.000001", FRAMES),
	RECORD("a b", "2.000002",
	       "\t    7f01 work+0x1 (/bin/w)\n\t 12 start ([kernel.kallsyms])\n"),
	RECORD("old", "0.500000", FRAMES), /* out of order */
	"a 7/8 [001] 3.000003: cpu-clock: \n\t ffff [unknown] ([unknown])\n",
	"one 9 [000] 3.5: 1 cycles: \n",
	"line 9 [000] 3.600000: 5 cycles:  ffffffff81000000 native_halt+0x5 ([kernel])\n",
	"line 10 [002] 3.600001: 5 cycles:  ffffffff81000000 native_halt+0x5 ([kernel])\n",
	HEADER,
	"# ========\n# hostname : other\n",
	"#\n# a comment\n",
	"\n",
	" \t \n",
	"\r\n",
	"c 1/2 [000] 4.000000: 7 cycles:\r\n\t    7f01 work+0x1 (/bin/w)\r\n\r\n",
	"w 1/1 [000] 5.000000: PERF_RECORD_LOST lost 12\n",
	"w 1/1 [000] 5.100000: PERF_RECORD_COMM: w:1/1\n\t    7f01 work+0x1 (/bin/w)\n",
	"\t    7f09 orphan+0x1 (/bin/w)\n",
	" indented words\n",
	"no line of perf's\n",
	"Warning:\n",
	"u 1/1 [000] 5.200000: cycles:\n\t   10 in (inlined)\n\t   10 host+0x2 (/bin/h)\n\n",
	"u 1/1 [000] 5.300000: cycles:\n\t   10 in\n  file.c:12 (inlined)\n\t   10 host (/bin/h)\n",
	"t 2 [000] 2026-11-21 01:56:29.881755 6.000000: cycles:\n\t  7f01 work+0x1 (/bin/w)\n\n",
	"t 2 [000] 2026-11-21 01:56:30.881755 6.500000: cycles:\n\t  7f01 work+0x1 (/bin/w)\n\n",
	"g 2 [000] 6.600000: 3 cycles: /a.slice/b\n\t  7f01 work+0x1 (/bin/w)\n\n",
	"untimed 12 1 cycles:\n\t  7f01 work+0x1 (/bin/w)\n\n",
	("deep 1/1 [000] 7.000000: 1 cycles:\n\t1 a (/b)\n\t2 b (/b)\n\t3 c (/b)\n\t4 d (/b)\n\t5 "
	 "e "
	 "(/b)\n\t6 f (/b)\n\n"),
	"\xef\xbb\xbf",
	"p 1/1 [000] 7.500000: sched:sched_switch: prev=a next=b\n",
	"p 1/1 [000] 7.600000: sched:sched_switch: prev=a next=b\n\t7f01 work+0x1 (/bin/w)\n\n",
	"bare 12 [000]\n\t    7f01 work+0x1 (/bin/w)\n\n",
	"bare 13 [000]\n",
};

typedef struct {
	GString *bytes; /* of the store; or the error's message */
	GString *notes;
} Outcome;

static Outcome outcome_of(char *path, int n_threads, size_t block_bytes)
{
	LoadSettings settings = { .max_frames = 5,
				  .n_threads = n_threads,
				  .block_bytes = block_bytes };
	char *const paths[] = { path, NULL };
	Outcome outcome = { g_string_new(NULL), g_string_new(NULL) };
	g_autoptr(Notes) notes = notes_new();
	g_autoptr(GError) error = NULL;
	g_autoptr(Store) store = load_recording(paths, &settings, notes, &error);
	char *bytes = NULL;
	size_t n = 0;

	if (store != NULL) {
		FILE *out = open_memstream(&bytes, &n);

		g_assert_true(store_write(store, out, &error));
		fclose(out);
	}
	g_string_append_len(outcome.bytes, store != NULL ? bytes : error->message,
			    store != NULL ? (gssize)n : -1);
	free(bytes);
	for (guint i = 0; i < notes_count(notes); i++)
		g_string_append_printf(outcome.notes, "%s\n", notes_get(notes, i));
	return outcome;
}

static void outcome_clear(Outcome *self)
{
	g_string_free(self->bytes, TRUE);
	g_string_free(self->notes, TRUE);
}

/* Threads are what costs here: many small pieces go to few of them. */
static void check_file(char *path, size_t from, size_t to, size_t step)
{
	static const int threads[] = { 1, 2, 3, 8 };
	Outcome whole = outcome_of(path, 1, 1 << 20);

	for (size_t n = from, k = 0; n <= to; n += step, k++) {
		Outcome cut = outcome_of(path, threads[k % G_N_ELEMENTS(threads)], n);

		g_assert_cmpmem(cut.bytes->str, cut.bytes->len, whole.bytes->str, whole.bytes->len);
		g_assert_cmpstr(cut.notes->str, ==, whole.notes->str);
		outcome_clear(&cut);
	}
	outcome_clear(&whole);
}

static void check_text(const GString *text, size_t step)
{
	char *path = parse_fixture_file(text->str, text->len);

	check_file(path, 1, text->len + 1, step);
	parse_fixture_remove(path);
}

/* Every piece behind every other, with records before and behind. */
static void test_every_byte(void)
{
	for (size_t i = 0; i < G_N_ELEMENTS(pieces); i++) {
		g_autoptr(GString) text = g_string_new(NULL);

		for (size_t k = 0; k < G_N_ELEMENTS(pieces); k++)
			if (k % 7 == i % 7)
				g_string_append_printf(text, "%s%s%s", pieces[i], pieces[k],
						       pieces[k % 2]);
		check_text(text, 1);
	}
}

/* For each thread count the same boundaries. */
static void test_every_thread_count(void)
{
	g_autoptr(GString) text = g_string_new(HEADER);

	for (int i = 0; i < 60; i++)
		g_string_append_printf(text,
				       "w%d 1/%d [000] %d.%06d: %d cycles:\n\t %x f%d (/b)\n%s\n",
				       i % 5, i % 5, i % 50, i, i % 3, i * 16, i % 11, FRAMES);
	for (size_t step = 1; step <= 4; step++)
		check_text(text, 4 * 16 + step);
}

static void test_random_texts(void)
{
	int n_texts = g_test_slow() ? 4000 : 150;

	for (int seed = 0; seed < n_texts; seed++) {
		g_autoptr(GRand) random = g_rand_new_with_seed((guint32)seed);
		g_autoptr(GString) text = g_string_new(NULL);
		int n = g_rand_int_range(random, 1, 40);

		while (n-- > 0)
			g_string_append(text,
					pieces[g_rand_int_range(random, 0, G_N_ELEMENTS(pieces))]);
		/* A byte of it may be another. */
		if (g_rand_boolean(random))
			text->str[g_rand_int_range(random, 0, (gint32)text->len)] =
				"\n\t #:0"[g_rand_int_range(random, 0, 6)];
		check_text(text, text->len / 11 + 1);
	}
}

static void append_long(GString *text, size_t n)
{
	gsize before = text->len;

	g_string_set_size(text, before + n);
	memset(text->str + before, 'x', n);
	g_string_append_c(text, '\n');
}

/* A line of more than 1 MiB is one skipped line, wherever it is cut; one of 1 MiB is a line. */
static void test_long_lines(void)
{
	g_autoptr(GString) text = g_string_new(NULL);
	char *path;

	for (size_t more = 0; more < 3; more++) {
		g_string_append(text, pieces[0]);
		append_long(text, (1 << 20) + more - 1);
		g_string_append(text, pieces[1]);
	}
	append_long(text, 3 << 20);
	g_string_append(text, pieces[0]);
	g_string_append(text, "the last line\nhas no feed");
	path = parse_fixture_file(text->str, text->len);
	check_file(path, 1000, 1000, 1);
	check_file(path, 300000, 3300000, 299999);
	parse_fixture_remove(path);
}

static void test_recordings(void)
{
	static const char folder[] = "/work/shared/data/flamegraph";
	g_autoptr(GDir) dir = g_dir_open(folder, 0, NULL);
	const char *name;

	if (dir == NULL)
		g_test_skip("the shared recordings are not here");
	while (dir != NULL && (name = g_dir_read_name(dir)) != NULL) {
		g_autofree char *path = g_build_filename(folder, name, NULL);

		if (g_file_test(path, G_FILE_TEST_IS_REGULAR) && strstr(name, "perf") != NULL)
			check_file(path, 500, 20000, 4567);
	}
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/threads/every-byte", test_every_byte);
	g_test_add_func("/threads/every-thread-count", test_every_thread_count);
	g_test_add_func("/threads/random-texts", test_random_texts);
	g_test_add_func("/threads/long-lines", test_long_lines);
	g_test_add_func("/threads/recordings", test_recordings);
	return g_test_run();
}
