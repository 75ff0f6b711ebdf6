/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdint.h>

/*
 * Every limit on what an input may ask of us, in one place, each with its reason. Passing one of
 * them is reported by name; those marked (exit 5) end the command, the others cost what exceeds
 * them and are counted.
 */

/* A longer line is no line of perf's: its rest is skipped, and that is counted. */
#define MAX_LINE_BYTES (1u << 20)

/* What packed input may unpack to: recordings shrink to a twentieth or fortieth of their size, and
 * the first part is free since a small file may be one line over and over (exit 5). */
#define UNPACK_FREE_BYTES (1ull << 30)
#define MAX_UNPACK_RATIO  1000u

/* What comes through a pipe, or packed, and must be a file: it takes room on somebody's disk
 * (exit 5). */
#define MAX_SPOOL_BYTES (64ull << 30)

/* Frames kept of one stack unless --max-frames says otherwise; the rest, towards the root, is one
 * frame `[truncated]`. perf's own default limit is 127. */
#define DEFAULT_MAX_FRAMES 8192u
#define MAX_MAX_FRAMES	   (1u << 20)

/* Times beyond are no times: within, no difference of two overflows, and a second more can be
 * added. */
#define MAX_TIME_NS 9100000000000000000ll
#define MIN_TIME_NS (-100000000000000000ll)

/* Ids are 32 bits wide and 0xffffffff is "none" (exit 5). */
#define MAX_SAMPLES   0xfffffff0u
#define MAX_TABLE_IDS 0xfffffff0u

/* More than perf can be asked for; each is looked at once for each output (exit 5). */
#define MAX_EVENTS 4096u

/* All distinct names together (exit 5). */
#define MAX_STRING_BYTES (1ull << 31)

/* Cells of one heat map: a day at 1 s columns and 200 rows is 17 million (exit 5). */
#define MAX_HEATMAP_CELLS (32ull << 20)

/* Nodes of one call tree; every thread as a group of its own can make many (exit 5). */
#define MAX_TREE_NODES (1u << 25)

/* Frames of all distinct stacks, each counted in full, that are merged from the leaf: as many as a
 * text of 20 GB holds. In a store made with ill intent they can be the square of its size (exit 5).
 */
#define MAX_REVERSED_FRAMES (UINT64_C(1) << 28)

/* Pixels along one side, and in all, of one picture (exit 5). libpng's own limit for one side
 * is 2^31 - 1. */
#define MAX_PICTURE_SIDE   (4u << 20)
#define MAX_PICTURE_PIXELS (1ull << 31)

/* Columns that an automatic column length aims at, at most. */
#define MAX_AUTO_COLUMNS 1800
