/* SPDX-License-Identifier: MIT */
/*
 * Folded stacks, one line a stack, in the order of `LC_ALL=C sort`.
 *
 * That is not the order of the tree: in a line a name is followed by `;` or, at the leaf, by a
 * blank, and both sort in the midst of what other names go on with ("a b" < "a;c" though "a" < "a
 * b"). So the children of a node become *entries*, a name with its ending: one for the line that
 * ends in a child and one for the lines that go through it. Sorted, entries are in the order of
 * their lines, since no entry is the beginning of another one; equal names (they can become equal
 * by what is replaced in them) come to stand together and are written as one.
 *
 * The entries of all open levels are one array, the names of the open path one buffer.
 *
 * Of two sides compared, a line has two weights, base first, as difffolded.pl prints them.
 */

#include "render/formats.h"

#include <string.h>

#include "render/number.h"
#include "store/weight.h"

#define MAX_WEIGHTS 2

typedef struct {
	Text name;
	uint32_t node; /* first of the group; unused by a leaf */
	bool is_leaf;
	uint64_t weights[MAX_WEIGHTS]; /* of a leaf: all lines that become this one */
} Entry;

/* One open node: its entries not yet written are [position, end). */
typedef struct {
	guint position, end;
	gsize path_len;
} Level;

typedef struct {
	FILE *out;
	const CallTree *tree;
	const Diff *diff; /* whose shape `tree` is; NULL: one weight */
	GArray *entries;  /* of Entry, of all levels */
	GArray *levels;	  /* of Level, root first */
	GPtrArray *valid; /* names made valid UTF-8 */
	GString *path;	  /* as it will be printed, ends in `;` */
} FoldedWriter;

/* --- names --------------------------------------------------------------------------------- */

static char printed(char c)
{
	if (c == ';')
		return ':';
	return (unsigned char)c < ' ' || c == '\x7f' ? '_' : c;
}

/* Position of a blank with nothing but digits behind it (the weight would be taken for the second
 * of two), or the length of the name. */
static size_t blank_before_digits(Text name)
{
	size_t i = name.len;
	while (i > 0 && g_ascii_isdigit(name.data[i - 1]))
		i--;
	return i > 0 && i < name.len && name.data[i - 1] == ' ' ? i - 1 : name.len;
}

static char entry_char(const Entry *self, size_t i, size_t blank)
{
	return self->is_leaf && i == blank ? '_' : printed(self->name.data[i]);
}

static size_t entry_blank(const Entry *self)
{
	return self->is_leaf ? blank_before_digits(self->name) : self->name.len;
}

/* What follows the name in its line; a second weight is no part of it, since lines that differ
 * only there are one. */
static size_t entry_ending(const Entry *self, char ending[NUMBER_SIZE + 1])
{
	ending[0] = self->is_leaf ? ' ' : ';';
	return self->is_leaf ? 1 + number_format(ending + 1, self->weights[0]) : 1;
}

/* --- order --------------------------------------------------------------------------------- */

static int compare_names(const Entry *a, const Entry *b, size_t *n_equal)
{
	size_t n = MIN(a->name.len, b->name.len), a_blank = entry_blank(a),
	       b_blank = entry_blank(b);
	for (size_t i = 0; i < n; i++) {
		unsigned char x = (unsigned char)entry_char(a, i, a_blank);
		unsigned char y = (unsigned char)entry_char(b, i, b_blank);
		if (x != y)
			return x < y ? -1 : 1;
	}
	*n_equal = n;
	return 0;
}

/* By kind and name, to bring together what becomes one line. */
static gint compare_groups(gconstpointer x, gconstpointer y)
{
	const Entry *a = x, *b = y;
	size_t n;
	if (a->is_leaf != b->is_leaf)
		return a->is_leaf ? -1 : 1;
	int order = compare_names(a, b, &n);
	if (order != 0)
		return order;
	return (a->name.len > b->name.len) - (a->name.len < b->name.len);
}

/* The rest of an entry's line from byte `i` of its name on: byte by byte with its ending. */
static int rest_char(const Entry *self, size_t i, const char *ending, size_t ending_len)
{
	if (i < self->name.len)
		return (unsigned char)entry_char(self, i, entry_blank(self));
	i -= self->name.len;
	return i < ending_len ? (unsigned char)ending[i] : -1;
}

/* By what the lines look like. */
static gint compare_lines(gconstpointer x, gconstpointer y)
{
	const Entry *a = x, *b = y;
	char a_ending[NUMBER_SIZE + 1], b_ending[NUMBER_SIZE + 1];
	size_t i, a_len, b_len;
	int order = compare_names(a, b, &i);
	if (order != 0)
		return order;
	a_len = entry_ending(a, a_ending);
	b_len = entry_ending(b, b_ending);
	for (;; i++) {
		int p = rest_char(a, i, a_ending, a_len), q = rest_char(b, i, b_ending, b_len);
		if (p != q || p < 0)
			return (p > q) - (p < q);
	}
}

/* --- levels -------------------------------------------------------------------------------- */

/* What is printed is UTF-8, whatever bytes a name has. */
static Text valid_name(FoldedWriter *self, uint32_t node)
{
	Text name = call_tree_frame(self->tree, node).name;
	char *valid;
	if (g_utf8_validate_len(name.data, name.len, NULL))
		return name;
	valid = g_utf8_make_valid(name.data, (gssize)name.len);
	g_ptr_array_add(self->valid, valid);
	return text_from(valid);
}

/* What ends in a node; returns whether anything does. */
static bool get_weights(const FoldedWriter *self, uint32_t node, uint64_t weights[MAX_WEIGHTS])
{
	if (self->diff == NULL) {
		weights[0] = self->tree->nodes[node].self;
		return weights[0] > 0;
	}
	const DiffTally *tally = self->diff->nodes[node].tally[MEASURE_SELF];
	weights[0] = tally[SIDE_BASE].weight;
	weights[1] = tally[SIDE_NEW].weight;
	return weights[0] > 0 || weights[1] > 0;
}

/* Whether anything goes through a node. */
static bool has_callees(const FoldedWriter *self, uint32_t node)
{
	if (self->diff == NULL)
		return self->tree->nodes[node].total > self->tree->nodes[node].self;
	return self->tree->nodes[node].next > node + 1;
}

static void add_entries(FoldedWriter *self, uint32_t node)
{
	Entry entry = { .name = valid_name(self, node), .node = node };
	if (has_callees(self, node))
		g_array_append_val(self->entries, entry);
	entry.is_leaf = true;
	if (get_weights(self, node, entry.weights))
		g_array_append_val(self->entries, entry);
}

static void add_children(FoldedWriter *self, uint32_t node)
{
	const CallNode *nodes = self->tree->nodes;
	for (uint32_t i = node + 1; i < nodes[node].next; i = nodes[i].next)
		add_entries(self, i);
}

static void add_weights(Entry *to, const Entry *from)
{
	for (int i = 0; i < MAX_WEIGHTS; i++)
		to->weights[i] = weight_add(to->weights[i], from->weights[i]);
}

/* Leaves of one name become one entry; `entries` are sorted by group. Returns how many remain. */
static size_t merge_leaves(Entry *entries, size_t n)
{
	size_t kept = 0;
	for (size_t i = 0; i < n; i++) {
		if (kept > 0 && entries[i].is_leaf &&
		    compare_groups(&entries[kept - 1], &entries[i]) == 0)
			add_weights(&entries[kept - 1], &entries[i]);
		else
			entries[kept++] = entries[i];
	}
	return kept;
}

/* The entries from `begin` on become the innermost level. */
static void push_level(FoldedWriter *self, guint begin)
{
	size_t n = self->entries->len - begin;
	if (n > 1) {
		Entry *first = &g_array_index(self->entries, Entry, begin);
		qsort(first, n, sizeof(*first), compare_groups);
		n = merge_leaves(first, n);
		qsort(first, n, sizeof(*first), compare_lines);
	}
	g_array_set_size(self->entries, begin + (guint)n);
	const Level level = { begin, begin + (guint)n, self->path->len };
	g_array_append_val(self->levels, level);
}

static void append_name(const FoldedWriter *self, const Entry *entry)
{
	size_t blank = entry_blank(entry);
	for (size_t i = 0; i < entry->name.len; i++)
		g_string_append_c(self->path, entry_char(entry, i, blank));
}

static void write_line(FoldedWriter *self, const Entry *leaf)
{
	append_name(self, leaf);
	fwrite_unlocked(self->path->str, 1, self->path->len, self->out);
	putc_unlocked(' ', self->out);
	number_write(self->out, leaf->weights[0]);
	if (self->diff != NULL) {
		putc_unlocked(' ', self->out);
		number_write(self->out, leaf->weights[1]);
	}
	putc_unlocked('\n', self->out);
}

/* Opens the entries [begin, end) of one name, whose lines are mixed with each other. */
static void enter(FoldedWriter *self, guint begin, guint end)
{
	guint first = self->entries->len;
	append_name(self, &g_array_index(self->entries, Entry, begin));
	g_string_append_c(self->path, ';');
	for (guint i = begin; i < end; i++)
		add_children(self, g_array_index(self->entries, Entry, i).node);
	push_level(self, first);
}

/* Writes or opens what is next in the innermost level, or closes it. */
static void step(FoldedWriter *self)
{
	Level *level = &g_array_index(self->levels, Level, self->levels->len - 1);
	guint begin = level->position, end = begin + 1;
	g_string_truncate(self->path, level->path_len);
	if (begin == level->end) {
		g_array_set_size(self->levels, self->levels->len - 1);
		return;
	}
	g_array_set_size(self->entries, level->end); /* drops those of deeper levels */
	const Entry *entries = (const Entry *)(const void *)self->entries->data;
	while (end < level->end && compare_groups(&entries[begin], &entries[end]) == 0)
		end++;
	level->position = end;
	if (entries[begin].is_leaf)
		write_line(self, &entries[begin]);
	else
		enter(self, begin, end);
}

static void write_folded(FILE *out, const CallTree *tree, const Diff *diff)
{
	g_autoptr(GArray) entries = g_array_new(FALSE, FALSE, sizeof(Entry));
	g_autoptr(GArray) levels = g_array_new(FALSE, FALSE, sizeof(Level));
	g_autoptr(GPtrArray) valid = g_ptr_array_new_with_free_func(g_free);
	FoldedWriter self = { out, tree, diff, entries, levels, valid, g_string_new(NULL) };
	Entry frameless = { .name = TEXT("[unknown]"), .is_leaf = true };
	if (get_weights(&self, 0, frameless.weights))
		g_array_append_val(entries, frameless);
	add_children(&self, 0);
	push_level(&self, 0);
	while (levels->len > 0)
		step(&self);
	g_string_free(self.path, TRUE);
}

bool tree_folded(FILE *out, const CallTree *tree, const Caption *caption G_GNUC_UNUSED,
		 const TreeStyle *style G_GNUC_UNUSED, GError **error G_GNUC_UNUSED)
{
	write_folded(out, tree, NULL);
	return true;
}

bool diff_folded(FILE *out, const Diff *diff, const Caption *caption G_GNUC_UNUSED,
		 const DiffStyle *style G_GNUC_UNUSED, GError **error G_GNUC_UNUSED)
{
	write_folded(out, diff->shape, diff);
	return true;
}
