/* SPDX-License-Identifier: MIT */
/*
 * One pass in order of time. A node keeps the sum of the cycle that it is in and adds it to its
 * total when its next sample is of another cycle; a sample counts for all nodes up to the root.
 */

#include "slice/node-beat.h"

#include <math.h>

#define MIN_CYCLES 5 /* fewer say nothing */

/* Sums of directions; those of the cycle at hand are not in the others yet. */
typedef struct {
	int64_t cycle;
	double cycle_x, cycle_y;
	uint32_t n_in_cycle;
	double x, y;
	double squares; /* of the lengths of cycles' mean directions */
	uint32_t n_cycles;
} Circle;

static void end_cycle(Circle *self)
{
	if (self->n_in_cycle == 0)
		return;
	double x = self->cycle_x / self->n_in_cycle, y = self->cycle_y / self->n_in_cycle;
	self->x += x;
	self->y += y;
	self->squares += x * x + y * y;
	self->n_cycles++;
	self->cycle_x = self->cycle_y = 0;
	self->n_in_cycle = 0;
}

static void add_direction(Circle *self, int64_t cycle, double x, double y)
{
	if (cycle != self->cycle)
		end_cycle(self);
	self->cycle = cycle;
	self->cycle_x += x;
	self->cycle_y += y;
	self->n_in_cycle++;
}

/* Adds one sample to the node that it ends in and to all above. */
static void add_sample(Circle *circles, const CallTree *tree, uint32_t node, int64_t since_ns,
		       int64_t period_ns)
{
	int64_t within = since_ns % period_ns;
	within += within < 0 ? period_ns : 0;
	int64_t cycle = (since_ns - within) / period_ns;
	double angle = 2 * G_PI * (double)within / (double)period_ns;
	double x = cos(angle), y = sin(angle);
	for (;; node = tree->nodes[node].parent) {
		add_direction(&circles[node], cycle, x, y);
		if (node == 0)
			return;
	}
}

static bool add_samples(Circle *circles, const CallTree *tree, Selection *selection,
			int64_t period_ns, GError **error)
{
	g_autofree SampleBlock *block = g_new(SampleBlock, 1);
	int64_t zero_ns = selection_zero_ns(selection);
	selection_rewind(selection);
	do {
		if (!selection_next(selection, block, error))
			return false;
		for (size_t i = 0; i < block->n; i++) {
			uint32_t node = tree->node_of_stack[block->stack[i]];
			if (block->time_ns[i] != TIME_NONE && node != ROW_NONE)
				add_sample(circles, tree, node, block->time_ns[i] - zero_ns,
					   period_ns);
		}
	} while (block->n > 0);
	return true;
}

static NodeBeat judge(Circle *circle, uint32_t n_nodes)
{
	end_cycle(circle);
	double length = hypot(circle->x, circle->y);
	double turn = atan2(circle->y, circle->x) / (2 * G_PI);
	double z = circle->squares > 0 ? length * length / circle->squares : 0;
	NodeBeat beat = { .strength = circle->n_cycles > 0 ? length / circle->n_cycles : 0,
			  .phase = turn < 0 ? turn + 1 : turn,
			  .p = MIN(exp(-z) * n_nodes, 1),
			  .n_cycles = circle->n_cycles };
	beat.is_clear = beat.n_cycles >= MIN_CYCLES && beat.p <= NODE_BEAT_LEVEL;
	return beat;
}

NodeBeat *node_beats_new(const CallTree *tree, Selection *selection, int64_t period_ns,
			 GError **error)
{
	g_autofree Circle *circles = g_new0(Circle, tree->n_nodes);
	if (!add_samples(circles, tree, selection, period_ns, error))
		return NULL;
	NodeBeat *beats = g_new(NodeBeat, tree->n_nodes);
	for (uint32_t i = 0; i < tree->n_nodes; i++)
		beats[i] = judge(&circles[i], tree->n_nodes);
	return beats;
}
