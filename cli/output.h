/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdio.h>

#include "cli/command.h"

/*
 * Where a command's result goes: standard output, a device or pipe, or a file that appears whole
 * or not at all (a file without a name, fsync, link, rename, fsync of the folder).
 */
typedef struct Output Output;

/* `path` NULL or "-": standard output. Where `host` has a sink it is that, whatever the path. */
Output *output_open(const char *path, const Host *host, GError **error);

/* Drops what was not committed. */
void output_free(Output *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Output, output_free)

/* Buffered; errors are found by output_commit(). */
FILE *output_stream(Output *self);

bool output_commit(Output *self, GError **error);

/* Whether `path` (as for output_open) is a terminal. */
bool output_is_terminal(const char *path);
