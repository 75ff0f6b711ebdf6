/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

#include "slice/call-tree.h"
#include "store/store.h"

/*
 * Call trees typed as folded stacks, for tests of what draws them.
 */
typedef struct {
	Store *store;
	CallTree tree;
} TreeFixture;

/*
 * `lines`: `frame;frame;… weight`, one a line, in any order; a frame may end in its DSO,
 * ` (/usr/bin/x)`, ` ([kernel.kallsyms])`, ` (/tmp/perf-1.map)`, which tells its class. Bytes other
 * than `;` and newline may stand in names as they are. The line ` 3` (no frame) is the root's self.
 */
void tree_fixture_init(TreeFixture *self, const char *lines);
void tree_fixture_clear(TreeFixture *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(TreeFixture, tree_fixture_clear)

/* A chain of `n` frames under the root, all called `frame`; the last has weight 1, every
 * `self_step`-th another 1 (0: none). */
void tree_fixture_init_chain(TreeFixture *self, uint32_t n, uint32_t self_step);
