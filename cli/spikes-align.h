/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include <stdbool.h>

#include "cli/output-options.h"
#include "cli/recording.h"
#include "cli/table.h"
#include "heatmap/onsets.h"

/* `spikes --align`: what runs from 500 ms before to 500 ms after the spikes begin. */

/* What it is printed as: a table, or a picture. */
typedef struct {
	TableForm form;
	bool is_png;
} AlignForm;

/* By --json and --csv as in `form`, --format, or the ending of the output's name. */
bool align_form_choose(AlignForm *self, TableForm form, const OutputSettings *output,
		       GError **error);

/* Finds and prints it. */
bool spikes_align(const Recording *recording, const Spikes *spikes, NamesKind names,
		  const Caption *caption, const AlignForm *form, FILE *out, GError **error);
