/* SPDX-License-Identifier: MIT */
/*
 * `perf script` text (shared reference formats.md, 1). Lines are classified in the order of its
 * 1.4; an event line always starts a record, blank line or not. Most lines are frames, and few of
 * them are distinct: each distinct line is parsed once and remembered with its frame id.
 */

#include "parse/script-parser.h"

#include "parse/messages.h"
#include "parse/payload.h"
#include "store/limits.h"
#include "store/wall-clock.h"
#include "store/weight.h"

/* --- findings ---------------------------------------------------------------------------- */

static void remark(ScriptParser *self, char *line, int64_t offset_ns)
{
	if (!array_push(&self->found.remarks, ((ScriptRemark){ line, offset_ns })))
		g_free(line);
}

static void remark_line(ScriptParser *self, Text line)
{
	remark(self, g_strndup(line.data, line.len), 0);
}

static uint64_t line_number(const ScriptParser *self)
{
	return self->earlier.lines + self->found.counts.lines;
}

static void skip(ScriptParser *self, SkipReason reason)
{
	skips_add(&self->found.skips, line_number(self), reason);
}

/* Whether the text holds a record so far. */
static bool is_behind_record(ScriptParser *self)
{
	if (self->found.counts.records > 0)
		return true;
	self->found.is_told_by_earlier = true;
	return self->earlier.records > 0;
}

/* --- records ----------------------------------------------------------------------------- */

/* Functions inlined into one another, at most. */
#define MAX_INLINED 128

/* The DSO of an inlined frame is that of the function it was inlined into: the neighbour with the
 * same address, towards the root or, failing that, towards the leaf. */
static uint32_t place_inlined(ScriptParser *self, size_t i)
{
	const RecordFrame *frames = self->frames.data;
	size_t host = i;

	for (size_t k = i + 1;
	     k < MIN(self->frames.n, i + MAX_INLINED) && frames[k].ip == frames[i].ip; k++)
		if (!frames[k].is_inlined) {
			host = k;
			break;
		}
	for (size_t k = i;
	     host == i && k > 0 && i - k < MAX_INLINED && frames[k - 1].ip == frames[i].ip; k--)
		if (!frames[k - 1].is_inlined)
			host = k - 1;
	return store_builder_inlined(self->builder, frames[i].id, frames[host].id);
}

static uint32_t make_stack(ScriptParser *self)
{
	uint32_t stack = self->n_cut > 0 ? store_builder_truncated(self->builder) : 0;

	self->found.counts.truncated += self->n_cut > 0;
	for (size_t i = self->frames.n; i-- > 0 && stack != ROW_NONE;) {
		const RecordFrame *frame = &self->frames.data[i];
		uint32_t id = frame->is_inlined ? place_inlined(self, i) : frame->id;

		stack = store_builder_stack(self->builder, stack, id);
	}
	return stack;
}

static void close_record(ScriptParser *self)
{
	self->is_aside = false;
	if (!self->is_open)
		return;
	self->is_open = self->is_flat = false;
	self->sample.stack = make_stack(self);
	self->sample.cgroup = (Text){ self->cgroup->str, self->cgroup->len };
	if (self->sample.stack != ROW_NONE)
		store_builder_add(self->builder, &self->sample);
	self->frames.n = 0;
	self->n_cut = 0;
}

static void push_frame(ScriptParser *self, const RecordFrame *frame)
{
	self->found.counts.frames++;
	if (self->frames.n >= self->max_frames)
		self->n_cut++;
	else if (!array_push(&self->frames, *frame))
		g_error("out of memory for one stack");
}

/* --- frames ------------------------------------------------------------------------------ */

static bool recall_frame(ScriptParser *self, Text line)
{
	const RecordFrame *frame = frame_memo_recall(&self->memo, line);

	if (frame != NULL)
		push_frame(self, frame);
	return frame != NULL;
}

/* --- event lines ------------------------------------------------------------------------- */

/* Another record begins; does it stand within the text of the one before? */
static void look_within(ScriptParser *self)
{
	if (self->is_open && self->has_payload && self->frames.n == 0)
		suspicion_within(&self->found.suspicion, self->sample.event);
}

/* `PERF_RECORD_LOST lost 337`, `PERF_RECORD_LOST_SAMPLES lost 12`. */
static void take_side_record(ScriptParser *self, const EventLine *event)
{
	Text text = event->event;
	ptrdiff_t at = text_find(text, "lost ");

	look_within(self);
	close_record(self);
	self->is_aside = true;
	self->found.counts.side++;
	if (text_starts(text, "PERF_RECORD_LOST") && at > 0) {
		g_autofree char *number =
			g_strndup(text.data + at + 5, MIN(text.len - (size_t)at - 5, 20));
		self->found.counts.lost =
			weight_add(self->found.counts.lost, g_ascii_strtoull(number, NULL, 10));
	}
}

/* For telling --deltatime's output, where each time is the difference to the one before. */
static void follow_steps(ScriptParser *self, int64_t time_ns)
{
	if (self->found.counts.records == 0)
		self->found.first_time_ns = time_ns;
	else
		self->found.counts.steps_back += time_ns < self->found.last_time_ns;
	self->found.last_time_ns = time_ns;
}

/* What follows the event. The cgroup is kept with the record: the line is gone when it is closed.
 */
static void take_payload(ScriptParser *self, const EventLine *event)
{
	Text payload = event->payload;
	Text cgroup = payload_take_cgroup(&payload);
	FrameLine line;

	g_string_truncate(self->cgroup, 0);
	g_string_append_len(self->cgroup, cgroup.data, (gssize)cgroup.len);
	self->is_flat = payload_frame(payload, &line);
	self->has_payload =
		!self->is_flat && event->event.len > 0 && text_trim_left(payload).len > 0;
	self->found.counts.flat += self->is_flat;
	if (self->is_flat) {
		RecordFrame frame = frame_memo_intern(&self->memo, &line);

		push_frame(self, &frame);
	}
}

static void open_record(ScriptParser *self, const EventLine *event)
{
	StoreThread thread = { event->comm, event->pid, event->tid };
	Text name = event->event.len > 0 ? event->event : TEXT("[unknown]");

	look_within(self);
	close_record(self);
	follow_steps(self, event->time_ns);
	self->is_open = true;
	self->found.counts.records++;
	self->found.counts.has_short_us = self->found.counts.has_short_us || event->is_short_us;
	self->sample = (Sample){
		.time_ns = event->time_ns,
		.period = event->period,
		.has_period = event->has_period,
		.thread = store_builder_thread(self->builder, &thread),
		.event = store_builder_event(self->builder, name),
		.cpu = event->cpu,
	};
	if (self->sample.thread == ROW_NONE || self->sample.event == ROW_NONE)
		self->is_open = false;
	else
		take_payload(self, event);
}

/* The first time of the day tells what the clock is; a header's reference is better. */
static void learn_wall_clock(ScriptParser *self, const EventLine *event)
{
	int64_t wall_ns;
	bool has_date;

	if (self->has_time_of_day || event->tod.len == 0 || event->time_ns == TIME_NONE ||
	    !wall_time_read(event->tod, &wall_ns, &has_date))
		return;
	self->has_time_of_day = true;
	remark(self, NULL, wall_ns - event->time_ns);
}

static bool take_event(ScriptParser *self, Text line)
{
	EventLine event;

	if (!event_line_parse(line, &event))
		return false;
	if (text_starts(event.event, "PERF_RECORD_") ||
	    text_starts(event.event, "DEFERRED CALLCHAIN"))
		take_side_record(self, &event);
	else
		open_record(self, &event);
	learn_wall_clock(self, &event);
	return true;
}

static bool take_untimed_event(ScriptParser *self, Text line)
{
	EventLine event;

	if (!event_line_parse_untimed(line, &event))
		return false;
	open_record(self, &event);
	return true;
}

/* --- lines ------------------------------------------------------------------------------- */

/* The line before this frame was an event line of neither time nor event. */
static void open_bare_record(ScriptParser *self)
{
	EventLine event;

	if (event_line_parse_bare((Text){ self->bare->str, self->bare->len }, &event))
		open_record(self, &event);
	g_string_truncate(self->bare, 0);
}

/* It was none. */
static void drop_bare_line(ScriptParser *self)
{
	if (self->bare->len > 0)
		skips_add(&self->found.skips, self->bare_line, SKIP_UNRECOGNISED);
	g_string_truncate(self->bare, 0);
}

static void take_orphan(ScriptParser *self)
{
	skip(self, SKIP_ORPHAN_FRAME);
	if (is_behind_record(self))
		suspicion_orphan(&self->found.suspicion, line_number(self));
}

static bool take_frame(ScriptParser *self, Text line)
{
	RecordFrame learned;
	FrameLine frame;

	if (text_starts(line, "\t") && script_line_is_tab_trailer(line)) {
		self->found.counts.ignored++;
		return true;
	}
	if (self->is_flat || !frame_line_parse(line, &frame))
		return false;
	if (!self->is_open && self->bare->len > 0)
		open_bare_record(self);
	/* User frames that perf tells later, of an earlier sample. */
	if (!self->is_open && self->is_aside) {
		self->found.counts.ignored++;
		return true;
	}
	if (!self->is_open) {
		take_orphan(self);
		return true;
	}
	learned = frame_memo_learn(&self->memo, line, &frame);
	push_frame(self, &learned);
	return true;
}

/* perf moves the mark `(inlined)` there. */
static void take_srcline(ScriptParser *self, Text line)
{
	RecordFrame *frame;

	self->found.counts.ignored++;
	if (self->frames.n == 0 || self->n_cut > 0)
		return;
	frame = &self->frames.data[self->frames.n - 1];
	line = text_trim_left(line);
	if (text_ends(line, " (inlined)")) {
		frame->is_inlined = true;
		line.len -= strlen(" (inlined)");
	}
	/* `??:0` and `libc.so.6[27b25]` tell no line. */
	if (!text_starts(line, "??:") && !text_ends(line, "]") && text_find(line, ":") > 0)
		frame->id = store_builder_at_line(self->memo.builder, frame->id, line);
}

static void keep_bare_line(ScriptParser *self, Text line)
{
	g_string_append_len(self->bare, line.data, (gssize)line.len);
	self->bare_line = line_number(self);
}

static void take_message(ScriptParser *self, Text line)
{
	self->found.counts.has_loss = self->found.counts.has_loss || message_is_of_loss(line);
	skip(self, SKIP_MESSAGE);
}

/* What is left of the lines, once no event line and no frame. */
static void take_rest(ScriptParser *self, Text line)
{
	if (message_is_known(line))
		take_message(self, line);
	else if (text_starts(line, "PERF_RECORD_"))
		self->found.counts.side++;
	else if (take_untimed_event(self, line))
		return;
	else if (text_starts(line, "|"))
		self->found.counts.ignored++;
	else if (!self->is_open && event_line_is_bare(line))
		keep_bare_line(self, line);
	else if (text_starts(line, " ") && script_line_is_trailer(line))
		self->found.counts.ignored++;
	else if (self->is_open && script_line_is_srcline(line))
		take_srcline(self, line);
	else
		skip(self, SKIP_UNRECOGNISED);
}

static void take_hash_line(ScriptParser *self, Text line)
{
	EventLine event;

	/* A thread's name may begin with `#`: then it has an id and a time. */
	if (event_line_parse(line, &event) && event.has_tid && event.event.len > 0 &&
	    event.comm.len <= MAX_COMM) {
		open_record(self, &event);
		return;
	}
	remark_line(self, line);
	self->found.counts.header++;
}

static void take_blank_line(ScriptParser *self)
{
	if (self->is_open)
		suspicion_blank(&self->found.suspicion, self->sample.event);
	close_record(self);
	self->found.counts.blank++;
}

/* Later, the lines of a header are comments, each by itself: the name of a file could open a
 * header that never ends. */
static bool is_at_begin(ScriptParser *self)
{
	return self->found.counts.side == 0 && !is_behind_record(self) && self->earlier.side == 0;
}

static void take_header_line(ScriptParser *self, Text line)
{
	close_record(self);
	self->found.counts.header++;
	if (line.data[0] == '#')
		remark_line(self, line);
}

/* Classification of a line that is not remembered as a frame; formats.md 1.4. */
static void take_line(ScriptParser *self, Text line)
{
	if (!text_starts(line, "\t"))
		drop_bare_line(self);
	if (script_line_is_blank(line)) {
		take_blank_line(self);
	} else if (is_at_begin(self) && perf_header_take(&self->header, line)) {
		take_header_line(self, line);
	} else if (line.data[0] == '#') {
		take_hash_line(self, line);
	} else if (line.data[0] == '\t' && self->is_open && take_frame(self, line)) {
		return;
	} else if (take_event(self, line)) {
		return; /* a thread's name may begin with a TAB */
	} else if (line.data[0] == '\t' && take_frame(self, line)) {
		return;
	} else if (!message_is_known(line) && self->is_open &&
		   (line.data[0] == ' ' || script_line_is_unindented_frame(line)) &&
		   take_frame(self, line)) {
		return;
	} else {
		take_rest(self, line);
	}
}

static void take_text(ScriptParser *self, Text line)
{
	self->found.counts.lines++;
	if (line.len > MAX_LINE_BYTES) {
		skip(self, SKIP_TOO_LONG);
		return;
	}
	line = script_line_trim(line);
	if (!self->is_open || self->is_flat || !recall_frame(self, line))
		take_line(self, line);
}

void script_parser_take(ScriptParser *self, Text block)
{
	while (block.len > 0 && !store_builder_has_failed(self->builder)) {
		const char *newline = memchr(block.data, '\n', block.len);
		size_t n = newline != NULL ? (size_t)(newline - block.data) : block.len;

		take_text(self, (Text){ block.data, n });
		block = text_skip(block, n + (newline != NULL));
	}
}

/* --- the whole --------------------------------------------------------------------------- */

bool script_parser_init(ScriptParser *self, StoreBuilder *builder, uint32_t max_frames)
{
	*self = (ScriptParser){ .builder = builder,
				.max_frames = max_frames,
				.cgroup = g_string_new(NULL),
				.bare = g_string_new(NULL) };
	return frame_memo_init(&self->memo, builder);
}

void script_parser_clear(ScriptParser *self)
{
	script_findings_clear(&self->found);
	frame_memo_clear(&self->memo);
	array_clear(&self->frames);
	g_string_free(self->cgroup, TRUE);
	g_string_free(self->bare, TRUE);
}

void script_parser_begin(ScriptParser *self, const PerfCounts *earlier)
{
	script_findings_clear(&self->found);
	self->earlier = *earlier;
	self->has_time_of_day = false;
}

void script_parser_end(ScriptParser *self, bool is_end_of_text)
{
	/* At a cut an event line follows, or a blank line came before. */
	if (!is_end_of_text)
		look_within(self);
	drop_bare_line(self);
	close_record(self);
}
