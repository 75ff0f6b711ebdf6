/* SPDX-License-Identifier: MIT */
/*
 * Excess by thread is added up by pool, excess by stack by every displayed function on it, each
 * once a stack. Of the functions that go through most of what the largest pool has in excess, the
 * innermost (by mean depth) is the one to name: callers have all of it too but say less, and what
 * it calls has only parts. Differences are summed with their sign, so that chance cancels.
 *
 * Only what was met in `on` is looked at, so that a question costs in proportion to the samples it
 * is about. Who is missing from a drop is told by threads alone.
 */

#include "heatmap/who.h"

#include <math.h>

#include "store/process.h"

#define MAX_TALLY_CPUS 4096 /* CPUs beyond share a number: a CPU from an input sizes nothing */
#define FUNCTION_SHARE 0.9  /* of the pool's excess: "most" */
#define FAIR_SHARE     0.2  /* of the largest part: who has less has no part */

/* --- tallies ----------------------------------------------------------------------------- */

static void column_init(TallyColumn *self, size_t n)
{
	self->values = g_new0(double, n + 1);
	self->met = g_array_new(FALSE, FALSE, sizeof(uint32_t));
}

static void column_clear(TallyColumn *self)
{
	g_clear_pointer(&self->values, g_free);
	g_clear_pointer(&self->met, g_array_unref);
}

static void column_reset(TallyColumn *self)
{
	for (guint i = 0; i < self->met->len; i++)
		self->values[g_array_index(self->met, uint32_t, i)] = 0;
	g_array_set_size(self->met, 0);
}

static void column_add(TallyColumn *self, uint32_t key, double value)
{
	if (self->values[key] == 0)
		g_array_append_val(self->met, key);
	self->values[key] += value;
}

void tally_init(Tally *self, const Store *store)
{
	column_init(&self->threads, store_n_threads(store));
	column_init(&self->stacks, store_n_stacks(store));
	column_init(&self->cpus, MAX_TALLY_CPUS);
	self->total = 0;
}

void tally_clear(Tally *self)
{
	column_clear(&self->threads);
	column_clear(&self->stacks);
	column_clear(&self->cpus);
}

void tally_reset(Tally *self)
{
	column_reset(&self->threads);
	column_reset(&self->stacks);
	column_reset(&self->cpus);
	self->total = 0;
}

void tally_add(Tally *self, const SampleBlock *block, size_t i)
{
	column_add(&self->threads, block->thread[i], 1);
	column_add(&self->stacks, block->stack[i], 1);
	if (block->cpu[i] >= 0)
		column_add(&self->cpus, (uint32_t)block->cpu[i] % MAX_TALLY_CPUS, 1);
	self->total += 1;
}

static void column_join(TallyColumn *self, const TallyColumn *other, double sign)
{
	for (guint i = 0; i < other->met->len; i++) {
		uint32_t key = g_array_index(other->met, uint32_t, i);

		self->values[key] += sign * other->values[key];
	}
}

static void join(Tally *self, const Tally *other, double sign)
{
	column_join(&self->threads, &other->threads, sign);
	column_join(&self->stacks, &other->stacks, sign);
	column_join(&self->cpus, &other->cpus, sign);
	self->total += sign * other->total;
}

void tally_subtract(Tally *self, const Tally *other)
{
	join(self, other, -1);
}

void tally_join(Tally *self, const Tally *other)
{
	join(self, other, 1);
}

/* What is summed up by pool or by displayed function. */
typedef struct {
	double excess;
	double on, depth; /* of functions: samples, and samples times depth */
	double leaf;	  /* of functions: excess where it is the leaf */
	uint64_t serial;  /* the stack (pools: question) that was added last */
	bool is_met;
} Part;

struct WhoFinder {
	const Store *store;
	FrameNames *names;
	Processes *processes;
	GHashTable *pool_ids;  /* name -> id + 1 */
	uint32_t *pool_of;     /* by thread */
	GArray *pools;	       /* of Part, by pool id */
	GArray *functions;     /* of Part, by display id */
	GArray *met_functions; /* of uint32_t */
	uint64_t serial;
};

/* One question. */
typedef struct {
	const Tally *on, *rest;
	double scale;
	double sign; /* -1: who is missing */
} Question;

static uint32_t make_pool_id(WhoFinder *self, uint32_t thread)
{
	Text name = processes_pool_name(self->processes, thread);
	g_autofree char *key = g_strndup(name.data, name.len);
	guint id = GPOINTER_TO_UINT(g_hash_table_lookup(self->pool_ids, key));

	if (id == 0) {
		id = g_hash_table_size(self->pool_ids) + 1;
		g_hash_table_insert(self->pool_ids, g_steal_pointer(&key), GUINT_TO_POINTER(id));
	}
	return id - 1;
}

WhoFinder *who_finder_new(const Store *store, NamesKind names)
{
	WhoFinder *self = g_new0(WhoFinder, 1);

	self->store = store;
	self->names = frame_names_new(store, names, 0);
	self->processes = processes_new(store);
	self->pool_ids = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	self->pool_of = g_new(uint32_t, (gsize)store_n_threads(store) + 1);
	for (uint32_t i = 0; i < store_n_threads(store); i++)
		self->pool_of[i] = make_pool_id(self, i);
	self->pools = g_array_new(FALSE, TRUE, sizeof(Part));
	g_array_set_size(self->pools, g_hash_table_size(self->pool_ids));
	self->functions = g_array_new(FALSE, TRUE, sizeof(Part));
	self->met_functions = g_array_new(FALSE, FALSE, sizeof(uint32_t));
	return self;
}

void who_finder_free(WhoFinder *self)
{
	if (self == NULL)
		return;
	frame_names_free(self->names);
	processes_free(self->processes);
	g_hash_table_unref(self->pool_ids);
	g_free(self->pool_of);
	g_array_unref(self->pools);
	g_array_unref(self->functions);
	g_array_unref(self->met_functions);
	g_free(self);
}

static double excess_of(const Question *question, const TallyColumn *on, const TallyColumn *rest,
			uint32_t key)
{
	return question->sign * (on->values[key] - question->scale * rest->values[key]);
}

static double thread_excess(const Question *question, uint32_t thread)
{
	return excess_of(question, &question->on->threads, &question->rest->threads, thread);
}

/* Threads that a question is about. */
static const GArray *threads_of(const Question *question)
{
	return question->sign > 0 ? question->on->threads.met : question->rest->threads.met;
}

/* --- pools, threads, CPUs ---------------------------------------------------------------- */

/* The pool of the largest excess (on a tie the one met first), ROW_NONE if there is none; its
 * share of what all pools have in excess goes into `share`. */
static uint32_t largest_pool(WhoFinder *self, const Question *question, double *share)
{
	const GArray *threads = threads_of(question);
	uint32_t best = ROW_NONE;
	double all = 0, most = 0;

	memset(self->pools->data, 0, self->pools->len * sizeof(Part));
	for (guint i = 0; i < threads->len; i++) {
		uint32_t thread = g_array_index(threads, uint32_t, i);

		g_array_index(self->pools, Part, self->pool_of[thread]).excess +=
			thread_excess(question, thread);
	}
	for (guint i = 0; i < self->pools->len; i++) {
		double excess = g_array_index(self->pools, Part, i).excess;

		all += MAX(excess, 0);
		if (excess > most) {
			most = excess;
			best = i;
		}
	}
	*share = all > 0 ? most / all : 0;
	return best;
}

/* The thread of the largest excess in `pool`, and how many have a fair part of it. */
static uint32_t largest_thread(WhoFinder *self, const Question *question, uint32_t pool,
			       uint32_t *n_fair)
{
	const GArray *threads = threads_of(question);
	uint32_t best = ROW_NONE;
	double most = 0;

	*n_fair = 0;
	for (guint i = 0; i < threads->len; i++) {
		uint32_t thread = g_array_index(threads, uint32_t, i);

		if (self->pool_of[thread] != pool || thread_excess(question, thread) <= most)
			continue;
		most = thread_excess(question, thread);
		best = thread;
	}
	for (guint i = 0; i < threads->len; i++) {
		uint32_t thread = g_array_index(threads, uint32_t, i);

		*n_fair += self->pool_of[thread] == pool &&
			   thread_excess(question, thread) >= FAIR_SHARE * most && most > 0;
	}
	return best;
}

static uint32_t count_cpus(const Question *question)
{
	const TallyColumn *on = &question->on->cpus, *rest = &question->rest->cpus;
	const GArray *met = question->sign > 0 ? on->met : rest->met;
	double most = 0;
	uint32_t n = 0;

	for (guint i = 0; i < met->len; i++)
		most = MAX(most, excess_of(question, on, rest, g_array_index(met, uint32_t, i)));
	for (guint i = 0; i < met->len; i++)
		n += most > 0 && excess_of(question, on, rest, g_array_index(met, uint32_t, i)) >=
					 FAIR_SHARE * most;
	return n;
}

/* --- functions --------------------------------------------------------------------------- */

static Part *function_part(WhoFinder *self, uint32_t display)
{
	Part *part;

	if (display >= self->functions->len)
		g_array_set_size(self->functions, display + 1);
	part = &g_array_index(self->functions, Part, display);
	if (!part->is_met) {
		*part = (Part){ .is_met = true };
		g_array_append_val(self->met_functions, display);
	}
	return part;
}

static uint32_t stack_depth(const Store *store, uint32_t stack)
{
	uint32_t depth = 0;

	for (; stack != 0; stack = store_stack_parent(store, stack))
		depth++;
	return depth;
}

static void add_stack(WhoFinder *self, uint32_t stack, double on, double excess)
{
	uint32_t depth = stack_depth(self->store, stack);
	bool is_leaf = true;

	self->serial++;
	for (; stack != 0; stack = store_stack_parent(self->store, stack), depth--) {
		uint32_t n;
		const uint32_t *ids =
			frame_names_ids(self->names, store_stack_frame(self->store, stack), &n);

		while (n-- > 0) {
			Part *part = function_part(self, ids[n]);

			part->leaf += is_leaf ? excess : 0;
			is_leaf = false;
			if (part->serial == self->serial)
				continue;
			part->serial = self->serial;
			part->excess += excess;
			part->on += on;
			part->depth += on * (depth + n / 16.0);
		}
	}
}

static bool is_named(const WhoFinder *self, uint32_t display)
{
	return !text_equal(frame_names_get(self->names, display).name, TEXT("[unknown]"));
}

static char *name_dup(const WhoFinder *self, uint32_t display)
{
	Text name = frame_names_get(self->names, display).name;

	return g_strndup(name.data, name.len);
}

/* Names the functions of what is met; `excess` is the pool's. */
static void choose_functions(WhoFinder *self, double excess, Who *who)
{
	uint32_t leaf = ROW_NONE, inner = ROW_NONE;
	double most = 0, depth = 0;

	for (guint i = 0; i < self->met_functions->len; i++) {
		uint32_t display = g_array_index(self->met_functions, uint32_t, i);
		const Part *part = &g_array_index(self->functions, Part, display);

		if (!is_named(self, display))
			continue;
		if (part->leaf > most) {
			most = part->leaf;
			leaf = display;
		}
		if (part->excess >= FUNCTION_SHARE * excess && part->depth / part->on > depth) {
			depth = part->depth / part->on;
			inner = display;
		}
	}
	if (inner == ROW_NONE)
		inner = leaf;
	if (inner == ROW_NONE)
		return;
	who->function = name_dup(self, inner);
	who->share = MIN(g_array_index(self->functions, Part, inner).excess / excess, 1);
	who->leaf = leaf != ROW_NONE ? name_dup(self, leaf) : NULL;
}

static void find_functions(WhoFinder *self, const Question *question, double excess, Who *who)
{
	const GArray *stacks = question->on->stacks.met;

	for (guint i = 0; i < self->met_functions->len; i++)
		g_array_index(self->functions, Part,
			      g_array_index(self->met_functions, uint32_t, i))
			.is_met = false;
	g_array_set_size(self->met_functions, 0);
	for (guint i = 0; i < stacks->len; i++) {
		uint32_t stack = g_array_index(stacks, uint32_t, i);

		add_stack(
			self, stack, question->on->stacks.values[stack],
			excess_of(question, &question->on->stacks, &question->rest->stacks, stack));
	}
	choose_functions(self, excess, who);
}

/* --- the answer -------------------------------------------------------------------------- */

static char *thread_label(const StoreThread *thread)
{
	GString *label = g_string_new_len(thread->comm.data, (gssize)thread->comm.len);

	if (thread->pid != ID_NONE && thread->tid != ID_NONE)
		g_string_append_printf(label, " %d/%d", thread->pid, thread->tid);
	else if (thread->tid != ID_NONE)
		g_string_append_printf(label, " %d", thread->tid);
	return g_string_free(label, FALSE);
}

static char *text_dup(Text text)
{
	return g_strndup(text.data, text.len);
}

/* Of WHO_ELSE: what stacks have in excess, though pools have none. */
static double stack_excess(const Question *question)
{
	const TallyColumn *on = &question->on->stacks, *rest = &question->rest->stacks;
	double sum = 0;

	for (guint i = 0; i < on->met->len; i++)
		sum += MAX(excess_of(question, on, rest, g_array_index(on->met, uint32_t, i)), 0);
	return sum;
}

Who who_find(WhoFinder *self, const Tally *on, const Tally *rest, double scale, WhoQuestion asked)
{
	Question of_stacks = { on, rest, scale, asked == WHO_LESS ? -1 : 1 };
	Question of_threads = { on, rest, asked == WHO_ELSE ? 0 : scale, of_stacks.sign };
	Who who = { .n_cpus = count_cpus(&of_threads) };
	uint32_t pool = largest_pool(self, &of_threads, &who.pool_share), thread;
	StoreThread row;

	if (pool == ROW_NONE)
		return who;
	thread = largest_thread(self, &of_threads, pool, &who.n_threads);
	row = store_thread(self->store, thread);
	who.pool = text_dup(processes_pool_name(self->processes, thread));
	who.process = text_dup(processes_process_name(self->processes, thread));
	who.thread = thread_label(&row);
	if (asked != WHO_LESS)
		find_functions(self, &of_stacks,
			       asked == WHO_ELSE ? stack_excess(&of_stacks)
						 : g_array_index(self->pools, Part, pool).excess,
			       &who);
	return who;
}

void who_clear(Who *self)
{
	g_clear_pointer(&self->pool, g_free);
	g_clear_pointer(&self->process, g_free);
	g_clear_pointer(&self->thread, g_free);
	g_clear_pointer(&self->function, g_free);
	g_clear_pointer(&self->leaf, g_free);
}
