/* SPDX-License-Identifier: MIT */
#pragma once

#include "cli/command.h"

/* `flamebeat --help`: `commands` ends with NULL. Printed to standard output. */
void help_print_program(const Command *const *commands);

/* `flamebeat COMMAND --help`. */
void help_print_command(const Command *command);
