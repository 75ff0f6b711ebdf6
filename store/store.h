/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#include "store/column.h"
#include "store/text.h"
#include "store/time-range.h"

/*
 * One recording: a column store of samples in subsecond buckets, sorted by time, and tables of the
 * names they use. Immutable; read by any number of threads without locks; made by a StoreBuilder
 * or mapped from a file (store-file.h), which look the same from here.
 *
 * Samples 0 .. n_timed-1 have a time and ascend by it (equal times keep the input's order); the
 * untimed ones follow.
 */
typedef struct Store Store;

/* An id or CPU that the recording does not tell. */
#define ID_NONE INT32_MIN

/* "No such row" for 32-bit ids. */
#define ROW_NONE UINT32_MAX

typedef enum {
	SECTION_TIME, /* offset in the bucket, in ticks */
	SECTION_STACK,
	SECTION_THREAD,
	SECTION_CPU, /* CPU + 1, 0 for unknown */
	SECTION_EVENT,
	SECTION_PERIOD,	       /* period + 1, 0 for none */
	SECTION_CGROUP,	       /* string, empty where none was printed */
	SECTION_STRING_OFFSET, /* n_strings + 1 ends in SECTION_STRING_BYTES */
	SECTION_STRING_BYTES,
	SECTION_FRAME_SYMBOL,
	SECTION_FRAME_DSO,
	SECTION_FRAME_ADDRESS,
	SECTION_FRAME_FLAGS,
	SECTION_STACK_PARENT,
	SECTION_STACK_FRAME,
	SECTION_THREAD_COMM,
	SECTION_THREAD_PID, /* ids are stored as 32-bit two's complement */
	SECTION_THREAD_TID,
	SECTION_EVENT_NAME,
	SECTION_FACT_KEY,
	SECTION_FACT_VALUE,
	N_SECTIONS,
} StoreSection;

/* The samples of [number * bucket_ns, (number + 1) * bucket_ns); empty buckets are not listed. */
typedef struct {
	int64_t number;
	uint64_t first; /* index of its first sample */
} StoreBucket;

struct Store {
	uint64_t n_samples;
	uint64_t n_timed;
	uint64_t n_buckets;
	const StoreBucket *buckets;
	int64_t bucket_ns;
	int64_t tick_ns;  /* every time is a multiple of it: 1 or 1000 */
	int64_t start_ns; /* earliest and latest time; 0 where nothing is timed */
	int64_t last_ns;
	Column columns[N_SECTIONS];

	/* Where the bytes are (store-file.c); in memory there is nothing to verify. */
	struct StoreFile *file;
	gint n_more_refs; /* beside the first */
	void (*release)(Store *self);
};

/* Another reference; each is given up by store_free(), on any thread. */
Store *store_ref(Store *self);
void store_free(Store *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Store, store_free)

/* --- tables ------------------------------------------------------------------------------ */

#define FRAME_INLINED 1u /* perf marked it `(inlined)` */
#define FRAME_FINAL   2u /* the symbol is a displayed name already: it is not tidied */
#define FRAME_AT_LINE 4u /* in the store alone: the address column has the string of its line */

/* One frame as perf printed it, less address and offset; texts live as long as the store. */
typedef struct {
	Text symbol;	  /* empty: perf knew no symbol */
	Text dso;	  /* empty: none printed */
	uint64_t address; /* in its DSO, of a frame without a symbol, where the DSO is known; else 0
			   */
	uint32_t flags;
	Text line; /* source line, "file.c:12", where the input told it; else empty */
} StoreFrame;

/* Comm, process and thread; an exec makes another row. Rows ascend by their earliest sample. */
typedef struct {
	Text comm;
	int32_t pid; /* ID_NONE where only the tid was printed */
	int32_t tid;
} StoreThread;

static inline uint32_t store_n(const Store *self, StoreSection section)
{
	return (uint32_t)self->columns[section].n;
}

#define store_n_strings(self) (store_n((self), SECTION_STRING_OFFSET) - 1)
#define store_n_frames(self)  store_n((self), SECTION_FRAME_SYMBOL)
#define store_n_stacks(self)  store_n((self), SECTION_STACK_PARENT)
#define store_n_threads(self) store_n((self), SECTION_THREAD_COMM)
#define store_n_events(self)  store_n((self), SECTION_EVENT_NAME)
#define store_n_facts(self)   store_n((self), SECTION_FACT_KEY)

Text store_string(const Store *self, uint32_t id);
StoreFrame store_frame(const Store *self, uint32_t id);
StoreThread store_thread(const Store *self, uint32_t id);

/* Events ascend by their earliest sample, on equal times by name. */
Text store_event_name(const Store *self, uint32_t id);

/* Stack 0 is the empty stack; a stack is its parent (towards the root, always of a lower id) and
 * one more frame. */
static inline uint32_t store_stack_parent(const Store *self, uint32_t id)
{
	return (uint32_t)column_get(&self->columns[SECTION_STACK_PARENT], id);
}

static inline uint32_t store_stack_frame(const Store *self, uint32_t id)
{
	return (uint32_t)column_get(&self->columns[SECTION_STACK_FRAME], id);
}

/* --- facts ------------------------------------------------------------------------------- */

/*
 * What is known of the recording as a whole: header lines by their perf name (`hostname`,
 * `nrcpus online`, …) and what we found out, under the FACT_ names. Returns an empty text where
 * the fact is not known; `store_fact_count` reads it as a number, 0 where not known.
 */
Text store_fact(const Store *self, const char *key);
Text store_fact_key(const Store *self, uint32_t i);
Text store_fact_value(const Store *self, uint32_t i);
uint64_t store_fact_count(const Store *self, const char *key);

#define FACT_FRAMES	   "flamebeat.frames"	  /* frame lines accepted */
#define FACT_LINES	   "flamebeat.lines"	  /* lines read */
#define FACT_BYTES	   "flamebeat.bytes"	  /* bytes of text read, unpacked */
#define FACT_FORMAT	   "flamebeat.format"	  /* name of the input format */
#define FACT_LOST	   "flamebeat.lost"	  /* samples that perf says it lost */
#define FACT_SUSPICIOUS	   "flamebeat.suspicious" /* places where records may be forged */
#define FACT_THROTTLED	   "flamebeat.throttled"  /* times the kernel suspended sampling */
#define FACT_SIDE_RECORDS  "flamebeat.side-records"
#define FACT_REVERSALS	   "flamebeat.reversals"     /* samples older than the one before */
#define FACT_MAX_REVERSAL  "flamebeat.max-reversal"  /* largest such step, ns */
#define FACT_TRUNCATED	   "flamebeat.truncated"     /* stacks cut at --max-frames */
#define FACT_CPUS	   "flamebeat.cpus"	     /* CPUs seen, as a list: 0-3,7 */
#define FACT_IDLE_SAMPLES  "flamebeat.idle-samples"  /* idle, presumed idle included */
#define FACT_IDLE_PRESUMED "flamebeat.idle-presumed" /* 1: no idle-task leaf has a symbol */
#define FACT_COVERED_NS	   "flamebeat.covered-ns"
#define FACT_HOLES	   "flamebeat.holes"	  /* `begin_ns..end_ns` separated by blanks */
#define FACT_WALL_UTC	   "flamebeat.wall-utc"	  /* UTC - clock, ns */
#define FACT_WALL_LOCAL	   "flamebeat.wall-local" /* time as printed - clock, ns */
#define FACT_WALL_SOURCE   "flamebeat.wall-source"
#define FACT_WEIGHTED	   "flamebeat.weighted"	      /* 1: a period is a number of samples */
#define FACT_SKIPPED	   "flamebeat.skipped."	      /* + reason: number of lines */
#define FACT_SKIPPED_LINE  "flamebeat.skipped-line."  /* + 0 to 4: `FILE:LINE: reason` */
#define FACT_EVENT	   "flamebeat.event-"	      /* what the next four begin with */
#define FACT_EVENT_SAMPLES "flamebeat.event-samples." /* + event id */
#define FACT_EVENT_PERIOD  "flamebeat.event-period."  /* + event id: sum of periods */

/* + event id: the 5th and the 95th percentile of its periods, rounded down to a sixteenth of an
 * octave; of events that have periods. */
#define FACT_EVENT_PERIOD_LOW  "flamebeat.event-period-low."
#define FACT_EVENT_PERIOD_HIGH "flamebeat.event-period-high."

/* A signed number of ns, within MAX_TIME_NS; false where the fact is not known. */
bool store_fact_signed(const Store *self, const char *key, int64_t *value);

/* --- times ------------------------------------------------------------------------------- */

/* Earliest and latest time, meaningful where n_timed > 0; they need no sample to be read. */
int64_t store_start_ns(const Store *self);
int64_t store_last_ns(const Store *self);

/* Index of the first timed sample at or after `time_ns` (n_timed where there is none). */
bool store_lower_bound(const Store *self, int64_t time_ns, uint64_t *index, GError **error);

/* Time of a timed sample whose bytes were touched; `bucket` is the row of `buckets` it is in. */
static inline int64_t store_time_ns(const Store *self, uint64_t i, uint64_t bucket)
{
	/* Unsigned: an offset that makes no sense must not overflow; what comes of it is refused.
	 */
	return (int64_t)((uint64_t)self->buckets[bucket].number * (uint64_t)self->bucket_ns +
			 column_get(&self->columns[SECTION_TIME], i) * (uint64_t)self->tick_ns);
}

/* The row of `buckets` that sample `i` (timed) is in. */
uint64_t store_bucket_of(const Store *self, uint64_t i);

/*
 * To be called before values [first, first + n) of a sample column are read: a store from a file
 * verifies the checksums of the blocks concerned, once. False: the store is damaged.
 */
bool store_touch(const Store *self, StoreSection section, uint64_t first, uint64_t n,
		 GError **error);

/* Whether a sample may refer to these rows: the values of a store from a file are checked by who
 * decodes them. */
static inline bool store_has_rows(const Store *self, uint64_t stack, uint64_t thread,
				  uint64_t event, uint64_t cgroup)
{
	return stack < store_n_stacks(self) && thread < store_n_threads(self) &&
	       event < store_n_events(self) && cgroup < store_n_strings(self);
}

/* Fails since sample `i` refers to what is not there. */
bool store_fail_sample(uint64_t i, GError **error);
