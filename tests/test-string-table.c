/* SPDX-License-Identifier: MIT */
/*
 * Texts become ids and come back as they were, whatever bytes are in them.
 */

#include "store/string-table.h"

#include <glib.h>

static void check_text(const StringTable *table, uint32_t id, Text expected)
{
	Text text = string_table_get(table, id);

	g_assert_cmpmem(text.data, text.len, expected.data, expected.len);
}

static void test_ids_in_order(void)
{
	StringTable table;

	g_assert_true(string_table_init(&table));
	g_assert_cmpuint(string_table_add(&table, TEXT("")), ==, 0);
	g_assert_cmpuint(string_table_add(&table, TEXT("malloc")), ==, 1);
	g_assert_cmpuint(string_table_add(&table, TEXT("free")), ==, 2);
	g_assert_cmpuint(string_table_add(&table, TEXT("malloc")), ==, 1);
	g_assert_cmpuint(string_table_add(&table, (Text){ NULL, 0 }), ==, 0);
	check_text(&table, 0, TEXT(""));
	check_text(&table, 1, TEXT("malloc"));
	check_text(&table, 2, TEXT("free"));
	string_table_clear(&table);
}

static void test_find(void)
{
	StringTable table;

	g_assert_true(string_table_init(&table));
	g_assert_cmpuint(string_table_find(&table, TEXT("")), ==, 0);
	g_assert_cmpuint(string_table_find(&table, TEXT("x")), ==, ROW_NONE);
	string_table_add(&table, TEXT("x"));
	g_assert_cmpuint(string_table_find(&table, TEXT("x")), ==, 1);
	g_assert_cmpuint(string_table_find(&table, TEXT("xx")), ==, ROW_NONE);
	string_table_clear(&table);
}

/* Only the bytes count: a NUL is one of them, and a beginning is not the whole. */
static void test_bytes(void)
{
	static const Text texts[] = { { "a", 1 },  { "a\0", 2 },      { "a\0b", 3 },
				      { "\0", 1 }, { "ab", 2 },	      { "b", 1 },
				      { "A", 1 },  { "\xff\xfe", 2 }, { "\n\t", 2 } };
	StringTable table;

	g_assert_true(string_table_init(&table));
	for (uint32_t i = 0; i < G_N_ELEMENTS(texts); i++)
		g_assert_cmpuint(string_table_add(&table, texts[i]), ==, i + 1);
	for (uint32_t i = 0; i < G_N_ELEMENTS(texts); i++)
		check_text(&table, i + 1, texts[i]);
	string_table_clear(&table);
}

/* Ids hold while the table grows; against GLib's hash table. */
static void test_many(void)
{
	g_autoptr(GHashTable) known = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	StringTable table;
	uint32_t n = 1;

	g_assert_true(string_table_init(&table));
	for (int i = 0; i < 200000; i++) {
		char *name = g_strdup_printf("f%d", g_test_rand_int_range(0, 50000));
		uint32_t expected = GPOINTER_TO_UINT(g_hash_table_lookup(known, name));
		uint32_t id = string_table_add(&table, text_from(name));

		g_assert_cmpuint(id, ==, expected != 0 ? expected : n);
		check_text(&table, id, text_from(name));
		if (expected == 0)
			g_hash_table_insert(known, name, GUINT_TO_POINTER(n++));
		else
			g_free(name);
	}
	GHashTableIter iter;
	gpointer name, id;
	g_hash_table_iter_init(&iter, known);
	while (g_hash_table_iter_next(&iter, &name, &id)) {
		check_text(&table, GPOINTER_TO_UINT(id), text_from(name));
		g_assert_cmpuint(string_table_find(&table, text_from(name)), ==,
				 GPOINTER_TO_UINT(id));
	}
	string_table_clear(&table);
}

static void test_long(void)
{
	g_autofree char *name = g_strnfill(3 << 20, 'x');
	StringTable table;

	g_assert_true(string_table_init(&table));
	g_assert_cmpuint(string_table_add(&table, text_from(name)), ==, 1);
	g_assert_cmpuint(string_table_add(&table, (Text){ name, (3 << 20) - 1 }), ==, 2);
	check_text(&table, 1, text_from(name));
	string_table_clear(&table);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/string-table/ids-in-order", test_ids_in_order);
	g_test_add_func("/string-table/find", test_find);
	g_test_add_func("/string-table/bytes", test_bytes);
	g_test_add_func("/string-table/many", test_many);
	g_test_add_func("/string-table/long", test_long);
	return g_test_run();
}
