/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#include "store/store.h"

/* What a frame's code is, told by its DSO; the order is the order of preference where frames of
 * one name differ. */
typedef enum {
	FRAME_CLASS_KERNEL,
	FRAME_CLASS_JIT,
	FRAME_CLASS_INLINED,
	FRAME_CLASS_USER,
	FRAME_CLASS_UNKNOWN,
	FRAME_CLASS_NONE, /* not a frame: a group, the root */
	N_FRAME_CLASSES,
} FrameClass;

/* "kernel", "jit", "inlined", "user", "" (unknown, none). */
const char *frame_class_name(FrameClass class);

FrameClass frame_class(const StoreFrame *frame);

typedef enum {
	NAMES_TIDY, /* as stackcollapse-perf.pl writes them, less its mistakes */
	NAMES_RAW,  /* as perf printed them */
	NAMES_ADDR, /* tidy, but frames without a symbol as `lib.so+0xOFFSET` where known */
} NamesKind;

/* One displayed frame. */
typedef struct {
	Text name; /* never empty */
	Text dso;
	FrameClass class;
} DisplayFrame;

/*
 * Displayed names of a store's frames, made when first asked for. One frame of perf's can be
 * several displayed ones (`a->b` in a JIT map: b inlined in a), outermost first.
 * Equal displays have equal ids. Not for use by several threads at once.
 */
typedef struct FrameNames FrameNames;

/* Bits of `flags`. */
#define FRAME_NAMES_BY_CLASS  1u  /* equal names of different classes are different displays */
#define FRAME_NAMES_BY_DSO    2u  /* equal names of different DSOs are different displays */
#define FRAME_ANNOTATE_KERNEL 4u  /* append _[k] */
#define FRAME_ANNOTATE_JIT    8u  /* append _[j] */
#define FRAME_ANNOTATE_INLINE 16u /* append _[i] */
#define FRAME_NAMES_BY_LINE   32u /* append the source line where it is known: "main (a.c:12)" */

FrameNames *frame_names_new(const Store *store, NamesKind kind, uint32_t flags);
void frame_names_free(FrameNames *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(FrameNames, frame_names_free)

/* Display ids of store frame `frame_id`, outermost first, at least one; valid until the next call.
 */
const uint32_t *frame_names_ids(FrameNames *self, uint32_t frame_id, uint32_t *n);

/* The display of a label that is no frame of the store's (a group, the root, `[truncated]`). */
uint32_t frame_names_label(FrameNames *self, Text name);

uint32_t frame_names_count(const FrameNames *self);

/* Texts live as long as `self`. */
DisplayFrame frame_names_get(const FrameNames *self, uint32_t display_id);
