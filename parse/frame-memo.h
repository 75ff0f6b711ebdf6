/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "parse/frame-line.h"
#include "store/array.h"
#include "store/builder.h"
#include "store/string-table.h"

/* A frame of a record. */
typedef struct {
	uint32_t id; /* in the builder; of an inlined frame, without its DSO */
	bool is_inlined;
	uint64_t ip;
} RecordFrame;

/*
 * Frame lines by their text: most lines of a recording are frames and few of them are distinct, so
 * each distinct line is parsed once. Forgotten all at once when the texts exceed a limit.
 */
typedef struct {
	StoreBuilder *builder;
	StringTable lines;
	ARRAY_OF(RecordFrame) frames; /* what each line stands for */
	ARRAY_OF(uint32_t) following; /* the line that came after each last time */
	uint32_t last;		      /* line; 0: none */
} FrameMemo;

/* False when out of memory. */
bool frame_memo_init(FrameMemo *self, StoreBuilder *builder);
void frame_memo_clear(FrameMemo *self);

/* What `line` stands for, NULL if it is not remembered; valid until the next frame_memo_learn().
 * Where the line before is followed by what followed it last time, nothing is looked up. */
const RecordFrame *frame_memo_recall(FrameMemo *self, Text line);

/* The frame of a line that was parsed; remembers it. */
RecordFrame frame_memo_learn(FrameMemo *self, Text line, const FrameLine *parsed);

/* The frame alone. */
RecordFrame frame_memo_intern(FrameMemo *self, const FrameLine *parsed);
