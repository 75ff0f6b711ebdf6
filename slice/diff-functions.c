/* SPDX-License-Identifier: MIT */
/* The tables of all parts as one, by name and DSO. */

#include "slice/diff-merge.h"

#include <string.h>

typedef struct {
	GArray *functions;  /* of DiffFunction */
	GHashTable *by_key; /* name, newline, DSO -> index + 1; for pairs: name -> index + 1 */
} Table;

static char *key_of(const char *name, const char *dso)
{
	return g_strconcat(name, "\n", dso, NULL);
}

static DiffFunction *function_at(const Table *self, guint i)
{
	return &g_array_index(self->functions, DiffFunction, i);
}

static DiffFunction *find(Table *self, const TopRow *row)
{
	const char *dso = row->dso != NULL ? row->dso : "";
	g_autofree char *key = key_of(row->name, dso);
	gpointer found = g_hash_table_lookup(self->by_key, key);

	if (found == NULL) {
		DiffFunction function = { .name = g_strdup(row->name), .dso = g_strdup(dso) };

		g_array_append_val(self->functions, function);
		found = GUINT_TO_POINTER(self->functions->len);
		g_hash_table_insert(self->by_key, g_steal_pointer(&key), found);
	}
	return function_at(self, GPOINTER_TO_UINT(found) - 1);
}

static void add_part(Table *self, const DiffPart *part)
{
	for (size_t i = 0; i < part->top->n_rows; i++) {
		const TopRow *row = &part->top->rows[i];

		diff_item_add(&find(self, row)->item, part, row->self, row->total);
	}
}

/* --- libraries that were replaced --------------------------------------------------------- */

static bool is_on(const DiffItem *item, DiffSide side)
{
	return item->tally[MEASURE_TOTAL][side].count > 0;
}

/* How many functions of one name are on one side only, and the last of them. */
typedef struct {
	guint n[N_SIDES], last[N_SIDES];
	guint n_others;
} Namesakes;

static void note_namesake(GHashTable *by_name, const DiffFunction *function, guint i)
{
	Namesakes *namesakes = g_hash_table_lookup(by_name, function->name);
	bool is_new = is_on(&function->item, SIDE_NEW), is_old = is_on(&function->item, SIDE_BASE);
	DiffSide side = is_new ? SIDE_NEW : SIDE_BASE;

	if (namesakes == NULL) {
		namesakes = g_new0(Namesakes, 1);
		g_hash_table_insert(by_name, function->name, namesakes);
	}
	if (is_new == is_old) {
		namesakes->n_others++;
		return;
	}
	namesakes->n[side]++;
	namesakes->last[side] = i;
}

/* Tallies of the base move to the new side's function; what is left has none and is dropped. */
static void join(const Table *self, const Namesakes *namesakes)
{
	DiffFunction *to = function_at(self, namesakes->last[SIDE_NEW]);
	DiffFunction *from = function_at(self, namesakes->last[SIDE_BASE]);

	for (int m = 0; m < N_MEASURES; m++) {
		to->item.tally[m][SIDE_BASE] = from->item.tally[m][SIDE_BASE];
		from->item.tally[m][SIDE_BASE] = (DiffTally){ 0 };
	}
}

static bool is_named(const char *name)
{
	return name[0] != '[';
}

static void join_replaced(const Table *self)
{
	g_autoptr(GHashTable) by_name =
		g_hash_table_new_full(g_str_hash, g_str_equal, NULL, g_free);
	GHashTableIter iter;
	gpointer name, namesakes;

	for (guint i = 0; i < self->functions->len; i++)
		note_namesake(by_name, function_at(self, i), i);
	g_hash_table_iter_init(&iter, by_name);
	while (g_hash_table_iter_next(&iter, &name, &namesakes)) {
		const Namesakes *n = namesakes;

		if (n->n[SIDE_NEW] == 1 && n->n[SIDE_BASE] == 1 && n->n_others == 0 &&
		    is_named(name))
			join(self, n);
	}
}

/* --- the whole ----------------------------------------------------------------------------- */

static gint compare(gconstpointer left, gconstpointer right)
{
	const DiffFunction *a = left, *b = right;
	int order = strcmp(a->name, b->name);

	return order != 0 ? order : strcmp(a->dso, b->dso);
}

/* Functions of no sample: a weight of 0, or joined with another. */
static void drop_empty(GArray *functions)
{
	guint n = 0;

	for (guint i = 0; i < functions->len; i++) {
		DiffFunction *function = &g_array_index(functions, DiffFunction, i);

		if (is_on(&function->item, SIDE_NEW) || is_on(&function->item, SIDE_BASE)) {
			g_array_index(functions, DiffFunction, n++) = *function;
			continue;
		}
		g_free(function->name);
		g_free(function->dso);
	}
	g_array_set_size(functions, n);
}

void diff_merge_functions(Diff *diff, const GArray *parts)
{
	Table self = { .functions = g_array_new(FALSE, FALSE, sizeof(DiffFunction)),
		       .by_key = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL) };

	for (guint i = 0; i < parts->len; i++)
		add_part(&self, &g_array_index(parts, DiffPart, i));
	join_replaced(&self);
	g_hash_table_unref(self.by_key);
	drop_empty(self.functions);
	g_array_sort(self.functions, compare);
	diff->functions = g_array_steal(self.functions, &diff->n_functions);
	g_array_unref(self.functions);
}
