/* SPDX-License-Identifier: MIT */
/*
 * A plug-in for `perf script --dlfilter`: it takes each sample before perf makes text of it, which
 * is what takes perf's time. Loaded by perf, never by flamebeat; uses nothing but libc.
 *
 * Finding a symbol is slow too, so each distinct address is named once. A user address means
 * something else in another process, after an exec, which changes the comm, and after something
 * else was mapped there: all three are part of its key. Kernel addresses are the same for all.
 */

#include <errno.h>
#include <perf/perf_dlfilter.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "parse/perf-stream.h"

struct perf_dlfilter_fns perf_dlfilter_fns;

#define KERNEL_BEGIN  0xffff800000000000ull
#define CONTEXT_BEGIN 0xfffffffffffff001ull /* PERF_CONTEXT_*: markers, not addresses */
#define MAX_CHAIN     65536
#define STRAY	      UINT32_MAX /* comm of what is no address where it stands */
#define BUFFER_BYTES  (1u << 17)

/* Open addressing. `number` is 1 + the frame's number, 0: free. */
typedef struct {
	uint64_t address;
	uint32_t pid, comm;
	uint32_t generation; /* of the process's maps; 0: an address of no process */
	uint32_t number;
} FrameSlot;

typedef struct {
	FrameSlot *slots;
	size_t n_slots;
	uint32_t n; /* slots in use */
} FrameTable;

/* Where perf found a frame. */
typedef struct {
	const char *dso; /* perf's: compared, never looked at */
	uint64_t offset;
} Place;

/* Open addressing. `generation` 0: free. */
typedef struct {
	int32_t pid;
	uint32_t generation;
} Process;

typedef struct {
	uint64_t hash;
	char *text;
	uint32_t number; /* 1 + the name's */
} NameSlot;

typedef struct {
	const char *text; /* owned by its slot; NULL: none yet */
	uint32_t number;
} Name;

typedef struct {
	int fd;
	bool has_failed; /* nobody reads any more */
	bool has_refused;
	size_t n_bytes; /* in the buffer, not written yet */

	/* Kernel addresses are few and in every chain: they have a table that stays in the cache.
	 */
	FrameTable kernel, user;
	Place *places;	   /* by number of the frame */
	uint32_t n_frames; /* told */
	Process *processes;
	size_t n_process_slots, n_processes;
	NameSlot *names;
	size_t n_name_slots;
	uint32_t n_names;
	Name comm, event; /* of the sample before */
	uint32_t chain[MAX_CHAIN];
	char buffer[BUFFER_BYTES];
} Plugin;

static uint64_t mix(uint64_t h)
{
	h ^= h >> 33;
	h *= 0xff51afd7ed558ccdull;
	h ^= h >> 33;
	h *= 0xc4ceb9fe1a85ec53ull;
	return h ^ (h >> 33);
}

/* --- writing ----------------------------------------------------------------------------- */

static void flush(Plugin *self)
{
	size_t n_done = 0;

	while (n_done < self->n_bytes && !self->has_failed) {
		ssize_t n = write(self->fd, self->buffer + n_done, self->n_bytes - n_done);

		self->has_failed = n < 0 && errno != EINTR;
		n_done += n > 0 ? (size_t)n : 0;
	}
	self->n_bytes = 0;
}

static void put(Plugin *self, const void *bytes, size_t size)
{
	const char *from = bytes;

	while (size > 0) {
		size_t n =
			size < BUFFER_BYTES - self->n_bytes ? size : BUFFER_BYTES - self->n_bytes;

		memcpy(self->buffer + self->n_bytes, from, n);
		self->n_bytes += n;
		from += n;
		size -= n;
		if (self->n_bytes == BUFFER_BYTES)
			flush(self);
	}
}

static void tell(Plugin *self, PerfStreamKind kind, const void *record, size_t size)
{
	char byte = (char)kind;

	put(self, &byte, 1);
	put(self, record, size);
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

/* Where `text` is, or is to be. */
static NameSlot *name_slot(Plugin *self, const char *text)
{
	uint64_t hash = hash_text(text);
	size_t i;

	if (2 * ((size_t)self->n_names + 1) > self->n_name_slots)
		grow_names(self);
	for (i = hash & (self->n_name_slots - 1); self->names[i].number != 0;
	     i = (i + 1) & (self->n_name_slots - 1))
		if (self->names[i].hash == hash && strcmp(self->names[i].text, text) == 0)
			break;
	self->names[i].hash = hash;
	return &self->names[i];
}

static Name name_of(Plugin *self, const char *text)
{
	PerfStreamName record;
	NameSlot *slot;

	if (text == NULL || *text == '\0')
		return (Name){ NULL, PERF_STREAM_NONE };
	slot = name_slot(self, text);
	if (slot->number == 0) {
		slot->text = strdup(text);
		if (slot->text == NULL)
			abort();
		slot->number = ++self->n_names;
		record.n_bytes = (uint32_t)strlen(text);
		tell(self, PERF_STREAM_NAME, &record, sizeof(record));
		put(self, text, record.n_bytes);
	}
	return (Name){ slot->text, slot->number - 1 };
}

/* Mostly it is that of the sample before. */
static uint32_t name_again(Plugin *self, Name *last, const char *text)
{
	if (last->text == NULL || text == NULL || strcmp(last->text, text) != 0)
		*last = name_of(self, text);
	return last->number;
}

/* --- frames ------------------------------------------------------------------------------ */

static uint64_t hash_slot(const FrameSlot *slot)
{
	uint64_t process = mix((uint64_t)slot->pid << 32 | slot->comm);

	return mix((slot->address + slot->generation) ^ process);
}

/* Where `key` is, or is to be. */
static FrameSlot *frame_slot(const FrameTable *self, const FrameSlot *key)
{
	size_t i = hash_slot(key) & (self->n_slots - 1);

	while (self->slots[i].number != 0 &&
	       (self->slots[i].address != key->address || self->slots[i].pid != key->pid ||
		self->slots[i].comm != key->comm || self->slots[i].generation != key->generation))
		i = (i + 1) & (self->n_slots - 1);
	return &self->slots[i];
}

static void grow_frames(FrameTable *self)
{
	FrameTable larger = { .n_slots = self->n_slots > 0 ? self->n_slots * 2 : 16384,
			      .n = self->n };

	larger.slots = calloc(larger.n_slots, sizeof(*larger.slots));
	if (larger.slots == NULL)
		abort();
	for (size_t i = 0; i < self->n_slots; i++)
		if (self->slots[i].number != 0)
			*frame_slot(&larger, &self->slots[i]) = self->slots[i];
	free(self->slots);
	*self = larger;
}

static uint32_t tell_frame(Plugin *self, const PerfStreamFrame *frame, Place place)
{
	uint32_t n = self->n_frames;

	/* Room is doubled at each power of two. */
	if ((n & (n - 1)) == 0) {
		self->places = realloc(self->places, (n > 0 ? 2 * (size_t)n : 1) * sizeof(place));
		if (self->places == NULL)
			abort();
	}
	self->places[n] = place;
	tell(self, PERF_STREAM_FRAME, frame, sizeof(*frame));
	return self->n_frames++;
}

/* Asks perf, tells flamebeat. Garbage, as code without frame pointers leaves it, may be an address
 * of the kernel in the user's part of a chain: perf makes nothing of it. */
static uint32_t new_frame(Plugin *self, uint64_t address, bool is_stray, void *context)
{
	struct perf_dlfilter_al al = { .size = sizeof(al) };
	PerfStreamFrame frame = { PERF_STREAM_NONE, PERF_STREAM_NONE, address };

	if (!is_stray && perf_dlfilter_fns.resolve_address(context, address, &al) == 0) {
		frame.symbol = name_of(self, al.sym).number;
		frame.dso = name_of(self, al.dso).number;
		frame.address = al.addr;
	}
	return tell_frame(self, &frame, (Place){ al.dso, al.addr });
}

static uint32_t frame_number(Plugin *self, const FrameSlot *key, bool is_stray, void *context)
{
	FrameTable *table = key->generation == 0 ? &self->kernel : &self->user;
	FrameSlot *slot;

	if (2 * ((size_t)table->n + 1) > table->n_slots)
		grow_frames(table);
	slot = frame_slot(table, key);
	if (slot->number == 0) {
		*slot = *key;
		slot->number = new_frame(self, key->address, is_stray, context) + 1;
		table->n++;
	}
	return slot->number - 1;
}

/* --- processes --------------------------------------------------------------------------- */

static Process *process_slot(Process *slots, size_t n_slots, int32_t pid)
{
	size_t i = mix((uint32_t)pid) & (n_slots - 1);

	while (slots[i].generation != 0 && slots[i].pid != pid)
		i = (i + 1) & (n_slots - 1);
	return &slots[i];
}

static void grow_processes(Plugin *self)
{
	size_t n = self->n_process_slots > 0 ? self->n_process_slots * 2 : 1024;
	Process *slots = calloc(n, sizeof(*slots));

	if (slots == NULL)
		abort();
	for (size_t i = 0; i < self->n_process_slots; i++)
		if (self->processes[i].generation != 0)
			*process_slot(slots, n, self->processes[i].pid) = self->processes[i];
	free(self->processes);
	self->processes = slots;
	self->n_process_slots = n;
}

static Process *process_of(Plugin *self, int32_t pid)
{
	Process *process;

	if (2 * (self->n_processes + 1) > self->n_process_slots)
		grow_processes(self);
	process = process_slot(self->processes, self->n_process_slots, pid);
	if (process->generation == 0) {
		*process = (Process){ pid, 1 };
		self->n_processes++;
	}
	return process;
}

/* perf says where each leaf is at present. If it was elsewhere before, the process has something
 * else mapped there since: all that is known of its addresses is forgotten. */
static uint32_t follow_maps(Plugin *self, FrameSlot key, const struct perf_dlfilter_al *leaf)
{
	Process *process = process_of(self, (int32_t)key.pid);
	const FrameSlot *slot;

	key.generation = process->generation;
	if (leaf == NULL || key.address >= KERNEL_BEGIN || self->user.n == 0)
		return process->generation;
	slot = frame_slot(&self->user, &key);
	if (slot->number != 0 && (self->places[slot->number - 1].dso != leaf->dso ||
				  self->places[slot->number - 1].offset != leaf->addr))
		process->generation++;
	return process->generation;
}

/* --- samples ----------------------------------------------------------------------------- */

/* Call chains from copied stacks or branch records are put together by perf when it prints. */
static bool is_unwound_by_perf(const struct perf_event_attr *attr)
{
	return attr != NULL &&
	       (attr->sample_type & (PERF_SAMPLE_STACK_USER | PERF_SAMPLE_BRANCH_STACK)) != 0;
}

static bool is_of_kernel(uint64_t marker)
{
	return marker == (uint64_t)PERF_CONTEXT_KERNEL || marker == (uint64_t)PERF_CONTEXT_HV ||
	       marker == (uint64_t)PERF_CONTEXT_GUEST_KERNEL;
}

/* `key` is that of the process. A chain begins with the user's part unless a marker says so. */
static void fill_chain(Plugin *self, PerfStreamSample *record, FrameSlot key,
		       const struct perf_dlfilter_sample *sample, void *context)
{
	uint64_t n = sample->raw_callchain_nr < MAX_CHAIN ? sample->raw_callchain_nr : MAX_CHAIN;
	const FrameSlot none = { .comm = STRAY };
	const FrameSlot kernel = { 0 };
	bool in_kernel = false;

	for (uint64_t i = 0; i < n; i++) {
		uint64_t address = sample->raw_callchain[i];
		bool is_kernel = address >= KERNEL_BEGIN;
		FrameSlot of = is_kernel != in_kernel ? none : is_kernel ? kernel : key;

		if (address >= CONTEXT_BEGIN) {
			in_kernel = is_of_kernel(address);
			continue;
		}
		of.address = address;
		self->chain[record->n_frames++] =
			frame_number(self, &of, is_kernel != in_kernel, context);
	}
	if (sample->raw_callchain_nr > 0 || sample->ip == 0)
		return;
	if (sample->ip >= KERNEL_BEGIN)
		key = kernel;
	key.address = sample->ip;
	self->chain[record->n_frames++] = frame_number(self, &key, false, context);
}

int filter_event_early(void *data, const struct perf_dlfilter_sample *sample, void *context);

int filter_event_early(void *data, const struct perf_dlfilter_sample *sample, void *context)
{
	Plugin *self = data;
	const struct perf_event_attr *attr = perf_dlfilter_fns.attr(context);
	const struct perf_dlfilter_al *al = perf_dlfilter_fns.resolve_ip(context);
	FrameSlot key;
	bool has_time = attr == NULL || (attr->sample_type & PERF_SAMPLE_TIME) != 0;
	bool has_cpu = attr == NULL || (attr->sample_type & PERF_SAMPLE_CPU) != 0;
	PerfStreamSample record = { .time_ns = has_time ? sample->time : UINT64_MAX,
				    .period = sample->period,
				    .pid = sample->pid,
				    .tid = sample->tid,
				    .cpu = has_cpu ? sample->cpu : -1 };

	if (self->has_refused || is_unwound_by_perf(attr)) {
		if (!self->has_refused)
			tell(self, PERF_STREAM_REFUSED, NULL, 0);
		self->has_refused = true;
		return -1;
	}
	record.comm = name_again(self, &self->comm, al != NULL ? al->comm : NULL);
	record.event = name_again(self, &self->event, sample->event);
	key = (FrameSlot){ sample->ip, (uint32_t)sample->pid, record.comm, 0, 0 };
	key.generation = follow_maps(self, key, al);
	fill_chain(self, &record, key, sample, context);
	tell(self, PERF_STREAM_SAMPLE, &record, sizeof(record));
	put(self, self->chain, record.n_frames * sizeof(self->chain[0]));
	return self->has_failed ? -1 : 1;
}

int start(void **data, void *context);

int start(void **data, void *context)
{
	int n_args = 0;
	char **args = perf_dlfilter_fns.args(context, &n_args);
	Plugin *self = calloc(1, sizeof(*self));

	if (self == NULL || n_args != 1)
		return -1;
	self->fd = atoi(args[0]);
	put(self, PERF_STREAM_MAGIC, PERF_STREAM_MAGIC_LEN);
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
	tell(self, PERF_STREAM_END, NULL, 0);
	flush(self);
	return self->has_failed ? -1 : close(self->fd);
}

const char *filter_description(const char **long_description);

const char *filter_description(const char **long_description)
{
	*long_description = "Hands samples to flamebeat; run by `flamebeat` itself.";
	return "samples for flamebeat";
}
