/* SPDX-License-Identifier: MIT */
#pragma once

#include "parse/input.h"

/*
 * Puts what is left of `input` into a file without a name, in the folder for temporary files, so
 * that what comes through a pipe or packed can be mapped, or opened by another program. Returns its
 * descriptor, which is the caller's; -1 with `error`, past MAX_SPOOL_BYTES too.
 */
int spool_input(Input *input, GError **error);

/* The path under which `fd` can be opened, by our children too; g_free it. */
char *spool_path(int fd);
