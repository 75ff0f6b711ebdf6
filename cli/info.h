/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdio.h>

#include "cli/recording.h"

/* The two forms of `flamebeat info`; false where the store turns out to be damaged. `counts` are
 * those of a filtered selection, NULL where everything counts. */
bool info_print_json(FILE *out, const Recording *recording, const SelectionCounts *counts,
		     GError **error);
bool info_print_text(FILE *out, const Recording *recording, const SelectionCounts *counts,
		     GError **error);
