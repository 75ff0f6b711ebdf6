/* SPDX-License-Identifier: MIT */
#pragma once

#include "cli/command.h"

/*
 * Runs `command` for `host` with the words `argv` (options only) on `inputs`: what goes to the
 * host's sink is, byte for byte, what the same words print into a pipe. Safe on any thread.
 */
bool run_hosted(const Command *command, char *const *argv, char **inputs, const Host *host,
		Notes *notes, GError **error);
