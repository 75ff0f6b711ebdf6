/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#include "slice/call-tree.h"
#include "store/selection.h"

/*
 * How periodic a node of a call tree is: whether its samples, and those of all below it, keep to
 * one phase of a period. Each cycle in which it runs counts once, by the mean direction of its
 * samples on the circle of phases, so that one long burst is no beat; the directions of all cycles
 * are then tested as by Rayleigh: Z = |sum of directions|^2 / sum of their squared lengths is
 * exponential where cycles have nothing to do with each other.
 */
typedef struct {
	double strength; /* length of the mean direction, 0 (anywhere) to 1 (always in phase) */
	double phase;	 /* of the mean direction, 0 to 1 of the period, from zero */
	double p; /* of this Z or more by chance, times the number of nodes tried; at most 1 */
	uint32_t n_cycles; /* in which it runs */
	bool is_clear;	   /* p is small enough to be believed */
} NodeBeat;

#define NODE_BEAT_LEVEL 0.01

/* By node of `tree`, which is of `selection` and has node_of_stack; g_free() them. NULL where the
 * store turns out to be damaged. */
NodeBeat *node_beats_new(const CallTree *tree, Selection *selection, int64_t period_ns,
			 GError **error);
