/* SPDX-License-Identifier: MIT */
/*
 * A recording of any size for the benchmark: CPUs at work and idle, sampled at a frequency.
 *
 *     generate [OPTIONS] store FILE     through the store's builder, as an ingest makes it
 *     generate [OPTIONS] text           as perf script prints it, to standard output
 *
 *     --samples N    (1000000)     --cpus N     (4)       --hz N      (99)
 *     --stacks N     (100000)      --depth N    (24)      --threads N (2000)
 *     --ns           times of nanoseconds, not of whole microseconds
 *     --periods      a period for each sample, not one for all
 *
 * The same options give the same recording. Stacks form a tree: each new one leaves an earlier one
 * somewhere near its leaf, as those of programs do, and belongs to one of 40 programs. How often
 * each is sampled falls off as 1/rank.
 */

#include <glib.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "store/builder.h"
#include "store/store-file.h"

static gint64 n_samples = 1000000, n_cpus = 4, hz = 99, n_stacks = 100000, depth = 24;
static gint64 n_threads = 2000;
static gboolean has_ns, has_periods;

#define FIRST_NS   (1000 * NS_PER_SECOND)
#define N_SYMBOLS  20000
#define N_PROGRAMS 40
#define IDLE_PART  0.6
#define MAX_DEPTH  1024

static const GOptionEntry options[] = {
	{ "samples", 0, 0, G_OPTION_ARG_INT64, &n_samples, "samples", "N" },
	{ "cpus", 0, 0, G_OPTION_ARG_INT64, &n_cpus, "CPUs", "N" },
	{ "hz", 0, 0, G_OPTION_ARG_INT64, &hz, "samples a second on each CPU", "N" },
	{ "stacks", 0, 0, G_OPTION_ARG_INT64, &n_stacks, "distinct stacks", "N" },
	{ "depth", 0, 0, G_OPTION_ARG_INT64, &depth, "frames of a stack, on average", "N" },
	{ "threads", 0, 0, G_OPTION_ARG_INT64, &n_threads, "threads", "N" },
	{ "ns", 0, 0, G_OPTION_ARG_NONE, &has_ns, "times of nanoseconds", NULL },
	{ "periods", 0, 0, G_OPTION_ARG_NONE, &has_periods, "varying periods", NULL },
	G_OPTION_ENTRY_NULL,
};

/* splitmix64 (Steele, Lea, Flood 2014): fast, and the same everywhere. */
static uint64_t random_next(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15ull;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
	return z ^ (z >> 31);
}

static double random_unit(uint64_t *state)
{
	return (double)(random_next(state) >> 11) / (double)(1ull << 53);
}

/* --- what runs --------------------------------------------------------------------------- */

/* A stack is a node of a tree: its frame, and the node it stands on. Node 0 is the root. */
typedef struct {
	uint32_t parent, symbol, depth, program;
} Node;

static GArray *grow_tree(uint64_t *random)
{
	GArray *nodes = g_array_new(FALSE, TRUE, sizeof(Node));
	Node root = { 0 };

	g_array_append_val(nodes, root);
	while (nodes->len < (guint)n_stacks) {
		uint32_t at = (uint32_t)(random_next(random) % nodes->len);
		Node *base = &g_array_index(nodes, Node, at);
		int64_t n_more = (int64_t)(random_next(random) % (uint64_t)(2 * depth));

		/* Many begin anew, so that depths do not grow without end. */
		if (base->depth > (uint32_t)depth || random_unit(random) < 0.05)
			at = 0;
		for (; n_more >= 0 && nodes->len < (guint)n_stacks; n_more--) {
			uint64_t draw = random_next(random);
			const Node *on = &g_array_index(nodes, Node, at);
			Node node = { at, (uint32_t)(draw % N_SYMBOLS), on->depth + 1,
				      at != 0 ? on->program : (uint32_t)(draw >> 32) % N_PROGRAMS };

			if (node.depth >= MAX_DEPTH)
				break;
			at = nodes->len;
			g_array_append_val(nodes, node);
		}
	}
	return nodes;
}

/* One sample of the recording; `node` 0: the CPU is idle. */
typedef struct {
	int64_t time_ns;
	uint32_t node, thread, cpu;
	uint64_t period;
} Event;

/* Ranks are drawn with a probability of 1/rank. */
static uint64_t draw_rank(uint64_t *random, uint64_t n)
{
	return MIN((uint64_t)exp(random_unit(random) * log((double)n)), n - 1);
}

static Event draw(uint64_t i, const GArray *nodes, uint64_t *random)
{
	uint64_t tick = i / (uint64_t)n_cpus;
	int64_t gap_ns = NS_PER_SECOND / hz;
	int64_t slot_ns = gap_ns / n_cpus;
	uint64_t cpu = i % (uint64_t)n_cpus;
	int64_t jitter_ns = (int64_t)(random_next(random) % (uint64_t)MAX(slot_ns, 1));
	Event event = { .cpu = (uint32_t)cpu, .period = 1010101 };

	event.time_ns = FIRST_NS + (int64_t)tick * gap_ns + (int64_t)cpu * slot_ns + jitter_ns;
	if (!has_ns)
		event.time_ns -= event.time_ns % 1000;
	if (has_periods)
		event.period = random_next(random) >> 40;
	if (random_unit(random) >= IDLE_PART) {
		uint64_t rank = draw_rank(random, (uint64_t)MAX(n_threads / N_PROGRAMS, 1));

		/* A prime step spreads the ranks over the tree. */
		event.node =
			1 + (uint32_t)(draw_rank(random, nodes->len - 1) * 7919 % (nodes->len - 1));
		event.thread = 1 + g_array_index(nodes, Node, event.node).program +
			       N_PROGRAMS * (uint32_t)rank;
	}
	return event;
}

static void name_symbol(uint32_t symbol, char name[64])
{
	g_snprintf(name, 64, "namespace_%u::function_number_%u", symbol % 100, symbol);
}

static void name_thread(uint32_t thread, char name[16])
{
	g_snprintf(name, 16, thread == 0 ? "swapper" : "program-%u", (thread - 1) % N_PROGRAMS);
}

/* --- through the builder ----------------------------------------------------------------- */

static uint32_t *intern_stacks(StoreBuilder *builder, const GArray *nodes)
{
	uint32_t *stacks = g_new0(uint32_t, nodes->len);
	const StoreFrame idle = { TEXT("native_halt"), TEXT("[kernel.kallsyms]"), 0, 0, TEXT("") };
	char name[64];

	for (guint i = 1; i < nodes->len; i++) {
		const Node *node = &g_array_index(nodes, Node, i);
		StoreFrame frame = { .dso = TEXT("/usr/bin/program") };

		name_symbol(node->symbol, name);
		frame.symbol = text_from(name);
		stacks[i] = store_builder_stack(builder, stacks[node->parent],
						store_builder_frame(builder, &frame));
	}
	stacks[0] = store_builder_stack(builder, 0, store_builder_frame(builder, &idle));
	return stacks;
}

static uint32_t intern_thread(StoreBuilder *builder, uint32_t number)
{
	char name[16];
	StoreThread thread = { .pid = (int32_t)number, .tid = (int32_t)number };

	name_thread(number, name);
	thread.comm = text_from(name);
	return store_builder_thread(builder, &thread);
}

static void add_samples(StoreBuilder *builder, const GArray *nodes, uint64_t *random)
{
	g_autofree uint32_t *stacks = intern_stacks(builder, nodes);
	uint32_t n = N_PROGRAMS * (1 + (uint32_t)n_threads / N_PROGRAMS) + 1;
	g_autofree uint32_t *threads = g_new(uint32_t, n);
	uint32_t event_id = store_builder_event(builder, TEXT("cpu-clock"));

	for (uint32_t i = 0; i < n; i++)
		threads[i] = intern_thread(builder, i);
	for (uint64_t i = 0; i < (uint64_t)n_samples; i++) {
		Event event = draw(i, nodes, random);
		Sample sample = { .time_ns = event.time_ns,
				  .period = event.period,
				  .has_period = true,
				  .stack = stacks[event.node],
				  .thread = threads[event.thread],
				  .event = event_id,
				  .cpu = (int32_t)event.cpu };

		store_builder_add(builder, &sample);
	}
}

static bool write_store(const char *path, const GArray *nodes, uint64_t *random, GError **error)
{
	g_autoptr(StoreBuilder) builder = store_builder_new();
	g_autoptr(Store) store = NULL;
	FILE *file = fopen(path, "wb");
	bool ok;

	if (file == NULL)
		g_error("%s: cannot write", path);
	add_samples(builder, nodes, random);
	store = store_builder_finish(builder, error);
	ok = store != NULL && store_write(store, file, error);
	return fclose(file) == 0 && ok;
}

/* --- as text ----------------------------------------------------------------------------- */

static void print_stack(const GArray *nodes, uint32_t node)
{
	char name[64];

	if (node == 0)
		puts("\tffffffff81e8a4ab native_halt+0xb ([kernel.kallsyms])");
	for (; node != 0; node = g_array_index(nodes, Node, node).parent) {
		uint32_t symbol = g_array_index(nodes, Node, node).symbol;

		name_symbol(symbol, name);
		printf("\t    %12x %s+0x%x (/usr/bin/program)\n",
		       0x400000 + symbol * 256 + node % 64, name, node % 64);
	}
	putchar('\n');
}

static void print_text(const GArray *nodes, uint64_t *random)
{
	char name[16];

	for (uint64_t i = 0; i < (uint64_t)n_samples && !ferror(stdout); i++) {
		Event event = draw(i, nodes, random);
		int64_t seconds = event.time_ns / NS_PER_SECOND;
		int64_t rest_ns = event.time_ns % NS_PER_SECOND;

		name_thread(event.thread, name);
		printf("%s %5u/%-5u [%03u] %" G_GINT64_FORMAT ".%0*" G_GINT64_FORMAT
		       ": %10" G_GUINT64_FORMAT " cpu-clock: \n",
		       name, event.thread, event.thread, event.cpu, seconds, has_ns ? 9 : 6,
		       has_ns ? rest_ns : rest_ns / 1000, event.period);
		print_stack(nodes, event.node);
	}
}

int main(int argc, char **argv)
{
	g_autoptr(GOptionContext) context = g_option_context_new("store FILE | text");
	g_autoptr(GError) error = NULL;
	g_autoptr(GArray) nodes = NULL;
	uint64_t random = 1;
	bool is_text;

	g_option_context_add_main_entries(context, options, NULL);
	if (!g_option_context_parse(context, &argc, &argv, &error) || argc < 2 || n_samples < 1 ||
	    n_stacks < 3 || depth < 1 || n_threads < 2 || n_cpus < 1 || hz < 1) {
		fprintf(stderr, "generate: %s\n",
			error != NULL ? error->message : "see the head of generate.c");
		return 2;
	}
	nodes = grow_tree(&random);
	is_text = g_str_equal(argv[1], "text");
	if (is_text)
		print_text(nodes, &random);
	else if (argc != 3 || !write_store(argv[2], nodes, &random, &error))
		return 1;
	return 0;
}
