/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

#include "store/builder.h"
#include "store/query.h"
#include "store/selection.h"
#include "store/store.h"

/*
 * Small recordings typed as text, one sample a line, `-` for what is not known:
 *
 *     TIME COMM PID/TID CPU EVENT PERIOD [frame;frame;leaf]
 *     12.5 GC+Thread 7/8 3 cycles 100 main;work (/bin/x);memcpy (/lib/libc.so)
 *     -    swapper -/0 0 cycles -
 *
 * TIME is seconds (up to 9 decimals), `+` stands for a blank in COMM and EVENT, `/` before the tid
 * is always there. A frame may end in its DSO, ` (/usr/bin/x)`, or in ` (inlined)`; `@1f (x.so)`
 * is a frame without symbol at address 0x1f. Lines without any text are skipped.
 */
Store *store_fixture_new(const char *lines);

/* The same into a builder that takes more. */
void store_fixture_add(StoreBuilder *builder, const char *lines);

/* A stack typed as above; 0 for the empty text. */
uint32_t store_fixture_stack(StoreBuilder *builder, const char *folded);

/* The store of what was added; the builder is freed. */
Store *store_fixture_finish(StoreBuilder *builder);

/* The symbols of a stack, `root;…;leaf`, `@` for those without; g_free() it. */
char *store_fixture_folded(const Store *store, uint32_t stack);

/* Fills an initialised query from `name=value` words separated by single blanks, read as the
 * command line would: "idle=keep range=1..2 range=4..5". */
void query_fixture(Query *query, const char *words);

/* The same of words that may make no sense. */
bool query_fixture_try(Query *query, const char *words, GError **error);

/* The selection that such words make; they must make sense. `notes` may be NULL. */
Selection *selection_fixture(const Store *store, const char *words, Notes *notes);

/* Walks all of `selection`; `each` (may be NULL) is called with every block. It must not fail. */
SelectionCounts selection_fixture_walk(Selection *selection,
				       void (*each)(const SampleBlock *block, void *context),
				       void *context);

/* What a selection of these words counts. */
SelectionCounts counts_fixture(const Store *store, const char *words);

/* Whether one of the notes contains `part`. */
bool notes_fixture_has(const Notes *notes, const char *part);
