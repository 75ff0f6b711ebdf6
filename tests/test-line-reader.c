/* SPDX-License-Identifier: MIT */
/*
 * Lines of an input: whole, in order and numbered, wherever a buffer ends, however long they are.
 */

#include "parse/line-reader.h"

#include "store/limits.h"
#include "tests/parse-fixture.h"

typedef struct {
	Skips skips;
	uint64_t n_bytes;
	GPtrArray *lines; /* of GBytes */
	GArray *numbers;  /* of uint64_t: as the reader numbers them */
} Result;

static void take_lines(Result *result, LineReader *reader)
{
	g_autoptr(GError) error = NULL;
	Text line;

	for (;;) {
		g_assert_true(line_reader_next(reader, &line, &error));
		g_assert_no_error(error);
		if (line.data == NULL)
			break;
		g_ptr_array_add(result->lines, g_bytes_new(line.data, line.len));
		g_array_append_val(result->numbers, reader->line);
	}
	/* The end stays the end. */
	g_assert_true(line_reader_next(reader, &line, &error));
	g_assert_null(line.data);
}

static void result_init(Result *result, const char *bytes, size_t n)
{
	g_autoptr(GError) error = NULL;
	char *path = parse_fixture_file(bytes, n);
	g_autoptr(Input) input = input_open(path, NULL, &error);
	g_auto(LineReader) reader = { 0 };
	g_assert_no_error(error);

	*result = (Result){ .lines = g_ptr_array_new_with_free_func((GDestroyNotify)g_bytes_unref),
			    .numbers = g_array_new(FALSE, FALSE, sizeof(uint64_t)) };
	line_reader_init(&reader, input, &result->skips);
	take_lines(result, &reader);
	result->n_bytes = reader.n_bytes;
	parse_fixture_remove(path);
}

static void result_clear(Result *result)
{
	g_ptr_array_unref(result->lines);
	g_array_unref(result->numbers);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Result, result_clear)

static void check_line(const Result *result, guint i, const char *expected, size_t n)
{
	gsize len;
	const void *data = g_bytes_get_data(g_ptr_array_index(result->lines, i), &len);

	/* Not g_assert_cmpmem(): it prints what differs, and lines can be long. */
	g_assert_cmpuint(len, ==, n);
	g_assert_true(n == 0 || memcmp(data, expected, n) == 0);
}

static void check(const char *text, const char *const *expected)
{
	g_auto(Result) result;

	result_init(&result, text, strlen(text));
	g_assert_cmpuint(result.lines->len, ==, g_strv_length((char **)expected));
	for (guint i = 0; i < result.lines->len; i++) {
		check_line(&result, i, expected[i], strlen(expected[i]));
		g_assert_cmpuint(g_array_index(result.numbers, uint64_t, i), ==, i + 1);
	}
	g_assert_cmpuint(result.n_bytes, ==, strlen(text));
	g_assert_cmpuint(skips_total(&result.skips), ==, 0);
}

static void test_lines(void)
{
	check("a\nbc\n", (const char *const[]){ "a", "bc", NULL });
	check("a\n\n\nb\n", (const char *const[]){ "a", "", "", "b", NULL });
	check("\n", (const char *const[]){ "", NULL });
	check("a\r\nb\r\n", (const char *const[]){ "a\r", "b\r", NULL });
	check("", (const char *const[]){ NULL });
}

static void test_no_newline_at_the_end(void)
{
	check("a\nbc", (const char *const[]){ "a", "bc", NULL });
	check("a", (const char *const[]){ "a", NULL });
	check("a\n ", (const char *const[]){ "a", " ", NULL });
}

static void test_nul_bytes(void)
{
	g_auto(Result) result;

	result_init(&result, "a\0b\n\0\n\0", 7);
	g_assert_cmpuint(result.lines->len, ==, 3);
	check_line(&result, 0, "a\0b", 3);
	check_line(&result, 1, "\0", 1);
	check_line(&result, 2, "\0", 1);
}

/* Nine megabytes of lines of all lengths: many of them lie across the end of a buffer. */
static void test_across_buffers(void)
{
	g_autoptr(GString) text = g_string_new(NULL);
	g_autoptr(GArray) lengths = g_array_new(FALSE, FALSE, sizeof(gint32));
	g_auto(Result) result;
	size_t at = 0;

	while (text->len < 9u << 20) {
		gint32 n = g_test_rand_int_range(0, 1 << g_test_rand_int_range(1, 18));

		for (gint32 i = 0; i < n; i++)
			g_string_append_c(text, (char)('a' + (text->len * 7 + (gsize)n) % 26));
		g_string_append_c(text, '\n');
		g_array_append_val(lengths, n);
	}
	result_init(&result, text->str, text->len);
	g_assert_cmpuint(result.lines->len, ==, lengths->len);
	for (guint i = 0; i < lengths->len; i++) {
		size_t n = (size_t)g_array_index(lengths, gint32, i);

		check_line(&result, i, text->str + at, n);
		at += n + 1;
	}
	g_assert_cmpuint(result.n_bytes, ==, text->len);
	g_assert_cmpuint(skips_total(&result.skips), ==, 0);
}

/* `n` times x, as the second of three lines, or of two where the last has no newline. */
static void check_long(size_t n, bool is_last, bool is_skipped)
{
	g_autofree char *middle = g_strnfill(n, 'x');
	g_autofree char *text = g_strconcat("first\n", middle, is_last ? "" : "\nlast\n", NULL);
	g_auto(Result) result;
	guint i = 0;

	result_init(&result, text, strlen(text));
	g_assert_cmpuint(result.lines->len, ==, 1u + !is_skipped + !is_last);
	check_line(&result, i++, "first", 5);
	if (!is_skipped)
		check_line(&result, i++, middle, n);
	if (!is_last) {
		check_line(&result, i, "last", 4);
		/* What is skipped has its number, too. */
		g_assert_cmpuint(g_array_index(result.numbers, uint64_t, i), ==, 3);
	}
	g_assert_cmpuint(skips_total(&result.skips), ==, is_skipped);
	g_assert_cmpuint(result.skips.counts[SKIP_TOO_LONG], ==, is_skipped);
	g_assert_cmpuint(result.n_bytes, ==, strlen(text));
	if (is_skipped)
		g_assert_cmpuint(result.skips.examples[0].line, ==, 2);
}

/* Up to MAX_LINE_BYTES they are lines; longer ones are skipped, to their ends. */
static void test_long_lines(void)
{
	static const size_t kept[] = { 65535, 65536, MAX_LINE_BYTES - 1, MAX_LINE_BYTES };
	static const size_t skipped[] = { MAX_LINE_BYTES + 1, 2 * MAX_LINE_BYTES - 7,
					  2 * MAX_LINE_BYTES, 2 * MAX_LINE_BYTES + 1,
					  5 * MAX_LINE_BYTES + 3 };

	for (int is_last = 0; is_last < 2; is_last++) {
		for (size_t i = 0; i < G_N_ELEMENTS(kept); i++)
			check_long(kept[i], is_last, false);
		for (size_t i = 0; i < G_N_ELEMENTS(skipped); i++)
			check_long(skipped[i], is_last, true);
	}
}

static void test_several_long_lines(void)
{
	g_autofree char *giant = g_strnfill(3 * MAX_LINE_BYTES, 'x');
	g_autofree char *text =
		g_strconcat(giant, "\n", giant, "\na\n", giant, "\n\nb\n", giant, NULL);
	g_auto(Result) result;

	result_init(&result, text, strlen(text));
	g_assert_cmpuint(result.lines->len, ==, 3);
	check_line(&result, 0, "a", 1);
	check_line(&result, 1, "", 0);
	check_line(&result, 2, "b", 1);
	g_assert_cmpuint(g_array_index(result.numbers, uint64_t, 0), ==, 3);
	g_assert_cmpuint(g_array_index(result.numbers, uint64_t, 2), ==, 6);
	g_assert_cmpuint(result.skips.counts[SKIP_TOO_LONG], ==, 4);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/line-reader/lines", test_lines);
	g_test_add_func("/line-reader/no-newline-at-the-end", test_no_newline_at_the_end);
	g_test_add_func("/line-reader/nul-bytes", test_nul_bytes);
	g_test_add_func("/line-reader/across-buffers", test_across_buffers);
	g_test_add_func("/line-reader/long", test_long_lines);
	g_test_add_func("/line-reader/long/several", test_several_long_lines);
	return g_test_run();
}
