/* SPDX-License-Identifier: MIT */
/*
 * Files as bytes: plain, gzip in one or many members, cut off, damaged; peeking; and what cannot
 * be read at all.
 */

#include "parse/input.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "store/error.h"
#include "tests/parse-fixture.h"

/* A gzip member of its own. */
static GByteArray *gzip(const void *bytes, size_t n)
{
	z_stream stream = { 0 };
	g_assert_cmpint(deflateInit2(&stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), ==,
			Z_OK);
	GByteArray *packed = g_byte_array_new();
	g_byte_array_set_size(packed, (guint)deflateBound(&stream, n));

	stream.next_in = (Bytef *)bytes;
	stream.avail_in = (uInt)n;
	stream.next_out = packed->data;
	stream.avail_out = packed->len;
	g_assert_cmpint(deflate(&stream, Z_FINISH), ==, Z_STREAM_END);
	g_byte_array_set_size(packed, (guint)stream.total_out);
	deflateEnd(&stream);
	return packed;
}

/* Bytes that do not repeat, so that packing keeps their number. */
static GByteArray *random_bytes(guint n)
{
	GByteArray *bytes = g_byte_array_new();

	g_byte_array_set_size(bytes, n);
	for (guint i = 0; i < n; i++)
		bytes->data[i] = (guint8)g_test_rand_int();
	bytes->data[0] = 'x'; /* not the mark of something packed */
	return bytes;
}

/* All of an input, read in pieces of random sizes; NULL with `error`. */
static GByteArray *read_all(Input *input, GError **error)
{
	g_autoptr(GByteArray) all = g_byte_array_new();
	char buffer[10000];
	gssize n;

	while ((n = input_read(input, buffer, (gsize)g_test_rand_int_range(1, sizeof(buffer) + 1),
			       error)) > 0)
		g_byte_array_append(all, (const guint8 *)buffer, (guint)n);
	if (n < 0)
		return NULL;
	g_assert_cmpint(input_read(input, buffer, 1, error), ==, 0); /* the end stays the end */
	return g_steal_pointer(&all);
}

/* What reading a file of `bytes` gives. */
static GByteArray *read_file(const GByteArray *bytes, Notes *notes, GError **error)
{
	char *path = parse_fixture_file((const char *)bytes->data, bytes->len);
	g_autoptr(Input) input = input_open(path, notes, error);
	GByteArray *all = input != NULL ? read_all(input, error) : NULL;

	parse_fixture_remove(path);
	return all;
}

static void check_reads(const GByteArray *file, const GByteArray *expected)
{
	g_autoptr(Notes) notes = notes_new();
	g_autoptr(GError) error = NULL;
	g_autoptr(GByteArray) all = read_file(file, notes, &error);

	g_assert_no_error(error);
	g_assert_cmpuint(all->len, ==, expected->len);
	g_assert_true(all->len == 0 || memcmp(all->data, expected->data, all->len) == 0);
	g_assert_cmpuint(notes_count(notes), ==, 0);
}

/* --- plain and packed -------------------------------------------------------------------- */

static void test_plain(void)
{
	static const guint sizes[] = {
		1, 5, 6, INPUT_PEEK - 1, INPUT_PEEK, INPUT_PEEK + 1, 2000000
	};

	for (size_t i = 0; i < G_N_ELEMENTS(sizes); i++) {
		g_autoptr(GByteArray) bytes = random_bytes(sizes[i]);

		check_reads(bytes, bytes);
	}
}

static void test_empty(void)
{
	g_autoptr(GByteArray) empty = g_byte_array_new();
	g_autoptr(GByteArray) packed = gzip("", 0);

	check_reads(packed, empty);
	g_byte_array_set_size(packed, 0);
	check_reads(packed, empty);
}

static void test_gzip(void)
{
	static const guint sizes[] = { 1, 100, INPUT_PEEK, INPUT_PEEK + 1, 3000000 };

	for (size_t i = 0; i < G_N_ELEMENTS(sizes); i++) {
		g_autoptr(GByteArray) bytes = random_bytes(sizes[i]);
		g_autoptr(GByteArray) packed = gzip(bytes->data, bytes->len);

		check_reads(packed, bytes);
	}
}

/* Very well packed: a turn of the unpacker gives far more than it takes. */
static void test_gzip_of_zeros(void)
{
	g_autoptr(GByteArray) bytes = g_byte_array_new();
	g_byte_array_set_size(bytes, 5000000);
	memset(bytes->data, 'z', bytes->len);
	g_autoptr(GByteArray) packed = gzip(bytes->data, bytes->len);

	check_reads(packed, bytes);
}

/* Files laid end to end (as rotated logs are), empty ones among them. */
static void test_members(void)
{
	g_autoptr(GByteArray) bytes = g_byte_array_new(), packed = g_byte_array_new();

	for (int i = 0; i < 40; i++) {
		g_autoptr(GByteArray) part = random_bytes((guint)g_test_rand_int_range(1, 20000));
		g_autoptr(GByteArray) member = gzip(part->data, i % 5 != 0 ? part->len : 0);

		if (i % 5 != 0)
			g_byte_array_append(bytes, part->data, part->len);
		g_byte_array_append(packed, member->data, member->len);
	}
	check_reads(packed, bytes);
}

/* The contents tell, not the name: parse_fixture_file() calls everything the same. */
static void test_plain_path(void)
{
	g_autoptr(GByteArray) packed = gzip("hello", 5);
	char *plain_path = parse_fixture_file("hello", 5);
	char *packed_path = parse_fixture_file((const char *)packed->data, packed->len);
	g_autoptr(Input) plain = input_open(plain_path, NULL, NULL);
	g_autoptr(Input) unpacked = input_open(packed_path, NULL, NULL);

	g_assert_cmpstr(input_plain_path(plain), ==, plain_path);
	g_assert_null(input_plain_path(unpacked));
	g_assert_cmpstr(input_name(plain), ==, plain_path);
	g_assert_cmpstr(input_name(unpacked), ==, packed_path);
	parse_fixture_remove(plain_path);
	parse_fixture_remove(packed_path);
}

/* --- peeking ----------------------------------------------------------------------------- */

static void check_peek(const GByteArray *file, const GByteArray *bytes)
{
	char *path = parse_fixture_file((const char *)file->data, file->len);
	g_autoptr(GError) error = NULL;
	g_autoptr(Input) input = input_open(path, NULL, &error);
	Text head;
	g_assert_no_error(error);

	for (int again = 0; again < 2; again++) {
		g_assert_true(input_peek(input, &head, &error));
		g_assert_cmpuint(head.len, ==, MIN(bytes->len, INPUT_PEEK));
		g_assert_true(memcmp(head.data, bytes->data, head.len) == 0);
	}
	/* Nothing of it was consumed. */
	g_autoptr(GByteArray) all = read_all(input, &error);
	g_assert_cmpuint(all->len, ==, bytes->len);
	g_assert_true(memcmp(all->data, bytes->data, all->len) == 0);
	parse_fixture_remove(path);
}

static void test_peek(void)
{
	static const guint sizes[] = { 1, INPUT_PEEK - 1, INPUT_PEEK, INPUT_PEEK + 1, 500000 };

	for (size_t i = 0; i < G_N_ELEMENTS(sizes); i++) {
		g_autoptr(GByteArray) bytes = random_bytes(sizes[i]);
		g_autoptr(GByteArray) packed = gzip(bytes->data, bytes->len);

		check_peek(bytes, bytes);
		check_peek(packed, bytes);
	}
}

/* --- cut off, damaged -------------------------------------------------------------------- */

/* What was there is given, and that it is not all is said. */
static void test_cut_off(void)
{
	g_autoptr(GByteArray) bytes = random_bytes(300000);
	g_autoptr(GByteArray) packed = gzip(bytes->data, bytes->len);
	const guint cuts[] = { packed->len - 1, packed->len - 4, packed->len - 8, packed->len / 2,
			       1000 };

	for (size_t i = 0; i < G_N_ELEMENTS(cuts); i++) {
		g_autoptr(Notes) notes = notes_new();
		g_autoptr(GError) error = NULL;
		g_byte_array_set_size(packed, cuts[i]);
		g_autoptr(GByteArray) all = read_file(packed, notes, &error);

		g_assert_no_error(error);
		g_assert_cmpuint(all->len, <=, bytes->len);
		g_assert_true(memcmp(all->data, bytes->data, all->len) == 0);
		g_assert_true(notes_has_shortfall(notes));
		g_assert_nonnull(strstr(notes_get(notes, 0), "cut off"));
		/* Packing random bytes adds a little: most of what came before is there. */
		g_assert_cmpuint(all->len + 70000, >=, cuts[i]);
	}
}

/* A cut in the second member leaves the first whole. */
static void test_second_member_cut_off(void)
{
	g_autoptr(GByteArray) bytes = random_bytes(1000);
	g_autoptr(GByteArray) packed = gzip(bytes->data, bytes->len);
	g_autoptr(GByteArray) second = gzip(bytes->data, bytes->len);
	g_autoptr(Notes) notes = notes_new();
	g_byte_array_append(packed, second->data, second->len - 6);
	g_autoptr(GByteArray) all = read_file(packed, notes, NULL);

	g_assert_cmpuint(all->len, >=, 1000);
	g_assert_true(memcmp(all->data, bytes->data, 1000) == 0);
	g_assert_true(notes_has_shortfall(notes));
}

static void test_only_the_mark(void)
{
	static const guint8 mark[] = { 0x1f, 0x8b, 0x08, 0, 0, 0, 0, 0, 0, 3 };

	for (guint n = 2; n <= sizeof(mark); n++) {
		g_autoptr(GByteArray) bytes = g_byte_array_new();
		g_autoptr(Notes) notes = notes_new();
		g_autoptr(GError) error = NULL;
		g_byte_array_append(bytes, mark, n);
		g_autoptr(GByteArray) all = read_file(bytes, notes, &error);

		/* Too short to tell, or cut off: no crash, and never bytes out of nowhere. */
		g_assert_true(all == NULL || all->len <= n);
	}
}

static void check_damage(const GByteArray *packed)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(GByteArray) all = read_file(packed, NULL, &error);

	g_assert_null(all);
	g_assert_error(error, FLAMEBEAT_ERROR, FLAMEBEAT_ERROR_FAILED);
	g_assert_nonnull(strstr(error->message, "gzip"));
}

/* The checksum, or the length, at the end. */
static void test_wrong_checksum(void)
{
	g_autoptr(GByteArray) bytes = random_bytes(5000);

	for (guint from_end = 1; from_end <= 8; from_end++) {
		g_autoptr(GByteArray) packed = gzip(bytes->data, bytes->len);

		packed->data[packed->len - from_end] ^= 0x20;
		check_damage(packed);
	}
}

/* Random bytes are stored as they are: only the checksum can tell. */
static void test_damaged_data(void)
{
	g_autoptr(GByteArray) bytes = random_bytes(300000);

	for (int round = 0; round < 20; round++) {
		g_autoptr(GByteArray) packed = gzip(bytes->data, bytes->len);

		packed->data[g_test_rand_int_range(20, (gint32)packed->len - 8)] ^= 0x10;
		check_damage(packed);
	}
}

/* --- what cannot be read ----------------------------------------------------------------- */

static void test_no_file(void)
{
	g_autoptr(GError) error = NULL;
	g_autofree char *folder = g_dir_make_tmp("flamebeat-XXXXXX", NULL);
	g_autofree char *missing = g_build_filename(folder, "missing", NULL);

	g_assert_null(input_open(missing, NULL, &error));
	g_assert_error(error, FLAMEBEAT_ERROR, FLAMEBEAT_ERROR_FAILED);
	g_assert_nonnull(strstr(error->message, missing));
	g_clear_error(&error);
	g_assert_null(input_open(folder, NULL, &error));
	g_assert_error(error, FLAMEBEAT_ERROR, FLAMEBEAT_ERROR_FAILED);
	g_assert_nonnull(strstr(error->message, "director"));
	g_rmdir(folder);
}

/* A pipe that gives its bytes in drops. */
static void test_pipe(void)
{
	int ends[2];
	g_autoptr(GError) error = NULL;

	g_assert_cmpint(pipe(ends), ==, 0);
	g_assert_cmpint(write(ends[1], "hel", 3), ==, 3);
	g_assert_cmpint(write(ends[1], "lo\n", 3), ==, 3);
	close(ends[1]);
	g_autoptr(Input) input = input_adopt(ends[0], "perf", NULL, &error);
	g_assert_no_error(error);
	g_assert_null(input_plain_path(input));
	g_assert_cmpstr(input_name(input), ==, "perf");
	g_autoptr(GByteArray) all = read_all(input, &error);
	g_assert_cmpmem(all->data, all->len, "hello\n", 6);
}

/* Who gives up on a packed input is not held up by one that sends no more. */
static void test_stalled_pipe(void)
{
	g_autofree char *folder = g_dir_make_tmp("flamebeat-XXXXXX", NULL);
	g_autofree char *path = g_build_filename(folder, "pipe", NULL);
	g_autoptr(GByteArray) bytes = random_bytes(100000);
	g_autoptr(GByteArray) packed = gzip(bytes->data, bytes->len);
	GError *error = NULL;
	int fd;

	g_assert_cmpint(mkfifo(path, 0600), ==, 0);
	fd = open(path, O_RDWR | O_CLOEXEC);
	g_assert_cmpint(write(fd, packed->data, 5000), ==, 5000);
	Input *input = input_open(path, NULL, &error);
	g_assert_no_error(error);
	g_usleep(G_USEC_PER_SEC / 20); /* until its thread waits for more */
	input_free(input);
	close(fd);
	g_unlink(path);
	g_rmdir(folder);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/input/plain", test_plain);
	g_test_add_func("/input/empty", test_empty);
	g_test_add_func("/input/gzip", test_gzip);
	g_test_add_func("/input/gzip/zeros", test_gzip_of_zeros);
	g_test_add_func("/input/gzip/members", test_members);
	g_test_add_func("/input/plain-path", test_plain_path);
	g_test_add_func("/input/peek", test_peek);
	g_test_add_func("/input/cut-off", test_cut_off);
	g_test_add_func("/input/cut-off/second-member", test_second_member_cut_off);
	g_test_add_func("/input/cut-off/only-the-mark", test_only_the_mark);
	g_test_add_func("/input/damaged/checksum", test_wrong_checksum);
	g_test_add_func("/input/damaged/data", test_damaged_data);
	g_test_add_func("/input/no-file", test_no_file);
	g_test_add_func("/input/pipe", test_pipe);
	g_test_add_func("/input/stalled-pipe", test_stalled_pipe);
	return g_test_run();
}
