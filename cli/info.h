/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdio.h>

#include "cli/recording.h"

/* The two forms of `flamebeat info`. `counts` are those of a filtered selection, NULL where
 * everything counts. */
void info_print_json(FILE *out, const Recording *recording, const SelectionCounts *counts);
void info_print_text(FILE *out, const Recording *recording, const SelectionCounts *counts);
