/* SPDX-License-Identifier: MIT */
#pragma once

#include "serve/api.h"

/* The program's commands for the server: a query's keys are the names of options, its values
 * theirs, so that the same query gives the same bytes. */
extern const CommandRunner serve_runner;
