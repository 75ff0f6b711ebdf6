/* SPDX-License-Identifier: MIT */
/*
 * Folded stacks: `root;…;leaf WEIGHT`, one line a stack, as FlameGraph's stackcollapse scripts,
 * inferno, bcc's `profile -f`, async-profiler and py-spy write them (shared reference formats.md,
 * 4.10 and 5.1). With two weights (difffolded.pl) the second, what is new, counts. There is no
 * time. The first frame is taken as the comm, which is what most of them put there.
 */

#include "parse/format.h"
#include "parse/line-reader.h"
#include "store/array.h"
#include "store/error.h"
#include "store/limits.h"
#include "store/weight.h"

typedef struct {
	ParseJob *job;
	LineReader lines;
	ARRAY_OF(Text) frames; /* of the line in hand, root first */
	/* The line before, whose first frames are mostly the same: its text, its frames, and the
	 * stack that each of them ended. */
	GString *before;
	ARRAY_OF(Text) frames_before;
	ARRAY_OF(uint32_t) stacks;
	uint32_t event;
	uint64_t n_frames, n_stacks, n_blank, n_truncated;
} Parser;

/* --- lines ------------------------------------------------------------------------------- */

/* A weight: digits, perhaps with decimals, which are rounded. */
static bool read_weight(Text word, uint64_t *weight)
{
	bool has_point = false, rounds_up = false;
	size_t n_digits = 0;

	*weight = 0;
	for (size_t i = 0; i < word.len; i++) {
		char c = word.data[i];

		if (c == '.' && !has_point) {
			has_point = true;
			rounds_up = i + 1 < word.len && word.data[i + 1] >= '5';
			continue;
		}
		if (!g_ascii_isdigit(c))
			return false;
		n_digits++;
		if (has_point)
			continue;
		if (__builtin_mul_overflow(*weight, 10, weight) ||
		    __builtin_add_overflow(*weight, (uint64_t)(c - '0'), weight))
			*weight = UINT64_MAX - 1;
	}
	*weight = weight_add(*weight, rounds_up);
	return n_digits > 0;
}

/* Takes the last word of `line` off, if it is a weight. */
static bool take_weight(Text *line, uint64_t *weight)
{
	const char *blank = line->len > 0 ? memrchr(line->data, ' ', line->len) : NULL;
	size_t at = blank != NULL ? (size_t)(blank - line->data) : 0;

	if (at == 0 || !read_weight(text_skip(*line, at + 1), weight))
		return false;
	line->len = at;
	return true;
}

static Text trimmed(Text line)
{
	while (line.len > 0 && g_ascii_isspace(line.data[line.len - 1]))
		line.len--;
	return line;
}

/* The stack and its weight. Two numbers are two weights only where decimals or frames make sure
 * that the first is no part of a name: `vtable stub 12 7` has one. */
static bool split_line(Text line, Text *stack, uint64_t *weight)
{
	uint64_t before;

	*stack = trimmed(line);
	if (!take_weight(stack, weight))
		return false;
	*stack = trimmed(*stack);
	if (memchr(stack->data, ';', stack->len) != NULL && take_weight(stack, &before))
		*stack = trimmed(*stack);
	return stack->len > 0;
}

static bool probe(Text head)
{
	unsigned n_lines = 0, n_folded = 0, n_with_frames = 0;

	while (head.len > 0) {
		const char *newline = memchr(head.data, '\n', head.len);
		Text line = { head.data, newline != NULL ? (size_t)(newline - head.data) : 0 };
		Text stack;
		uint64_t weight;

		if (newline == NULL)
			break; /* perhaps cut by the end of `head` */
		head = text_skip(head, line.len + 1);
		if (trimmed(line).len == 0 || text_starts(line, "# "))
			continue;
		n_lines++;
		if (text_starts(line, "\t") || !split_line(line, &stack, &weight))
			continue;
		n_folded++;
		n_with_frames += memchr(stack.data, ';', stack.len) != NULL;
	}
	/* A few lines may be damaged, and a stack may be one frame. */
	return n_folded * 2 > n_lines && n_with_frames * 2 >= n_folded;
}

/* --- stacks ------------------------------------------------------------------------------ */

static bool split_frames(Parser *self, Text stack)
{
	self->frames.n = 0;
	while (true) {
		const char *end = memchr(stack.data, ';', stack.len);
		size_t n = end != NULL ? (size_t)(end - stack.data) : stack.len;

		if (n > 0 && !array_push(&self->frames, ((Text){ stack.data, n })))
			return false;
		if (end == NULL)
			return true;
		stack = text_skip(stack, n + 1);
	}
}

/* Annotations of kernel, jit and inlined frames; `_[0]` and `_[1]` are async-profiler's for
 * interpreted code and code of the first compiler. */
static StoreFrame annotated(Text name)
{
	static const struct {
		const char *suffix, *dso;
		uint32_t flags;
	} kinds[] = {
		{ "_[k]", "[kernel]", 0 },     { "_[j]", "[JIT folded]", 0 },
		{ "_[i]", "", FRAME_INLINED }, { "_[0]", "[JIT folded]", 0 },
		{ "_[1]", "[JIT folded]", 0 },
	};
	StoreFrame frame = { .symbol = name, .dso = TEXT(""), .flags = FRAME_FINAL };

	for (size_t i = 0; i < G_N_ELEMENTS(kinds); i++)
		if (text_ends(name, kinds[i].suffix) && name.len > 4) {
			frame.symbol.len -= 4;
			frame.dso = text_from(kinds[i].dso);
			frame.flags |= kinds[i].flags;
		}
	return frame;
}

/* The first frame of the line that the line before does not have there, from 1 (0 is the comm), and
 * the stack up to it. */
static size_t skip_common(const Parser *self, uint32_t *stack)
{
	size_t i = 1, n = MIN(self->frames.n, self->frames_before.n);

	while (i < n && text_equal(self->frames.data[i], self->frames_before.data[i]))
		*stack = self->stacks.data[i++];
	return i;
}

/* The line in hand becomes the line before; of a truncated one nothing can be used. */
static void remember(Parser *self, Text stack)
{
	const char *from = stack.data;
	size_t n = self->frames.n - 1 > self->job->max_frames ? 0 : self->frames.n;

	g_string_truncate(self->before, 0);
	g_string_append_len(self->before, stack.data, (gssize)stack.len);
	self->frames_before.n = 0;
	if (!array_reserve(&self->frames_before, n))
		g_error("out of memory for one stack");
	for (size_t i = 0; i < n; i++)
		self->frames_before.data[i] =
			(Text){ self->before->str + (self->frames.data[i].data - from),
				self->frames.data[i].len };
	self->frames_before.n = n;
}

static uint32_t make_stack(Parser *self)
{
	StoreBuilder *builder = self->job->builder;
	size_t first, n = self->frames.n;
	uint32_t stack = 0;

	if (n - 1 > self->job->max_frames) {
		first = n - self->job->max_frames;
		stack = store_builder_truncated(builder);
		self->n_truncated++;
	} else {
		first = skip_common(self, &stack);
	}
	for (size_t i = first; i < n && stack != ROW_NONE; i++) {
		StoreFrame frame = annotated(self->frames.data[i]);
		uint32_t id = store_builder_frame(builder, &frame);

		stack = id != ROW_NONE ? store_builder_stack(builder, stack, id) : ROW_NONE;
		self->stacks.data[i] = stack;
	}
	self->n_frames += n - 1;
	return stack;
}

static void take_stack(Parser *self, Text stack, uint64_t weight)
{
	StoreThread thread = { .pid = ID_NONE, .tid = ID_NONE };
	Sample sample = { .time_ns = TIME_NONE,
			  .period = weight,
			  .has_period = true,
			  .event = self->event,
			  .cpu = ID_NONE };

	if (!split_frames(self, stack))
		g_error("out of memory for one stack");
	if (self->frames.n == 0)
		return;
	if (!array_reserve(&self->stacks, self->frames.n))
		g_error("out of memory for one stack");
	thread.comm = self->frames.data[0];
	sample.thread = store_builder_thread(self->job->builder, &thread);
	sample.stack = make_stack(self);
	remember(self, stack);
	if (sample.thread != ROW_NONE && sample.stack != ROW_NONE)
		store_builder_add(self->job->builder, &sample);
	self->n_stacks++;
}

static void take_line(Parser *self, Text line)
{
	Text stack;
	uint64_t weight;

	if (trimmed(line).len == 0 || text_starts(line, "# "))
		self->n_blank++;
	else if (!split_line(line, &stack, &weight))
		skips_add(self->job->skips, self->lines.line, SKIP_NOT_FOLDED);
	else if (weight > 0)
		take_stack(self, stack, weight);
}

static void record_facts(const Parser *self)
{
	StoreBuilder *builder = self->job->builder;

	store_builder_add_count(builder, FACT_FRAMES, self->n_frames);
	store_builder_add_count(builder, FACT_LINES, self->lines.line);
	store_builder_add_count(builder, FACT_BYTES, self->lines.n_bytes);
	store_builder_add_count(builder, FACT_TRUNCATED, self->n_truncated);
	store_builder_set_count(builder, FACT_WEIGHTED, 1);
	store_builder_offer_fact(builder, FACT_FORMAT, TEXT("folded"));
}

static bool take_lines(Parser *self, GError **error)
{
	Text line;

	do {
		if (!line_reader_next(&self->lines, &line, error))
			return false;
		if (line.data != NULL)
			take_line(self, line);
	} while (line.data != NULL && !store_builder_has_failed(self->job->builder));
	return true;
}

static bool parse(ParseJob *job, GError **error)
{
	Parser self = { .job = job, .before = g_string_new(NULL) };
	bool ok;

	line_reader_init(&self.lines, job->input, job->skips);
	self.event = store_builder_event(job->builder, TEXT("samples"));
	ok = take_lines(&self, error);
	record_facts(&self);
	line_reader_clear(&self.lines);
	array_clear(&self.frames);
	array_clear(&self.frames_before);
	array_clear(&self.stacks);
	g_string_free(self.before, TRUE);
	return ok;
}

const Format format_folded = {
	.name = "folded",
	.help = "folded stacks, `root;...;leaf 12`: no time",
	.probe = probe,
	.parse = parse,
};
