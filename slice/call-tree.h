/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#include "slice/tree-rules.h"
#include "store/frame-name.h"
#include "store/notes.h"
#include "store/selection.h"
#include "store/store.h"

/* The first frame of every stack. */
typedef enum {
	GROUP_BY_COMM, /* blanks as `_` */
	GROUP_BY_PID,  /* comm-PID */
	GROUP_BY_TID,  /* comm-PID/TID */
	GROUP_BY_PROCESS,
	GROUP_BY_POOL,
	GROUP_BY_CPU,
	GROUP_BY_CGROUP,
	GROUP_BY_NONE,
} GroupBy;

typedef struct {
	GroupBy group_by;
	NamesKind names;
	uint32_t name_flags; /* FRAME_ANNOTATE_*, FRAME_NAMES_BY_CLASS */
	bool is_reversed;    /* merge from the leaf */
	TreeRules rules;     /* which frames; borrowed */
	bool is_chart;	     /* time on the x axis: see chart.h */
	bool has_group_by;   /* the user chose group_by */
	bool keep_stacks;    /* fill CallTree.node_of_stack; with GROUP_BY_NONE */
} CallTreeSettings;

/* A node of the merged stacks; its children follow it (pre-order) up to `next`. */
typedef struct {
	uint32_t display; /* id in CallTree.names */
	uint32_t parent;  /* index; the root is its own */
	uint32_t depth;	  /* 0 for the root */
	uint32_t next;	  /* index just past the subtree */
	uint64_t self;	  /* weight of the samples that end here */
	uint64_t total;	  /* with all descendants */
} CallNode;

/*
 * Stacks of a selection merged by their displayed names. Pre-order, children sorted bytewise by
 * name; node 0 is the root (displayed `root`), total(root) is the weight of the selection. Walk
 * it with plain loops: it can be a million nodes deep.
 */
typedef struct {
	CallNode *nodes;
	uint32_t n_nodes;
	uint32_t max_depth; /* largest depth of a node */
	FrameNames *names;
	uint32_t *node_of_stack; /* by stack of the store: where its samples end; ROW_NONE: it has
				    none. NULL unless keep_stacks was set */
	SelectionCounts counts;

	/* A flame chart (chart.h) has its nodes in order of time. */
	uint64_t *begins; /* by node: where it begins, in µs; NULL: next to its sibling */
	int64_t begin_ns; /* what `begins` count from, on the recording's clock */
} CallTree;

CallTree *call_tree_new(const Store *store, Selection *selection, const CallTreeSettings *settings,
			GError **error);
void call_tree_free(CallTree *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(CallTree, call_tree_free)

/* Whether a node is a lane of a flame chart. */
static inline bool call_tree_is_lane(const CallTree *self, uint32_t node)
{
	return self->begins != NULL && node != 0 && self->nodes[node].parent == 0;
}

static inline DisplayFrame call_tree_frame(const CallTree *self, uint32_t node)
{
	return frame_names_get(self->names, self->nodes[node].display);
}
