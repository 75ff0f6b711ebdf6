/* SPDX-License-Identifier: MIT */
/*
 * The recordings printed by perf 6.1, in /work/shared/data/perf-6.1, against what is in them:
 * golden/NAME.txt, which golden/count.py wrote by the looks of each file, not by parsing.
 */

#include <glib.h>

#include "tests/parse-fixture.h"

static uint64_t value(const Store *store, StoreSection section, uint64_t i)
{
	return column_get(&store->columns[section], i);
}

static char *time_of(const Store *store, uint64_t i)
{
	return i < store->n_timed
		       ? time_format_seconds(store_time_ns(store, i, store_bucket_of(store, i)))
		       : g_strdup("-");
}

static void append_text(GString *all, Text text)
{
	g_string_append_len(all, text.data, (gssize)text.len);
}

static void append_id(GString *all, int32_t id)
{
	if (id == ID_NONE)
		g_string_append_c(all, '-');
	else
		g_string_append_printf(all, "%d", id);
}

static uint32_t depth_of(const Store *store, uint32_t stack)
{
	uint32_t depth = 0;

	for (; stack != 0; stack = store_stack_parent(store, stack))
		depth++;
	return depth;
}

static void append_thread(GString *all, const Store *store, uint32_t id)
{
	StoreThread thread = store_thread(store, id);
	g_autofree char *first = NULL, *last = NULL;
	uint64_t n = 0, n_frames = 0;

	for (uint64_t i = 0; i < store->n_samples; i++) {
		if (value(store, SECTION_THREAD, i) != id)
			continue;
		if (n++ == 0)
			first = time_of(store, i);
		g_free(last);
		last = time_of(store, i);
		n_frames += depth_of(store, (uint32_t)value(store, SECTION_STACK, i));
	}
	g_string_append(all, "thread ");
	append_id(all, thread.pid);
	g_string_append_c(all, '/');
	append_id(all, thread.tid);
	g_string_append(all, " '");
	append_text(all, thread.comm);
	g_string_append_printf(
		all, "' %" G_GUINT64_FORMAT " samples, %" G_GUINT64_FORMAT " frames, %s to %s\n", n,
		n_frames, first, last);
}

static void append_event(GString *all, const Store *store, uint32_t id)
{
	uint64_t n = 0, period = 0;

	for (uint64_t i = 0; i < store->n_samples; i++) {
		if (value(store, SECTION_EVENT, i) != id)
			continue;
		n++;
		period += MAX(value(store, SECTION_PERIOD, i), 1) - 1;
	}
	g_string_append(all, "event ");
	append_text(all, store_event_name(store, id));
	g_string_append_printf(
		all, " %" G_GUINT64_FORMAT " samples, period %" G_GUINT64_FORMAT "\n", n, period);
}

static void append_symbol(GString *all, const Store *store, uint32_t stack)
{
	Text symbol = store_frame(store, store_stack_frame(store, stack)).symbol;

	append_text(all, symbol.len > 0 ? symbol : TEXT("@"));
}

static void append_ends(GString *all, const Store *store, uint32_t stack)
{
	uint32_t root = stack;

	g_string_append_printf(all, "%u ", depth_of(store, stack));
	if (stack == 0) {
		g_string_append(all, "-\n");
		return;
	}
	while (store_stack_parent(store, root) != 0)
		root = store_stack_parent(store, root);
	append_symbol(all, store, stack);
	g_string_append(all, " .. ");
	append_symbol(all, store, root);
	g_string_append_c(all, '\n');
}

static void append_sample(GString *all, const Store *store, uint64_t i)
{
	uint64_t cpu = value(store, SECTION_CPU, i), period = value(store, SECTION_PERIOD, i);
	g_autofree char *time = time_of(store, i);

	g_string_append_printf(all, "%s ", time);
	append_id(all, store_thread(store, (uint32_t)value(store, SECTION_THREAD, i)).tid);
	g_string_append_c(all, ' ');
	append_id(all, cpu > 0 ? (int32_t)cpu - 1 : ID_NONE);
	g_string_append_c(all, ' ');
	append_text(all, store_event_name(store, (uint32_t)value(store, SECTION_EVENT, i)));
	if (period > 0)
		g_string_append_printf(all, " %" G_GUINT64_FORMAT " ", period - 1);
	else
		g_string_append(all, " - ");
	append_ends(all, store, (uint32_t)value(store, SECTION_STACK, i));
}

enum { MAX_SAMPLES_LISTED = 30 };

static char *text_of(const Store *store)
{
	GString *all = g_string_new(NULL);

	for (uint32_t i = 0; i < store_n_threads(store); i++)
		append_thread(all, store, i);
	for (uint32_t i = 0; i < store_n_events(store); i++)
		append_event(all, store, i);
	for (uint64_t i = 0; store->n_samples <= MAX_SAMPLES_LISTED && i < store->n_samples; i++)
		append_sample(all, store, i);
	return g_string_free(all, FALSE);
}

static void check(gconstpointer data)
{
	const char *name = data;
	const char *path = g_test_get_filename(G_TEST_DIST, "golden", name, NULL);
	g_autofree char *recording = g_build_filename("perf-6.1", name, NULL);
	g_autoptr(Store) store = parse_fixture_shared(recording);
	g_autoptr(GError) error = NULL;
	g_autofree char *expected = NULL, *text = NULL;

	if (store == NULL)
		return;
	g_file_get_contents(path, &expected, NULL, &error);
	g_assert_no_error(error);
	text = text_of(store);
	g_assert_cmpstr(text, ==, expected);
}

int main(int argc, char **argv)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(GDir) folder = NULL;
	g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);
	g_autofree char *golden = NULL;

	g_test_init(&argc, &argv, NULL);
	golden = g_build_filename(g_test_get_dir(G_TEST_DIST), "golden", NULL);
	folder = g_dir_open(golden, 0, &error);
	g_assert_no_error(error);
	for (const char *name; (name = g_dir_read_name(folder)) != NULL;)
		if (g_str_has_suffix(name, ".txt"))
			g_ptr_array_add(names, g_strdup(name));
	for (guint i = 0; i < names->len; i++) {
		g_autofree char *path = g_strconcat("/golden/", names->pdata[i], NULL);

		g_test_add_data_func(path, names->pdata[i], check);
	}
	return g_test_run();
}
