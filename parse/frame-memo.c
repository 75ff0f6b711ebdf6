/* SPDX-License-Identifier: MIT */
/* A string table and an array side by side; string 0, the empty line, stands for nothing. */

#include "parse/frame-memo.h"

#define MEMO_BYTES (64u << 20)

static bool begin(FrameMemo *self)
{
	self->last = 0;
	return string_table_init(&self->lines) && array_push(&self->frames, ((RecordFrame){ 0 })) &&
	       array_push(&self->following, 0);
}

bool frame_memo_init(FrameMemo *self, StoreBuilder *builder)
{
	*self = (FrameMemo){ .builder = builder };
	return begin(self);
}

void frame_memo_clear(FrameMemo *self)
{
	string_table_clear(&self->lines);
	array_clear(&self->frames);
	array_clear(&self->following);
}

static bool forget(FrameMemo *self)
{
	string_table_clear(&self->lines);
	self->frames.n = self->following.n = 0;
	return begin(self);
}

const RecordFrame *frame_memo_recall(FrameMemo *self, Text line)
{
	uint32_t id = self->following.data[self->last];

	if (id == 0 || !text_equal(string_table_get(&self->lines, id), line)) {
		id = string_table_find(&self->lines, line);
		if (id == ROW_NONE || id == 0)
			return NULL;
		self->following.data[self->last] = id;
	}
	self->last = id;
	return &self->frames.data[id];
}

RecordFrame frame_memo_intern(FrameMemo *self, const FrameLine *parsed)
{
	StoreFrame frame = { .symbol = parsed->symbol,
			     .dso = parsed->dso,
			     .address = parsed->ip,
			     .flags = parsed->is_inlined ? FRAME_INLINED : 0 };

	return (RecordFrame){ store_builder_frame(self->builder, &frame), parsed->is_inlined,
			      parsed->ip };
}

RecordFrame frame_memo_learn(FrameMemo *self, Text line, const FrameLine *parsed)
{
	RecordFrame learned = frame_memo_intern(self, parsed);
	uint32_t id;

	if (self->lines.bytes.n > MEMO_BYTES && !forget(self))
		g_error("out of memory");
	id = string_table_add(&self->lines, line);
	if (id != ROW_NONE && id == self->frames.n &&
	    (!array_push(&self->frames, learned) || !array_push(&self->following, 0)))
		g_error("out of memory");
	self->last = id != ROW_NONE ? id : 0;
	return learned;
}
