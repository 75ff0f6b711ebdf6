/* SPDX-License-Identifier: MIT */
/*
 * Keys are numbered as they are met, which depends on the input's order alone; ranking sorts them
 * by weight, then by label, so that the rows do not depend even on that.
 */

#include "heatmap/row-table.h"

#include <string.h>

#include "store/store.h"
#include "store/string-table.h"
#include "store/weight.h"

typedef struct {
	char *label;
	int64_t order;
	uint64_t weight;
	uint32_t row;
} Key;

struct RowTable {
	GArray *keys;	    /* of Key */
	StringTable labels; /* of the keys; names are hostile: its hash is seeded */
	GArray *keys_of;    /* uint32_t by label id: number of its key + 1, 0: none */
	GPtrArray *rows;    /* Key *, the first row on top */
};

static void clear_key(gpointer data)
{
	g_free(((Key *)data)->label);
}

RowTable *row_table_new(void)
{
	RowTable *self = g_new0(RowTable, 1);
	self->keys = g_array_new(FALSE, FALSE, sizeof(Key));
	g_array_set_clear_func(self->keys, clear_key);
	self->keys_of = g_array_new(FALSE, TRUE, sizeof(uint32_t));
	if (!string_table_init(&self->labels))
		g_error("out of memory for labels");
	self->rows = g_ptr_array_new();
	return self;
}

void row_table_free(RowTable *self)
{
	if (self == NULL)
		return;
	g_ptr_array_unref(self->rows);
	string_table_clear(&self->labels);
	g_array_unref(self->keys_of);
	g_array_unref(self->keys);
	g_free(self);
}

static Key *get_key(const RowTable *self, uint32_t key)
{
	return &g_array_index(self->keys, Key, key);
}

uint32_t row_table_key(RowTable *self, const char *label, int64_t order)
{
	Key key = { NULL, order, 0, ROW_NONE };
	uint32_t id = string_table_add(&self->labels, text_from(label));
	uint32_t *number;

	if (id == ROW_NONE)
		g_error("out of memory for labels");
	if (id >= self->keys_of->len)
		g_array_set_size(self->keys_of, id + 1);
	number = &g_array_index(self->keys_of, uint32_t, id);
	if (*number == 0) {
		key.label = g_strdup(label);
		g_array_append_val(self->keys, key);
		*number = self->keys->len;
	}
	return *number - 1;
}

void row_table_weigh(RowTable *self, uint32_t key, uint64_t weight)
{
	Key *row = get_key(self, key);
	row->weight = weight_add(row->weight, weight);
}

uint32_t row_table_n_keys(const RowTable *self)
{
	return self->keys->len;
}

static gint compare_weights(gconstpointer a, gconstpointer b)
{
	const Key *left = *(const Key *const *)a, *right = *(const Key *const *)b;
	if (left->weight != right->weight)
		return left->weight < right->weight ? 1 : -1;
	return strcmp(left->label, right->label);
}

static gint compare_orders(gconstpointer a, gconstpointer b)
{
	const Key *left = *(const Key *const *)a, *right = *(const Key *const *)b;
	return (left->order > right->order) - (left->order < right->order);
}

uint32_t row_table_choose(RowTable *self, uint32_t max_rows, bool is_by_order)
{
	g_ptr_array_set_size(self->rows, 0);
	for (uint32_t i = 0; i < self->keys->len; i++) {
		get_key(self, i)->row = ROW_NONE;
		g_ptr_array_add(self->rows, get_key(self, i));
	}
	g_ptr_array_sort(self->rows, compare_weights);
	if (self->rows->len > max_rows)
		g_ptr_array_set_size(self->rows, (gint)max_rows);
	if (is_by_order)
		g_ptr_array_sort(self->rows, compare_orders);
	uint32_t n = self->rows->len;
	for (uint32_t i = 0; i < n; i++)
		((Key *)self->rows->pdata[i])->row = n - 1 - i;
	return MAX(n, 1);
}

uint32_t row_table_row(const RowTable *self, uint32_t key)
{
	return get_key(self, key)->row;
}

char **row_table_labels(const RowTable *self)
{
	uint32_t n = self->rows->len;
	char **labels = g_new0(char *, MAX(n, 1) + 1);
	if (n == 0)
		labels[0] = g_strdup("(none)");
	for (uint32_t i = 0; i < n; i++)
		labels[n - 1 - i] = g_strdup(((const Key *)self->rows->pdata[i])->label);
	return labels;
}
