/* SPDX-License-Identifier: MIT */
#pragma once

#include "render/tree-overlay.h"
#include "slice/call-tree.h"
#include "slice/node-beat.h"

/* A flame graph whose frames are the redder the more they keep to one phase of a period, and grey
 * where chance may have made it. */
typedef struct {
	const CallTree *tree;
	const NodeBeat *beats; /* by node */
	const char *unit;      /* of weights */
	TreeOverlay overlay;
} BeatInk;

void beat_ink_init(BeatInk *self, const CallTree *tree, const NodeBeat *beats, const char *unit);

/* As JSON members of a node: `,"beat":{"strength","phase","p","cycles","clear"}`. */
void beat_write_json(FILE *out, const NodeBeat *beat);
