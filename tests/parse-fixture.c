/* SPDX-License-Identifier: MIT */

#include "tests/parse-fixture.h"

#include <glib/gstdio.h>
#include <string.h>

#include "store/time-range.h"

#define SHARED "/work/shared/data"

char *parse_fixture_file(const char *bytes, size_t n)
{
	g_autoptr(GError) error = NULL;
	g_autofree char *folder = g_dir_make_tmp("flamebeat-XXXXXX", &error);
	g_assert_no_error(error);
	char *path = g_build_filename(folder, "recording", NULL);

	g_file_set_contents(path, bytes, (gssize)n, &error);
	g_assert_no_error(error);
	return path;
}

void parse_fixture_remove(char *path)
{
	g_autofree char *folder = g_path_get_dirname(path);

	g_unlink(path);
	g_rmdir(folder);
	g_free(path);
}

Store *parse_fixture_try(const char *text, size_t n, const LoadSettings *settings, Notes *notes,
			 GError **error)
{
	const LoadSettings none = { 0 };
	char *path = parse_fixture_file(text, n);
	char *const paths[] = { path, NULL };
	Store *store = load_recording(paths, settings != NULL ? settings : &none, notes, error);

	parse_fixture_remove(path);
	return store;
}

Store *parse_fixture_load(const char *text, Notes *notes)
{
	g_autoptr(GError) error = NULL;
	Store *store = parse_fixture_try(text, strlen(text), NULL, notes, &error);

	g_assert_no_error(error);
	g_assert_nonnull(store);
	return store;
}

Store *parse_fixture_shared(const char *name)
{
	const LoadSettings none = { 0 };
	g_autofree char *path = g_build_filename(SHARED, name, NULL);
	char *const paths[] = { path, NULL };
	g_autoptr(GError) error = NULL;

	if (!g_file_test(path, G_FILE_TEST_EXISTS)) {
		g_test_skip("the shared recordings are not here");
		return NULL;
	}
	Store *store = load_recording(paths, &none, NULL, &error);
	g_assert_no_error(error);
	return store;
}

static void append_text(GString *line, Text text)
{
	g_string_append_len(line, text.data, (gssize)text.len);
}

static void append_id(GString *line, int32_t id, char end)
{
	if (id == ID_NONE)
		g_string_append_printf(line, "-%c", end);
	else
		g_string_append_printf(line, "%d%c", id, end);
}

static void append_frame(GString *line, StoreFrame frame)
{
	if (frame.flags & FRAME_INLINED)
		g_string_append_c(line, '~');
	append_text(line, frame.symbol.len > 0 ? frame.symbol : TEXT("@"));
	if (frame.dso.len > 0) {
		g_string_append(line, " (");
		append_text(line, frame.dso);
		g_string_append_c(line, ')');
	}
}

static void append_stack(GString *line, const Store *store, uint32_t stack)
{
	g_autoptr(GArray) frames = g_array_new(FALSE, FALSE, sizeof(uint32_t));

	for (; stack != 0; stack = store_stack_parent(store, stack)) {
		uint32_t frame = store_stack_frame(store, stack);
		g_array_append_val(frames, frame);
	}
	for (guint i = frames->len; i-- > 0;) {
		append_frame(line, store_frame(store, g_array_index(frames, uint32_t, i)));
		if (i > 0)
			g_string_append_c(line, ';');
	}
}

static uint64_t value(const Store *store, StoreSection section, uint64_t i)
{
	return column_get(&store->columns[section], i);
}

static void append_sample(GString *all, const Store *store, uint64_t i)
{
	StoreThread thread = store_thread(store, (uint32_t)value(store, SECTION_THREAD, i));
	uint64_t period = value(store, SECTION_PERIOD, i);

	if (i < store->n_timed) {
		g_autofree char *time =
			time_format_seconds(store_time_ns(store, i, store_bucket_of(store, i)));
		g_string_append_printf(all, "%s ", time);
	} else {
		g_string_append(all, "- ");
	}
	append_text(all, thread.comm);
	g_string_append_c(all, ' ');
	append_id(all, thread.pid, '/');
	append_id(all, thread.tid, ' ');
	append_id(all,
		  value(store, SECTION_CPU, i) == 0 ? ID_NONE
						    : (int32_t)value(store, SECTION_CPU, i) - 1,
		  ' ');
	append_text(all, store_event_name(store, (uint32_t)value(store, SECTION_EVENT, i)));
	if (period > 0)
		g_string_append_printf(all, " %" G_GUINT64_FORMAT " ", period - 1);
	else
		g_string_append(all, " - ");
	append_stack(all, store, (uint32_t)value(store, SECTION_STACK, i));
	g_string_append_c(all, '\n');
}

char *parse_fixture_samples(const Store *store)
{
	GString *all = g_string_new(NULL);

	for (uint64_t i = 0; i < store->n_samples; i++)
		append_sample(all, store, i);
	return g_string_free(all, FALSE);
}

void parse_fixture_check(const char *text, const char *expected)
{
	g_autoptr(Store) store = parse_fixture_load(text, NULL);
	g_autofree char *samples = parse_fixture_samples(store);

	g_assert_cmpstr(samples, ==, expected);
}
