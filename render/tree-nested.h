/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdio.h>

#include "slice/call-tree.h"

/* Writes what stands before the children of `node`, from `{` to `:[`. */
typedef void (*TreeOpenFunc)(FILE *out, const CallTree *tree, uint32_t node, const void *context);

/* Writes the tree as nested JSON objects, each ending in the array of its children, and a newline.
 * However deep the tree, no recursion takes part. */
void tree_write_nested(FILE *out, const CallTree *tree, TreeOpenFunc open, const void *context);
