/* SPDX-License-Identifier: MIT */
#pragma once

#include "cli/command.h"
#include "cli/recording.h"
#include "parse/load.h"
#include "slice/diff.h"
#include "store/query.h"

/* What `diff` compares, in the user's words. */
typedef struct {
	GPtrArray *bases;      /* --base: paths; NULL: the same recording */
	GPtrArray *base_range; /* --base-range; NULL: none */
	bool is_rest;	       /* --rest */
	bool is_spikes;	       /* --spikes: those that are found, against the rest */
} DiffChoice;

/* The recordings and selections of both sides. */
typedef struct {
	Recording new_side;
	GPtrArray *stores; /* of the bases that are recordings of their own */
	DiffRun *bases;	   /* selections are owned */
	size_t n_bases;
	bool is_spikes;
	size_t n_spikes;
	char **base_inputs; /* names of the bases; NULL-terminated, owned */
	Query base_query;   /* what pictures say of the base; borrows */
	char *base_phase;   /* the other part of every period; NULL: --rest of no phase */
} DiffSides;

/* Opens what `choice` names; fails where it names no base. */
bool diff_sides_open(DiffSides *self, const Invocation *invocation, const LoadSettings *load,
		     const Query *query, const DiffChoice *choice, GError **error);
void diff_sides_clear(DiffSides *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(DiffSides, diff_sides_clear)

/* Notes where a side holds no sample, or the sides count different events. */
void diff_sides_note(const DiffSides *self, const Diff *diff, Notes *notes);

/* What is said of a side in a picture: recording, range, event, samples; g_free it. */
char *diff_sides_describe(const DiffSides *self, const Invocation *invocation, const Diff *diff,
			  DiffSide side);

/* "new.perf and old.perf", or the one recording; g_free it. */
char *diff_sides_title(const DiffSides *self, const Invocation *invocation);
