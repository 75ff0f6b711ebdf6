/* SPDX-License-Identifier: MIT */
/*
 * Displayed names, made on demand: a name costs its making once per distinct frame that is looked
 * at, never per sample. Frames whose displays are equal share an id, which is what merges them in
 * a call tree.
 */

#include "store/frame-name.h"

#include "store/array.h"
#include "store/dso.h"
#include "store/string-table.h"
#include "store/tidy.h"

typedef struct {
	uint32_t name; /* in `strings` */
	uint32_t dso;
	FrameClass class;
} Display;

/* Which entries of `ids` a store frame is displayed by. */
typedef struct {
	uint32_t first; /* ROW_NONE: not made yet */
	uint32_t n;
} Span;

struct FrameNames {
	const Store *store;
	NamesKind kind;
	uint32_t flags;
	StringTable strings;
	ARRAY_OF(Display) displays;
	IdIndex index;
	uint64_t seed;
	ARRAY_OF(uint32_t) ids;
	Span *spans; /* by store frame */
	GString *scratch;
	Text line; /* of the frame in hand; empty: not known, or not wanted */
};

const char *frame_class_name(FrameClass class)
{
	static const char *const names[N_FRAME_CLASSES] = { "kernel", "jit", "inlined",
							    "user",   "",    "" };
	return names[class];
}

FrameClass frame_class(const StoreFrame *frame)
{
	if (frame->flags & FRAME_INLINED)
		return FRAME_CLASS_INLINED;
	if (dso_is_unknown(frame->dso))
		return FRAME_CLASS_UNKNOWN;
	if (dso_is_jit(frame->dso))
		return FRAME_CLASS_JIT;
	return dso_is_kernel(frame->dso) ? FRAME_CLASS_KERNEL : FRAME_CLASS_USER;
}

FrameNames *frame_names_new(const Store *store, NamesKind kind, uint32_t flags)
{
	FrameNames *self = g_new0(FrameNames, 1);
	gsize n = store_n_frames(store);

	self->store = store;
	self->kind = kind;
	self->flags = flags;
	self->seed = id_index_seed();
	self->scratch = g_string_new(NULL);
	self->spans = g_new(Span, n + 1);
	memset(self->spans, 0xff, (n + 1) * sizeof(*self->spans));
	if (!string_table_init(&self->strings))
		g_error("out of memory for names");
	return self;
}

void frame_names_free(FrameNames *self)
{
	if (self == NULL)
		return;
	string_table_clear(&self->strings);
	array_clear(&self->displays);
	id_index_clear(&self->index);
	array_clear(&self->ids);
	g_free(self->spans);
	g_string_free(self->scratch, TRUE);
	g_free(self);
}

/* --- interning --------------------------------------------------------------------------- */

static bool equals(const void *table, uint32_t id, const void *key)
{
	const FrameNames *self = table;
	const Display *a = &self->displays.data[id], *b = key;

	return a->name == b->name &&
	       (!(self->flags & FRAME_NAMES_BY_CLASS) || a->class == b->class) &&
	       (!(self->flags & FRAME_NAMES_BY_DSO) || a->dso == b->dso);
}

static uint64_t hash_of(const FrameNames *self, const Display *display)
{
	return hash_pair(self->seed, display->name,
			 (uint64_t)(self->flags & FRAME_NAMES_BY_DSO ? display->dso : 0) << 8 |
				 (self->flags & FRAME_NAMES_BY_CLASS ? display->class : 0));
}

/* Where equal names differ in class or DSO and are one display, the choice must not depend on
 * which came first: the lower class, the bytewise smaller DSO. */
static void settle(FrameNames *self, Display *kept, const Display *other)
{
	kept->class = MIN(kept->class, other->class);
	if (kept->dso != other->dso &&
	    text_compare(string_table_get(&self->strings, other->dso),
			 string_table_get(&self->strings, kept->dso)) < 0)
		kept->dso = other->dso;
}

static uint32_t intern(FrameNames *self, Text name, Text dso, FrameClass class)
{
	Display display = { .class = class };
	uint64_t hash;
	IdSlot *slot;

	display.name = string_table_add(&self->strings, name);
	display.dso = string_table_add(&self->strings, dso);
	hash = hash_of(self, &display);
	if (display.name == ROW_NONE || display.dso == ROW_NONE || !id_index_reserve(&self->index))
		g_error("out of memory for names");
	slot = id_index_slot(&self->index, hash, equals, self, &display);
	if (slot->id != ROW_NONE) {
		settle(self, &self->displays.data[slot->id], &display);
		return slot->id;
	}
	if (!array_push(&self->displays, display))
		g_error("out of memory for names");
	id_index_put(&self->index, slot, hash, (uint32_t)(self->displays.n - 1));
	return slot->id;
}

/* --- making names ------------------------------------------------------------------------ */

static bool is_unresolved(const StoreFrame *frame)
{
	return frame->symbol.len == 0 || text_equal(frame->symbol, TEXT("[unknown]"));
}

/* `[libname]` where only the DSO is known, as both peers have it. */
static void name_unresolved(FrameNames *self, const StoreFrame *frame)
{
	Text name = dso_is_unknown(frame->dso) ? TEXT("unknown") : dso_basename(frame->dso);

	if (self->kind == NAMES_RAW)
		name = TEXT("unknown");
	if (self->kind == NAMES_ADDR && frame->address != 0)
		g_string_printf(self->scratch, "%.*s+0x%" G_GINT64_MODIFIER "x", (int)name.len,
				name.data, frame->address);
	else
		g_string_printf(self->scratch, "[%.*s]", (int)name.len, name.data);
}

static void annotate(FrameNames *self, FrameClass class)
{
	if (class == FRAME_CLASS_INLINED && (self->flags & FRAME_ANNOTATE_INLINE))
		g_string_append(self->scratch, "_[i]");
	else if (class == FRAME_CLASS_KERNEL && (self->flags & FRAME_ANNOTATE_KERNEL))
		g_string_append(self->scratch, "_[k]");
	else if (class == FRAME_CLASS_JIT && (self->flags & FRAME_ANNOTATE_JIT))
		g_string_append(self->scratch, "_[j]");
}

static void push_display(FrameNames *self, Text dso, FrameClass class)
{
	Text name;

	if (self->scratch->len == 0)
		g_string_assign(self->scratch, "[unknown]");
	if (self->line.len > 0)
		g_string_append_printf(self->scratch, " (%.*s)", (int)self->line.len,
				       self->line.data);
	annotate(self, class);
	name = (Text){ self->scratch->str, self->scratch->len };
	if (!array_push(&self->ids, intern(self, name, dso, class)))
		g_error("out of memory for names");
}

/* More functions than a compiler inlines into one another. */
#define MAX_JIT_PARTS 64

/* The parts of `a->b->c` in a JIT map: each is inlined in the one before. */
static void push_jit(FrameNames *self, const StoreFrame *frame)
{
	Text rest = frame->symbol;
	FrameClass class = frame_class(frame);
	int n_parts = 0;
	ptrdiff_t arrow;

	while (n_parts++ < MAX_JIT_PARTS && (arrow = tidy_find_inlined(rest)) >= 0) {
		Text part = { rest.data, (size_t)arrow };

		rest = text_skip(rest, (size_t)arrow + strlen("->"));
		if (part.len == 0)
			continue;
		tidy_symbol(part, true, self->scratch);
		push_display(self, frame->dso, class);
		class = FRAME_CLASS_INLINED;
	}
	tidy_symbol(rest, true, self->scratch);
	push_display(self, frame->dso, class);
}

static void push_frame(FrameNames *self, const StoreFrame *frame)
{
	bool is_jit = dso_is_jit(frame->dso) && !(frame->flags & FRAME_FINAL);

	if (!is_unresolved(frame) && self->kind != NAMES_RAW && is_jit) {
		push_jit(self, frame);
		return;
	}
	if (is_unresolved(frame))
		name_unresolved(self, frame);
	else if (self->kind == NAMES_RAW || (frame->flags & FRAME_FINAL))
		g_string_truncate(self->scratch, 0),
			g_string_append_len(self->scratch, frame->symbol.data,
					    (gssize)frame->symbol.len);
	else
		tidy_symbol(frame->symbol, false, self->scratch);
	push_display(self, frame->dso, frame_class(frame));
}

const uint32_t *frame_names_ids(FrameNames *self, uint32_t frame_id, uint32_t *n)
{
	Span *span = &self->spans[frame_id];

	if (span->first == ROW_NONE) {
		StoreFrame frame = store_frame(self->store, frame_id);

		span->first = (uint32_t)self->ids.n;
		self->line = self->flags & FRAME_NAMES_BY_LINE ? frame.line : TEXT("");
		push_frame(self, &frame);
		span->n = (uint32_t)self->ids.n - span->first;
	}
	*n = span->n;
	return &self->ids.data[span->first];
}

uint32_t frame_names_label(FrameNames *self, Text name)
{
	return intern(self, name.len > 0 ? name : TEXT("[unknown]"), TEXT(""), FRAME_CLASS_NONE);
}

uint32_t frame_names_count(const FrameNames *self)
{
	return (uint32_t)self->displays.n;
}

DisplayFrame frame_names_get(const FrameNames *self, uint32_t display_id)
{
	const Display *display = &self->displays.data[display_id];

	return (DisplayFrame){ string_table_get(&self->strings, display->name),
			       string_table_get(&self->strings, display->dso), display->class };
}
