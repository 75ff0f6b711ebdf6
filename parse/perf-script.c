/* SPDX-License-Identifier: MIT */
/*
 * `perf script` text (shared reference formats.md, 1). Lines are classified in the order of its
 * 1.4; an event line always starts a record, blank line or not. Most lines are frames, and few of
 * them are distinct: each distinct line is parsed once and remembered with its frame id.
 */

#include "parse/format.h"
#include "parse/event-line.h"
#include "parse/frame-memo.h"
#include "parse/line-reader.h"
#include "parse/messages.h"
#include "parse/payload.h"
#include "parse/perf-counts.h"
#include "parse/perf-header.h"
#include "parse/suspicion.h"
#include "store/array.h"
#include "store/error.h"
#include "store/wall-clock.h"
#include "store/weight.h"

typedef struct {
	ParseJob *job;
	StoreBuilder *builder;
	LineReader lines;
	PerfHeader header;

	FrameMemo memo;

	bool is_open;	  /* a record is being read */
	bool is_aside;	  /* behind a side record, up to a blank line */
	bool is_flat;	  /* its one frame stood on the event line: none follow */
	bool has_payload; /* text of somebody's stood there */
	Sample sample;
	ARRAY_OF(RecordFrame) frames; /* of the record, leaf first */
	uint64_t n_cut;		      /* frames of it beyond max_frames */
	GString *cgroup;	      /* of the record; empty: none printed */
	GString *bare;		      /* a line that is an event line if frames follow; or empty */
	Suspicion suspicion;

	PerfCounts counts;
	bool has_wall_clock;
	int64_t last_time_ns;
} Parser;

/* --- records ----------------------------------------------------------------------------- */

/* Functions inlined into one another, at most. */
#define MAX_INLINED 128

/* The DSO of an inlined frame is that of the function it was inlined into: the neighbour with the
 * same address, towards the root or, failing that, towards the leaf. */
static uint32_t place_inlined(Parser *self, size_t i)
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

static uint32_t make_stack(Parser *self)
{
	uint32_t stack = self->n_cut > 0 ? store_builder_truncated(self->builder) : 0;

	self->counts.truncated += self->n_cut > 0;
	for (size_t i = self->frames.n; i-- > 0 && stack != ROW_NONE;) {
		const RecordFrame *frame = &self->frames.data[i];
		uint32_t id = frame->is_inlined ? place_inlined(self, i) : frame->id;

		stack = store_builder_stack(self->builder, stack, id);
	}
	return stack;
}

static void close_record(Parser *self)
{
	self->is_aside = false;
	if (!self->is_open)
		return;
	self->is_open = false;
	self->sample.stack = make_stack(self);
	self->sample.cgroup = (Text){ self->cgroup->str, self->cgroup->len };
	if (self->sample.stack != ROW_NONE)
		store_builder_add(self->builder, &self->sample);
	self->frames.n = 0;
	self->n_cut = 0;
}

static void push_frame(Parser *self, const RecordFrame *frame)
{
	self->counts.frames++;
	if (self->frames.n >= self->job->max_frames)
		self->n_cut++;
	else if (!array_push(&self->frames, *frame))
		g_error("out of memory for one stack");
}

/* --- frames ------------------------------------------------------------------------------ */

static bool recall_frame(Parser *self, Text line)
{
	const RecordFrame *frame = frame_memo_recall(&self->memo, line);

	if (frame != NULL)
		push_frame(self, frame);
	return frame != NULL;
}

/* --- event lines ------------------------------------------------------------------------- */

/* Another record begins; does it stand within the text of the one before? */
static void look_within(Parser *self)
{
	if (self->is_open && self->has_payload && self->frames.n == 0)
		suspicion_within(&self->suspicion, self->sample.event);
}

/* `PERF_RECORD_LOST lost 337`, `PERF_RECORD_LOST_SAMPLES lost 12`. */
static void take_side_record(Parser *self, const EventLine *event)
{
	Text text = event->event;
	ptrdiff_t at = text_find(text, "lost ");

	look_within(self);
	close_record(self);
	self->is_aside = true;
	self->counts.side++;
	if (text_starts(text, "PERF_RECORD_LOST") && at > 0) {
		g_autofree char *number =
			g_strndup(text.data + at + 5, MIN(text.len - (size_t)at - 5, 20));
		self->counts.lost =
			weight_add(self->counts.lost, g_ascii_strtoull(number, NULL, 10));
	}
}

/* For telling --deltatime's output, where each time is the difference to the one before. */
static void follow_steps(Parser *self, int64_t time_ns)
{
	if (self->counts.records == 0)
		self->counts.begins_at_zero = time_ns == 0;
	else
		self->counts.steps_back += time_ns < self->last_time_ns;
	self->last_time_ns = time_ns;
}

/* What follows the event. The cgroup is kept with the record: the line is gone when it is closed.
 */
static void take_payload(Parser *self, Text payload)
{
	Text cgroup = payload_take_cgroup(&payload);
	FrameLine line;

	g_string_truncate(self->cgroup, 0);
	g_string_append_len(self->cgroup, cgroup.data, (gssize)cgroup.len);
	self->is_flat = payload_frame(payload, &line);
	self->has_payload = !self->is_flat && text_trim_left(payload).len > 0;
	if (self->is_flat) {
		RecordFrame frame = frame_memo_intern(&self->memo, &line);

		push_frame(self, &frame);
	}
}

static void open_record(Parser *self, const EventLine *event)
{
	StoreThread thread = { event->comm, event->pid, event->tid };
	Text name = event->event.len > 0 ? event->event : TEXT("[unknown]");

	look_within(self);
	close_record(self);
	follow_steps(self, event->time_ns);
	self->is_open = true;
	self->counts.records++;
	self->counts.has_short_us = self->counts.has_short_us || event->is_short_us;
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
		take_payload(self, event->payload);
}

/* The first time of the day tells what the clock is; a header's reference is better. */
static void learn_wall_clock(Parser *self, const EventLine *event)
{
	g_autofree char *offset = NULL;
	int64_t wall_ns;
	bool has_date;

	if (self->has_wall_clock || event->tod.len == 0 || event->time_ns == TIME_NONE ||
	    !wall_time_read(event->tod, &wall_ns, &has_date))
		return;
	self->has_wall_clock = true;
	offset = g_strdup_printf("%" G_GINT64_FORMAT, wall_ns - event->time_ns);
	if (store_builder_offer_fact(self->builder, FACT_WALL_LOCAL, text_from(offset)))
		store_builder_offer_fact(self->builder, FACT_WALL_SOURCE, TEXT("tod"));
}

static bool take_event(Parser *self, Text line)
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

static bool take_untimed_event(Parser *self, Text line)
{
	EventLine event;

	if (!event_line_parse_untimed(line, &event))
		return false;
	open_record(self, &event);
	return true;
}

/* --- lines ------------------------------------------------------------------------------- */

static bool is_blank_line(Text line)
{
	for (size_t i = 0; i < line.len; i++)
		if (line.data[i] != ' ' && line.data[i] != '\t' && line.data[i] != '\r')
			return false;
	return true;
}

/* Continuations of side records, and brstackinsn's instructions. */
static bool is_tab_trailer(Text line)
{
	const char *tab;

	if (text_starts(line, "\t\t") || text_starts(line, "\t["))
		return true;
	tab = memchr(line.data + 1, '\t', line.len - 1);
	return tab != NULL && tab - line.data == 17;
}

/* The line before this frame was an event line of neither time nor event. */
static void open_bare_record(Parser *self)
{
	EventLine event;

	if (event_line_parse_bare((Text){ self->bare->str, self->bare->len }, &event))
		open_record(self, &event);
	g_string_truncate(self->bare, 0);
}

/* It was none. */
static void drop_bare_line(Parser *self)
{
	if (self->bare->len > 0)
		skips_add(self->job->skips, self->lines.line - 1, SKIP_UNRECOGNISED);
	g_string_truncate(self->bare, 0);
}

static void take_orphan(Parser *self)
{
	skips_add(self->job->skips, self->lines.line, SKIP_ORPHAN_FRAME);
	if (self->counts.records > 0)
		suspicion_orphan(&self->suspicion, self->lines.line);
}

static bool take_frame(Parser *self, Text line)
{
	RecordFrame learned;
	FrameLine frame;

	if (text_starts(line, "\t") && is_tab_trailer(line)) {
		self->counts.ignored++;
		return true;
	}
	if (self->is_flat || !frame_line_parse(line, &frame))
		return false;
	if (!self->is_open && self->bare->len > 0)
		open_bare_record(self);
	/* User frames that perf tells later, of an earlier sample. */
	if (!self->is_open && self->is_aside) {
		self->counts.ignored++;
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

/* Frames that lost their indentation in an editor: those that look like nothing else. */
static bool is_plausible_unindented(Text line)
{
	size_t n = 0;

	while (n < line.len && g_ascii_isxdigit(line.data[n]))
		n++;
	return text_ends(line, ")") || n >= 8;
}

/* `  file.c:123` after a frame (-F +srcline); perf moves `(inlined)` there. */
static void take_srcline(Parser *self, Text line)
{
	self->counts.ignored++;
	if (self->frames.n == 0 || self->n_cut > 0 || !text_ends(line, " (inlined)"))
		return;
	self->frames.data[self->frames.n - 1].is_inlined = true;
}

/* What is left of the lines, once no event line and no frame. */
static void take_rest(Parser *self, Text line)
{
	if (message_is_known(line))
		skips_add(self->job->skips, self->lines.line, SKIP_MESSAGE);
	else if (text_starts(line, "PERF_RECORD_"))
		self->counts.side++;
	else if (take_untimed_event(self, line))
		return;
	else if (text_starts(line, "|"))
		self->counts.ignored++;
	else if (!self->is_open && event_line_is_bare(line))
		g_string_append_len(self->bare, line.data, (gssize)line.len);
	else if (text_starts(line, "  ") && self->is_open)
		take_srcline(self, line);
	else if (text_starts(line, " ") && (self->is_open || self->counts.records > 0))
		self->counts.ignored++;
	else
		skips_add(self->job->skips, self->lines.line, SKIP_UNRECOGNISED);
}

static void take_hash_line(Parser *self, Text line)
{
	EventLine event;

	/* A thread's name may begin with `#`: then it has an id and a time. */
	if (event_line_parse(line, &event) && event.has_tid && event.event.len > 0 &&
	    event.comm.len <= MAX_COMM) {
		open_record(self, &event);
		return;
	}
	perf_header_comment(line, self->builder);
	self->counts.header++;
}

static void take_blank_line(Parser *self)
{
	if (self->is_open)
		suspicion_blank(&self->suspicion, self->sample.event);
	close_record(self);
	self->counts.blank++;
}

/* Later, the lines of a header are comments, each by itself: the name of a file could open a
 * header that never ends. */
static bool is_at_begin(const Parser *self)
{
	return self->counts.records == 0 && self->counts.side == 0;
}

/* Classification of a line that is not remembered as a frame; formats.md 1.4. */
static void take_line(Parser *self, Text line)
{
	if (!text_starts(line, "\t"))
		drop_bare_line(self);
	if (is_blank_line(line)) {
		take_blank_line(self);
	} else if (is_at_begin(self) && perf_header_take(&self->header, line, self->builder)) {
		close_record(self);
		self->counts.header++;
	} else if (line.data[0] == '#') {
		take_hash_line(self, line);
	} else if (line.data[0] == '\t' && self->is_open && take_frame(self, line)) {
		return;
	} else if (take_event(self, line)) {
		return; /* a thread's name may begin with a TAB */
	} else if (line.data[0] == '\t' && take_frame(self, line)) {
		return;
	} else if (!message_is_known(line) && self->is_open &&
		   (line.data[0] == ' ' || is_plausible_unindented(line)) &&
		   take_frame(self, line)) {
		return;
	} else {
		take_rest(self, line);
	}
}

static bool take_lines(Parser *self, GError **error)
{
	Text line;

	for (;;) {
		if (!line_reader_next(&self->lines, &line, error))
			return false;
		if (line.data == NULL || store_builder_has_failed(self->builder))
			return true;
		if (self->lines.line == 1 && text_starts(line, "\xef\xbb\xbf"))
			line = text_skip(line, 3);
		if (line.len > 0 && line.data[line.len - 1] == '\r')
			line.len--;
		if (self->is_open && recall_frame(self, line))
			continue;
		take_line(self, line);
	}
}

/* --- the whole --------------------------------------------------------------------------- */

static bool finish(Parser *self, GError **error)
{
	const char *name = input_name(self->job->input);

	drop_bare_line(self);
	close_record(self);
	self->counts.lines = self->lines.line;
	self->counts.bytes = self->lines.n_bytes;
	self->counts.is_header_open = self->header.is_open;
	self->counts.suspicious = suspicion_count(&self->suspicion);
	perf_counts_record(&self->counts, self->builder);
	if (store_builder_has_failed(self->builder))
		return true; /* said by store_builder_finish */
	if (!perf_counts_check(&self->counts, name, self->job->skips, error))
		return false;
	perf_counts_note(&self->counts, name, self->job->max_frames, self->job->notes);
	return true;
}

static bool parse(ParseJob *job, GError **error)
{
	Parser self = { .job = job,
			.builder = job->builder,
			.cgroup = g_string_new(NULL),
			.bare = g_string_new(NULL) };
	bool ok;

	suspicion_init(&self.suspicion);
	line_reader_init(&self.lines, job->input, job->skips);
	ok = frame_memo_init(&self.memo, job->builder) ||
	     fail(error, FLAMEBEAT_ERROR_LIMIT, "%s: out of memory", input_name(job->input));
	ok = ok && take_lines(&self, error) && finish(&self, error);
	line_reader_clear(&self.lines);
	frame_memo_clear(&self.memo);
	array_clear(&self.frames);
	g_string_free(self.cgroup, TRUE);
	g_string_free(self.bare, TRUE);
	suspicion_clear(&self.suspicion);
	return ok;
}

static bool probe(Text head)
{
	return true;
}

const Format format_perf_script = {
	.name = "perf script",
	.help = "the text that perf script prints",
	.probe = probe,
	.parse = parse,
};
