/* SPDX-License-Identifier: MIT */
/* Reads what the plug-in tells. Every number in it is checked: a pipe can break anywhere. */

#include "parse/perf-stream.h"

#include "parse/format.h"
#include "store/array.h"
#include "store/error.h"
#include "store/limits.h"

#define BUFFER_BYTES (1u << 18)

typedef struct {
	ParseJob *job;
	char *buffer;
	size_t next, end;
	bool is_end; /* nothing more comes */

	GPtrArray *names;	   /* of GBytes */
	ARRAY_OF(uint32_t) frames; /* number in the stream -> frame of the builder */
	ARRAY_OF(uint32_t) chain;  /* of the sample in hand */
	uint64_t n_frames, n_truncated, n_bytes;
	bool is_complete, is_refused;
} Reader;

/* Exactly `size` bytes; false where there are not as many, with `error` where reading failed. */
static bool take(Reader *self, void *bytes, size_t size, GError **error)
{
	char *to = bytes;

	while (size > 0) {
		size_t n = MIN(size, self->end - self->next);
		gssize n_read;

		memcpy(to, self->buffer + self->next, n);
		self->next += n;
		to += n;
		size -= n;
		if (size == 0)
			break;
		n_read = input_read(self->job->input, self->buffer, BUFFER_BYTES, error);
		if (n_read <= 0)
			return false;
		self->next = 0;
		self->end = (size_t)n_read;
		self->n_bytes += (uint64_t)n_read;
	}
	return true;
}

static Text name_of(const Reader *self, uint32_t number)
{
	gsize len;
	const char *bytes;

	if (number >= self->names->len)
		return TEXT("");
	bytes = g_bytes_get_data(g_ptr_array_index(self->names, number), &len);
	return (Text){ bytes != NULL ? bytes : "", len };
}

static bool take_name(Reader *self, GError **error)
{
	g_autofree char *bytes = NULL;
	PerfStreamName record;

	if (!take(self, &record, sizeof(record), error) || record.n_bytes > MAX_LINE_BYTES)
		return false;
	bytes = g_malloc(record.n_bytes);
	if (!take(self, bytes, record.n_bytes, error))
		return false;
	g_ptr_array_add(self->names, g_bytes_new_take(g_steal_pointer(&bytes), record.n_bytes));
	return true;
}

static bool take_frame(Reader *self, GError **error)
{
	PerfStreamFrame record;
	StoreFrame frame = { 0 };

	if (!take(self, &record, sizeof(record), error))
		return false;
	frame.symbol = name_of(self, record.symbol);
	frame.dso = record.dso != PERF_STREAM_NONE ? name_of(self, record.dso) : TEXT("[unknown]");
	frame.address = record.address;
	return array_push(&self->frames, store_builder_frame(self->job->builder, &frame));
}

/* The frames that are kept, from the root on. */
static uint32_t make_stack(Reader *self)
{
	StoreBuilder *builder = self->job->builder;
	size_t n = MIN(self->chain.n, self->job->max_frames);
	uint32_t stack = 0;

	self->n_frames += self->chain.n;
	if (n < self->chain.n) {
		stack = store_builder_truncated(builder);
		self->n_truncated++;
	}
	for (size_t i = n; i-- > 0 && stack != ROW_NONE;)
		stack = store_builder_stack(builder, stack, self->frames.data[self->chain.data[i]]);
	return stack;
}

static bool take_chain(Reader *self, uint32_t n_frames, GError **error)
{
	self->chain.n = 0;
	if (n_frames > MAX_MAX_FRAMES || !array_reserve(&self->chain, n_frames) ||
	    !take(self, self->chain.data, n_frames * sizeof(uint32_t), error))
		return n_frames == 0;
	self->chain.n = n_frames;
	for (size_t i = 0; i < n_frames; i++)
		if (self->chain.data[i] >= self->frames.n)
			return false;
	return true;
}

static bool take_sample(Reader *self, GError **error)
{
	PerfStreamSample record;
	StoreThread thread;
	Sample sample;

	if (!take(self, &record, sizeof(record), error) ||
	    !take_chain(self, record.n_frames, error))
		return false;
	thread = (StoreThread){ name_of(self, record.comm), record.pid, record.tid };
	sample = (Sample){
		.time_ns = record.time_ns <= INT64_MAX ? (int64_t)record.time_ns : TIME_NONE,
		.period = record.period,
		.has_period = true,
		.thread = store_builder_thread(self->job->builder, &thread),
		.event = store_builder_event(self->job->builder, name_of(self, record.event)),
		.cpu = record.cpu >= 0 ? record.cpu : ID_NONE,
	};
	sample.stack = make_stack(self);
	if (sample.stack != ROW_NONE && sample.thread != ROW_NONE && sample.event != ROW_NONE)
		store_builder_add(self->job->builder, &sample);
	return true;
}

static bool take_record(Reader *self, GError **error)
{
	uint8_t kind;

	if (!take(self, &kind, 1, error))
		return false;
	switch (kind) {
	case PERF_STREAM_NAME:
		return take_name(self, error);
	case PERF_STREAM_FRAME:
		return take_frame(self, error);
	case PERF_STREAM_SAMPLE:
		return take_sample(self, error);
	case PERF_STREAM_REFUSED:
		self->is_refused = true;
		return false;
	case PERF_STREAM_END:
		self->is_complete = true;
		return false;
	default:
		return false;
	}
}

/* To its end, or to where it makes no sense; is_complete tells which. */
static bool read_stream(Reader *self, GError **error)
{
	char magic[PERF_STREAM_MAGIC_LEN];
	GError *cause = NULL;
	bool goes_on = take(self, magic, sizeof(magic), &cause) &&
		       memcmp(magic, PERF_STREAM_MAGIC, sizeof(magic)) == 0;

	while (goes_on && !store_builder_has_failed(self->job->builder))
		goes_on = take_record(self, &cause);
	if (cause == NULL)
		return true;
	g_propagate_error(error, cause);
	return false;
}

static void record_facts(const Reader *self)
{
	StoreBuilder *builder = self->job->builder;

	store_builder_add_count(builder, FACT_FRAMES, self->n_frames);
	store_builder_add_count(builder, FACT_TRUNCATED, self->n_truncated);
	store_builder_offer_fact(builder, FACT_FORMAT, TEXT("perf.data"));
}

static bool parse(ParseJob *job, GError **error)
{
	Reader self = { .job = job,
			.buffer = g_malloc(BUFFER_BYTES),
			.names = g_ptr_array_new_with_free_func((GDestroyNotify)g_bytes_unref) };
	bool ok = read_stream(&self, error);

	record_facts(&self);
	if (ok && !self.is_complete && !store_builder_has_failed(job->builder))
		ok = fail(error, FLAMEBEAT_ERROR_FAILED, "%s: perf's samples are cut off%s",
			  input_name(job->input), self.is_refused ? " (refused)" : "");
	g_free(self.buffer);
	g_ptr_array_unref(self.names);
	array_clear(&self.frames);
	array_clear(&self.chain);
	return ok;
}

static bool probe(Text head)
{
	return text_starts(head, PERF_STREAM_MAGIC);
}

const Format format_perf_stream = {
	.name = "perf stream",
	.help = "what flamebeat's plug-in in perf hands over",
	.probe = probe,
	.parse = parse,
};
