/* SPDX-License-Identifier: MIT */
/*
 * A plug-in for `perf script --dlfilter`: it takes each sample before perf makes text of it, which
 * is what takes perf's time. Loaded by perf, never by flamebeat; uses nothing but libc.
 *
 * Finding a symbol is slow too, so each distinct address is named once. A user address means
 * something else in another process, and after an exec, which changes the comm: both are part of
 * its key. Kernel addresses are the same for all.
 */

#include <perf/perf_dlfilter.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "parse/perf-stream.h"

struct perf_dlfilter_fns perf_dlfilter_fns;

#define KERNEL_BEGIN  0xffff800000000000ull
#define CONTEXT_BEGIN 0xfffffffffffff001ull /* PERF_CONTEXT_*: markers, not addresses */
#define MAX_CHAIN     65536

/* Open addressing; `number` is 1 + the name's or frame's number, 0: free. */
typedef struct {
	uint64_t hash;
	uint64_t address;
	uint32_t pid, comm;
	uint32_t number;
} FrameSlot;

typedef struct {
	uint64_t hash;
	char *text;
	uint32_t number;
} NameSlot;

typedef struct {
	FILE *out;
	FrameSlot *frames;
	size_t n_frame_slots;
	uint32_t n_frames; /* slots in use */
	uint32_t n_frames_told;
	NameSlot *names;
	size_t n_name_slots;
	uint32_t n_names;
	bool has_refused;
	uint32_t chain[MAX_CHAIN];
} Plugin;

static uint64_t mix(uint64_t h)
{
	h ^= h >> 33;
	h *= 0xff51afd7ed558ccdull;
	h ^= h >> 33;
	h *= 0xc4ceb9fe1a85ec53ull;
	return h ^ (h >> 33);
}

static void tell(Plugin *self, PerfStreamKind kind, const void *record, size_t size)
{
	putc(kind, self->out);
	fwrite(record, size, 1, self->out);
}

/* --- names ------------------------------------------------------------------------------- */

static uint64_t hash_text(const char *text)
{
	uint64_t h = 1469598103934665603ull; /* FNV-1a */

	for (; *text != '\0'; text++)
		h = (h ^ (uint8_t)*text) * 1099511628211ull;
	return mix(h);
}

static void grow_names(Plugin *self)
{
	size_t n = self->n_name_slots > 0 ? self->n_name_slots * 2 : 4096;
	NameSlot *slots = calloc(n, sizeof(*slots));

	if (slots == NULL)
		abort();
	for (size_t i = 0; i < self->n_name_slots; i++) {
		size_t k = self->names[i].hash & (n - 1);

		if (self->names[i].number == 0)
			continue;
		while (slots[k].number != 0)
			k = (k + 1) & (n - 1);
		slots[k] = self->names[i];
	}
	free(self->names);
	self->names = slots;
	self->n_name_slots = n;
}

static uint32_t name_number(Plugin *self, const char *text)
{
	uint64_t hash;
	size_t i;
	PerfStreamName record;

	if (text == NULL || *text == '\0')
		return PERF_STREAM_NONE;
	if (2 * ((size_t)self->n_names + 1) > self->n_name_slots)
		grow_names(self);
	hash = hash_text(text);
	for (i = hash & (self->n_name_slots - 1); self->names[i].number != 0;
	     i = (i + 1) & (self->n_name_slots - 1))
		if (self->names[i].hash == hash && strcmp(self->names[i].text, text) == 0)
			return self->names[i].number - 1;
	self->names[i] = (NameSlot){ hash, strdup(text), ++self->n_names };
	record.n_bytes = (uint32_t)strlen(text);
	tell(self, PERF_STREAM_NAME, &record, sizeof(record));
	fwrite(text, 1, record.n_bytes, self->out);
	return self->n_names - 1;
}

/* --- frames ------------------------------------------------------------------------------ */

static void grow_frames(Plugin *self)
{
	size_t n = self->n_frame_slots > 0 ? self->n_frame_slots * 2 : 65536;
	FrameSlot *slots = calloc(n, sizeof(*slots));

	if (slots == NULL)
		abort();
	for (size_t i = 0; i < self->n_frame_slots; i++) {
		size_t k = self->frames[i].hash & (n - 1);

		if (self->frames[i].number == 0)
			continue;
		while (slots[k].number != 0)
			k = (k + 1) & (n - 1);
		slots[k] = self->frames[i];
	}
	free(self->frames);
	self->frames = slots;
	self->n_frame_slots = n;
}

/* Asks perf, tells flamebeat. */
static uint32_t new_frame(Plugin *self, uint64_t address, void *context)
{
	struct perf_dlfilter_al al = { .size = sizeof(al) };
	PerfStreamFrame frame = { PERF_STREAM_NONE, PERF_STREAM_NONE, address };

	if (perf_dlfilter_fns.resolve_address(context, address, &al) == 0) {
		frame.symbol = name_number(self, al.sym);
		frame.dso = name_number(self, al.dso);
		frame.address = al.addr;
	}
	tell(self, PERF_STREAM_FRAME, &frame, sizeof(frame));
	return self->n_frames_told++;
}

static uint32_t frame_number(Plugin *self, const PerfStreamSample *sample, uint64_t address,
			     void *context)
{
	FrameSlot key = { .address = address };
	size_t i;

	if (2 * ((size_t)self->n_frames + 1) > self->n_frame_slots)
		grow_frames(self);
	if (address < KERNEL_BEGIN) {
		key.pid = (uint32_t)sample->pid;
		key.comm = sample->comm;
	}
	key.hash = mix(address ^ mix((uint64_t)key.pid << 32 | key.comm));
	for (i = key.hash & (self->n_frame_slots - 1); self->frames[i].number != 0;
	     i = (i + 1) & (self->n_frame_slots - 1)) {
		const FrameSlot *slot = &self->frames[i];

		if (slot->hash == key.hash && slot->address == address && slot->pid == key.pid &&
		    slot->comm == key.comm)
			return slot->number - 1;
	}
	key.number = new_frame(self, address, context) + 1;
	self->frames[i] = key;
	self->n_frames++;
	return key.number - 1;
}

/* --- samples ----------------------------------------------------------------------------- */

/* Call chains from copied stacks or branch records are put together by perf when it prints. */
static bool is_unwound_by_perf(const struct perf_event_attr *attr)
{
	return attr != NULL &&
	       (attr->sample_type & (PERF_SAMPLE_STACK_USER | PERF_SAMPLE_BRANCH_STACK)) != 0;
}

static void fill_chain(Plugin *self, PerfStreamSample *record,
		       const struct perf_dlfilter_sample *sample, void *context)
{
	uint64_t n = sample->raw_callchain_nr < MAX_CHAIN ? sample->raw_callchain_nr : MAX_CHAIN;

	record->n_frames = 0;
	for (uint64_t i = 0; i < n; i++)
		if (sample->raw_callchain[i] < CONTEXT_BEGIN)
			self->chain[record->n_frames++] =
				frame_number(self, record, sample->raw_callchain[i], context);
	if (sample->raw_callchain_nr == 0 && sample->ip != 0)
		self->chain[record->n_frames++] = frame_number(self, record, sample->ip, context);
}

int filter_event_early(void *data, const struct perf_dlfilter_sample *sample, void *context);

int filter_event_early(void *data, const struct perf_dlfilter_sample *sample, void *context)
{
	Plugin *self = data;
	const struct perf_event_attr *attr = perf_dlfilter_fns.attr(context);
	const struct perf_dlfilter_al *al = perf_dlfilter_fns.resolve_ip(context);
	bool has_time = attr == NULL || (attr->sample_type & PERF_SAMPLE_TIME) != 0;
	bool has_cpu = attr == NULL || (attr->sample_type & PERF_SAMPLE_CPU) != 0;
	PerfStreamSample record = { .time_ns = has_time ? sample->time : UINT64_MAX,
				    .period = sample->period,
				    .pid = sample->pid,
				    .tid = sample->tid,
				    .cpu = has_cpu ? sample->cpu : -1 };

	if (self->has_refused || is_unwound_by_perf(attr)) {
		if (!self->has_refused)
			putc(PERF_STREAM_REFUSED, self->out);
		self->has_refused = true;
		return -1;
	}
	record.comm = name_number(self, al != NULL ? al->comm : NULL);
	record.event = name_number(self, sample->event);
	fill_chain(self, &record, sample, context);
	tell(self, PERF_STREAM_SAMPLE, &record, sizeof(record));
	fwrite(self->chain, sizeof(self->chain[0]), record.n_frames, self->out);
	return ferror(self->out) ? -1 : 1;
}

int start(void **data, void *context);

int start(void **data, void *context)
{
	int n_args = 0;
	char **args = perf_dlfilter_fns.args(context, &n_args);
	Plugin *self = calloc(1, sizeof(*self));

	if (self == NULL || n_args != 1)
		return -1;
	self->out = fdopen(atoi(args[0]), "wb");
	if (self->out == NULL)
		return -1;
	setvbuf(self->out, NULL, _IOFBF, 1 << 20);
	fwrite(PERF_STREAM_MAGIC, 1, PERF_STREAM_MAGIC_LEN, self->out);
	*data = self;
	return 0;
}

int stop(void *data, void *context);

int stop(void *data, void *context)
{
	Plugin *self = data;

	(void)context;
	if (self == NULL)
		return 0;
	putc(PERF_STREAM_END, self->out);
	return fclose(self->out) == 0 ? 0 : -1;
}

const char *filter_description(const char **long_description);

const char *filter_description(const char **long_description)
{
	*long_description = "Hands samples to flamebeat; run by `flamebeat` itself.";
	return "samples for flamebeat";
}
