/* SPDX-License-Identifier: MIT */
#pragma once

#include "store/notes.h"

/* Standard error, one line each; names and bytes from inputs can be part of any message. */

/* `flamebeat: KIND MESSAGE`; `kind` is "" for an error. */
void print_line(const char *kind, const char *message);

void print_notes(const Notes *notes);
