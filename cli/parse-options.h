/* SPDX-License-Identifier: MIT */
#pragma once

#include "cli/command.h"

/*
 * Fills `settings` from `argv` (the words after the command's name, NULL-terminated) by the
 * command's tables. What is left are the inputs: `*inputs` is g_strfreev()'d by the caller.
 * `*wants_help`: --help was among them, and nothing else matters.
 */
bool parse_options(const Command *command, char *const *argv, void *settings, char ***inputs,
		   bool *wants_help, GError **error);

/* The words of `argv` that are neither inputs nor say where output goes, quoted for a shell. */
char *options_as_words(char *const *argv, char *const *inputs);
