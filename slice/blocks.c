/* SPDX-License-Identifier: MIT */
/*
 * Two walks over the samples: the first numbers and counts pairs, the second writes blocks. Between
 * them the pairs are put in order, the most frequent first.
 */

#include "slice/blocks.h"

#include <string.h>

#include "slice/block-stream.h"
#include "store/error.h"

/* A thread and a stack that occurred together. */
typedef struct {
	uint32_t thread, stack;
	uint64_t count;
	uint64_t stack_count; /* of all pairs of the stack */
} Pair;

/* What the walks share. */
typedef struct {
	Blocks *blocks;
	const Store *store;
	GArray *pairs;	       /* of Pair */
	GHashTable *by_key;    /* thread << 32 | stack -> pair + 1 */
	uint32_t *last_thread; /* by stack: the pair met last, which is mostly the next one */
	uint32_t *last_pair;
	uint32_t *rank;		/* by pair, once they are in order */
	uint32_t *stack_number; /* by rank */
	uint32_t *stack_first;	/* by stack number: rank of its first pair */
	GArray *pending;	/* ranks of the block that is open */
	int64_t pending_number; /* of that block */
	int64_t last_number;
} Packer;

static int64_t block_number(const Blocks *self, int64_t time_ns)
{
	int64_t distance = time_ns - self->zero_ns;

	return distance / self->block_ns - (distance % self->block_ns < 0);
}

/* --- streams ----------------------------------------------------------------------------- */

/* Which thread of a stack: one byte, mostly. */
static void append_thread(BlockEvent *event, uint32_t index)
{
	block_stream_byte(event->who, (uint8_t)MIN(index, UINT8_MAX));
	if (index >= UINT8_MAX)
		block_stream_varint(event->high, index);
}

/* --- pairs ------------------------------------------------------------------------------- */

/* Fibonacci hashing: threads of one stack must not collide, as they do with g_int64_hash(). */
static guint hash_key(gconstpointer key)
{
	return (guint)(*(const uint64_t *)key * 0x9e3779b97f4a7c15u >> 32);
}

static uint32_t look_up_pair(Packer *self, uint32_t thread, uint32_t stack)
{
	gint64 key = (gint64)((uint64_t)thread << 32 | stack);
	gpointer found = g_hash_table_lookup(self->by_key, &key);
	gint64 *owned;
	Pair pair = { .thread = thread, .stack = stack };

	if (found != NULL)
		return GPOINTER_TO_UINT(found) - 1;
	owned = g_new(gint64, 1);
	*owned = key;
	g_array_append_val(self->pairs, pair);
	g_hash_table_insert(self->by_key, owned, GUINT_TO_POINTER(self->pairs->len));
	return self->pairs->len - 1;
}

static uint32_t pair_of(Packer *self, uint32_t thread, uint32_t stack)
{
	if (self->last_pair[stack] != ROW_NONE && self->last_thread[stack] == thread)
		return self->last_pair[stack];
	self->last_thread[stack] = thread;
	self->last_pair[stack] = look_up_pair(self, thread, stack);
	return self->last_pair[stack];
}

/* The most frequent stack first; of one stack the most frequent thread. */
static int compare_pairs(const void *a, const void *b, void *context)
{
	const GArray *pairs = context;
	uint32_t i = *(const uint32_t *)a, j = *(const uint32_t *)b;
	const Pair *x = &g_array_index(pairs, Pair, i), *y = &g_array_index(pairs, Pair, j);

	if (x->stack_count != y->stack_count)
		return x->stack_count < y->stack_count ? 1 : -1;
	if (x->stack != y->stack)
		return x->stack < y->stack ? -1 : 1;
	if (x->count != y->count)
		return x->count < y->count ? 1 : -1;
	return (i > j) - (i < j);
}

static void count_stacks(Packer *self)
{
	g_autofree uint64_t *counts = g_new0(uint64_t, store_n_stacks(self->store));

	for (guint i = 0; i < self->pairs->len; i++) {
		const Pair *pair = &g_array_index(self->pairs, Pair, i);

		counts[pair->stack] += pair->count;
	}
	for (guint i = 0; i < self->pairs->len; i++) {
		Pair *pair = &g_array_index(self->pairs, Pair, i);

		pair->stack_count = counts[pair->stack];
	}
}

/* Pairs in order; fills rank, stack_number and stack_first. */
static uint32_t *rank_pairs(Packer *self)
{
	uint32_t n = self->pairs->len, n_stacks = 0;
	uint32_t *order = g_new(uint32_t, n);

	count_stacks(self);
	for (uint32_t i = 0; i < n; i++)
		order[i] = i;
	g_qsort_with_data(order, (gint)n, sizeof(*order), compare_pairs, self->pairs);
	self->rank = g_new(uint32_t, n);
	self->stack_number = g_new(uint32_t, n);
	self->stack_first = g_new(uint32_t, n);
	for (uint32_t i = 0; i < n; i++) {
		uint32_t stack = g_array_index(self->pairs, Pair, order[i]).stack;

		self->rank[order[i]] = i;
		if (i == 0 || g_array_index(self->pairs, Pair, order[i - 1]).stack != stack)
			self->stack_first[n_stacks++] = i;
		self->stack_number[i] = n_stacks - 1;
	}
	self->blocks->n_stacks = n_stacks;
	return order;
}

/* --- threads, stacks, names -------------------------------------------------------------- */

/* The tree of displayed stacks as it grows: node of each store stack. */
typedef struct {
	Packer *packer;
	uint32_t *node;	  /* by stack; ROW_NONE: not yet */
	GArray *displays; /* of uint32_t: by node */
	GArray *open;	  /* stacks that wait for their parent's node */
} Nodes;

static uint32_t add_node(Nodes *self, uint32_t parent, uint32_t display)
{
	Blocks *blocks = self->packer->blocks;

	block_stream_varint(blocks->node_parents, blocks->n_nodes - parent);
	g_array_append_val(self->displays, display);
	return blocks->n_nodes++;
}

/* One frame of perf's can be several displayed ones. */
static void add_frame(Nodes *self, uint32_t stack)
{
	const Store *store = self->packer->store;
	uint32_t n, node = self->node[store_stack_parent(store, stack)];
	const uint32_t *ids =
		frame_names_ids(self->packer->blocks->names, store_stack_frame(store, stack), &n);

	for (uint32_t i = 0; i < n; i++)
		node = add_node(self, node, ids[i]);
	self->node[stack] = node;
}

static uint32_t node_of(Nodes *self, uint32_t stack)
{
	uint32_t at = stack;

	while (self->node[at] == ROW_NONE) {
		g_array_append_val(self->open, at);
		at = store_stack_parent(self->packer->store, at);
	}
	while (self->open->len > 0) {
		add_frame(self, g_array_index(self->open, uint32_t, self->open->len - 1));
		g_array_set_size(self->open, self->open->len - 1);
	}
	return self->node[stack];
}

static void write_displays(Blocks *blocks, const GArray *displays)
{
	Numbers numbers;

	numbers_init(&numbers, frame_names_count(blocks->names));
	for (guint i = 0; i < displays->len; i++)
		block_stream_varint(blocks->node_displays,
				    numbers_get(&numbers, g_array_index(displays, uint32_t, i)));
	blocks->displays = numbers_steal(&numbers, &blocks->n_displays);
}

static void write_pairs(Packer *self, const uint32_t *order)
{
	Blocks *blocks = self->blocks;
	Nodes nodes = { .packer = self,
			.node = g_new(uint32_t, store_n_stacks(self->store)),
			.displays = g_array_new(FALSE, FALSE, sizeof(uint32_t)),
			.open = g_array_new(FALSE, FALSE, sizeof(uint32_t)) };
	Numbers threads;

	memset(nodes.node, 0xff, store_n_stacks(self->store) * sizeof(uint32_t));
	nodes.node[0] = 0;
	blocks->n_nodes = 1;
	numbers_init(&threads, store_n_threads(self->store));
	for (uint32_t s = 0; s < blocks->n_stacks; s++) {
		uint32_t first = self->stack_first[s];
		uint32_t end =
			s + 1 < blocks->n_stacks ? self->stack_first[s + 1] : self->pairs->len;
		uint32_t stack = g_array_index(self->pairs, Pair, order[first]).stack;

		block_stream_varint(blocks->stack_nodes, node_of(&nodes, stack));
		block_stream_varint(blocks->stack_threads, end - first);
	}
	for (uint32_t i = 0; i < self->pairs->len; i++) {
		uint32_t thread = g_array_index(self->pairs, Pair, order[i]).thread;

		block_stream_varint(blocks->pair_threads, numbers_get(&threads, thread));
	}
	blocks->n_pairs = self->pairs->len;
	blocks->threads = numbers_steal(&threads, &blocks->n_threads);
	write_displays(blocks, nodes.displays);
	g_free(nodes.node);
	g_array_unref(nodes.displays);
	g_array_unref(nodes.open);
}

/* --- walks ------------------------------------------------------------------------------- */

static Selection *select_event(const Packer *self, const Query *query, const char *event,
			       Notes *notes, GError **error)
{
	Query one = *query;
	Selection *selection;

	one.event = (char *)event;
	selection = selection_new(self->store, &one, notes, error);
	if (selection != NULL && !selection_require_time(selection, notes, error))
		g_clear_pointer(&selection, selection_free);
	return selection;
}

static bool count_pairs(Packer *self, Selection *selection, BlockEvent *event, GError **error)
{
	g_autofree SampleBlock *block = g_new(SampleBlock, 1);

	do {
		if (!selection_next(selection, block, error))
			return false;
		for (size_t i = 0; i < block->n; i++) {
			uint32_t pair = pair_of(self, block->thread[i], block->stack[i]);

			g_array_index(self->pairs, Pair, pair).count++;
		}
		event->n_samples += block->n;
	} while (block->n > 0);
	return true;
}

static int compare_ranks(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return (x > y) - (x < y);
}

static void end_block(Packer *self, BlockEvent *event)
{
	uint32_t *ranks = (uint32_t *)(void *)self->pending->data, last = 0;

	if (self->pending->len == 0)
		return;
	qsort(ranks, self->pending->len, sizeof(*ranks), compare_ranks);
	block_stream_varint(event->gaps, (uint64_t)(self->pending_number - self->last_number));
	block_stream_varint(event->counts, self->pending->len);
	for (guint i = 0; i < self->pending->len; i++) {
		uint32_t stack = self->stack_number[ranks[i]];

		block_stream_distance(event->low, event->high, stack - last);
		append_thread(event, ranks[i] - self->stack_first[stack]);
		last = stack;
	}
	self->last_number = self->pending_number;
	event->n_blocks++;
	g_array_set_size(self->pending, 0);
}

static void add_sample(Packer *self, BlockEvent *event, int64_t time_ns, uint32_t rank)
{
	int64_t number = block_number(self->blocks, time_ns);

	if (number != self->pending_number)
		end_block(self, event);
	self->pending_number = number;
	g_array_append_val(self->pending, rank);
}

static bool write_blocks(Packer *self, Selection *selection, BlockEvent *event, GError **error)
{
	g_autofree SampleBlock *block = g_new(SampleBlock, 1);

	self->last_number = self->blocks->first_block;
	selection_rewind(selection);
	do {
		if (!selection_next(selection, block, error))
			return false;
		for (size_t i = 0; i < block->n; i++) {
			uint32_t pair = pair_of(self, block->thread[i], block->stack[i]);

			add_sample(self, event, block->time_ns[i], self->rank[pair]);
		}
	} while (block->n > 0);
	end_block(self, event);
	return true;
}

/* --- the whole --------------------------------------------------------------------------- */

static void event_free(void *data)
{
	BlockEvent *self = data;

	g_free(self->name);
	g_byte_array_unref(self->gaps);
	g_byte_array_unref(self->counts);
	g_byte_array_unref(self->low);
	g_byte_array_unref(self->high);
	g_byte_array_unref(self->who);
	g_free(self);
}

static BlockEvent *event_new(const Selection *selection)
{
	BlockEvent *self = g_new0(BlockEvent, 1);

	self->name = g_strdup(selection_event(selection));
	self->gaps = g_byte_array_new();
	self->counts = g_byte_array_new();
	self->low = g_byte_array_new();
	self->high = g_byte_array_new();
	self->who = g_byte_array_new();
	return self;
}

/* The selections of all events, the default (or the one that was asked for) first. */
static bool select_all(const Packer *self, const Query *query, GPtrArray *selections, Notes *notes,
		       GError **error)
{
	Selection *first = select_event(self, query, query->event, notes, error);

	if (first == NULL)
		return false;
	g_ptr_array_add(selections, first);
	self->blocks->zero_ns = selection_zero_ns(first);
	self->blocks->first_block = block_number(self->blocks, store_start_ns(self->store));
	for (uint32_t i = 0; query->event == NULL && i < store_n_events(self->store); i++) {
		Text text = store_event_name(self->store, i);
		g_autofree char *name = g_strndup(text.data, text.len);
		Selection *other;

		if (g_str_equal(name, selection_event(first)))
			continue;
		other = select_event(self, query, name, NULL, error);
		if (other == NULL)
			return false;
		g_ptr_array_add(selections, other);
	}
	return true;
}

static bool pack(Packer *self, const GPtrArray *selections, GError **error)
{
	g_autofree uint32_t *order = NULL;

	for (guint i = 0; i < selections->len; i++) {
		Selection *selection = g_ptr_array_index(selections, i);
		BlockEvent *event = event_new(selection);

		g_ptr_array_add(self->blocks->events, event);
		if (!count_pairs(self, selection, event, error))
			return false;
		if (i == 0)
			self->blocks->counts = selection_counts(selection);
	}
	order = rank_pairs(self);
	write_pairs(self, order);
	for (guint i = 0; i < selections->len; i++)
		if (!write_blocks(self, g_ptr_array_index(selections, i),
				  g_ptr_array_index(self->blocks->events, i), error))
			return false;
	return true;
}

static void packer_init(Packer *self, Blocks *blocks, const Store *store)
{
	*self = (Packer){ .blocks = blocks, .store = store };
	self->pairs = g_array_new(FALSE, FALSE, sizeof(Pair));
	self->by_key = g_hash_table_new_full(hash_key, g_int64_equal, g_free, NULL);
	self->last_thread = g_new0(uint32_t, store_n_stacks(store));
	self->last_pair = g_new(uint32_t, store_n_stacks(store));
	memset(self->last_pair, 0xff, store_n_stacks(store) * sizeof(uint32_t));
	self->pending = g_array_new(FALSE, FALSE, sizeof(uint32_t));
}

static void packer_clear(Packer *self)
{
	g_array_unref(self->pairs);
	g_hash_table_unref(self->by_key);
	g_free(self->last_thread);
	g_free(self->last_pair);
	g_free(self->rank);
	g_free(self->stack_number);
	g_free(self->stack_first);
	g_array_unref(self->pending);
}

static Blocks *blocks_alloc(const Store *store, const Query *query, int64_t block_ns)
{
	Blocks *self = g_new0(Blocks, 1);

	self->block_ns = block_ns;
	self->events = g_ptr_array_new_with_free_func(event_free);
	self->names = frame_names_new(store, query->names, 0);
	self->stack_nodes = g_byte_array_new();
	self->stack_threads = g_byte_array_new();
	self->pair_threads = g_byte_array_new();
	self->node_parents = g_byte_array_new();
	self->node_displays = g_byte_array_new();
	return self;
}

Blocks *blocks_new(const Store *store, const Query *query, int64_t block_ns, Notes *notes,
		   GError **error)
{
	g_autoptr(Blocks) self = blocks_alloc(store, query, block_ns);
	g_autoptr(GPtrArray) selections =
		g_ptr_array_new_with_free_func((GDestroyNotify)selection_free);
	Packer packer;
	bool ok;

	if (query->weight != WEIGHT_SAMPLES) {
		fail(error, FLAMEBEAT_ERROR_USAGE,
		     "html keeps samples, not periods: leave --weight out");
		return NULL;
	}
	packer_init(&packer, self, store);
	ok = select_all(&packer, query, selections, notes, error) &&
	     pack(&packer, selections, error);
	packer_clear(&packer);
	return ok ? g_steal_pointer(&self) : NULL;
}

void blocks_free(Blocks *self)
{
	if (self == NULL)
		return;
	g_ptr_array_unref(self->events);
	frame_names_free(self->names);
	g_byte_array_unref(self->stack_nodes);
	g_byte_array_unref(self->stack_threads);
	g_byte_array_unref(self->pair_threads);
	g_byte_array_unref(self->node_parents);
	g_byte_array_unref(self->node_displays);
	g_free(self->threads);
	g_free(self->displays);
	g_free(self);
}
