/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include <stdbool.h>

#include "store/text.h"

/*
 * A symbol as people read it: the conventions of FlameGraph's stackcollapse-perf.pl, less what it
 * loses or splits wrongly (shared reference formats.md, 1.9 and 2).
 *
 *   - C++ argument lists go: `f(int) const` is `f`; not `(anonymous namespace)`, not `operator()`,
 *     not Go's `(*T)`, not in the middle of a name
 *   - Rust's symbols are demangled where perf did not (rust-v0.h)
 *   - Rust's legacy hash `::h0123456789abcdef` goes, and what a C++ demangler left of such a
 *     symbol is read: `_$LT$T$GT$::f` is `<T>::f`
 *   - in JIT frames everything from the first `(` on goes, unless the text is V8's or one of
 *     HotSpot's stub names
 *   - `Ljava/lang/X;::m` is `java/lang/X:::m`: `;` separates frames in folded stacks
 */

/* Writes the tidy name into `name`, which is emptied first. */
void tidy_symbol(Text symbol, bool is_jit, GString *name);

/* Where JIT symbol `symbol` has its next `->` (inlining: what follows is inlined in what is
 * before), or -1. */
ptrdiff_t tidy_find_inlined(Text symbol);
