/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdint.h>

/*
 * What the plug-in in perf (perf-plugin.c) tells flamebeat (perf-stream.c) through a pipe on the
 * same machine: the magic, then records, each a kind and its struct, in the machine's own byte
 * order. Names and frames are told once and then meant by number, from 0.
 */
#define PERF_STREAM_MAGIC     "flamebeat perf stream 1\n"
#define PERF_STREAM_MAGIC_LEN 24

#define PERF_STREAM_NONE UINT32_MAX /* no name */

typedef enum {
	PERF_STREAM_NAME = 1,	 /* PerfStreamName, then its bytes */
	PERF_STREAM_FRAME = 2,	 /* PerfStreamFrame */
	PERF_STREAM_SAMPLE = 3,	 /* PerfStreamSample, then a u32 a frame, leaf first */
	PERF_STREAM_END = 4,	 /* nothing was cut off */
	PERF_STREAM_REFUSED = 5, /* call chains that only perf can unwind: print text instead */
} PerfStreamKind;

typedef struct {
	uint32_t n_bytes;
} PerfStreamName;

typedef struct {
	uint32_t symbol, dso; /* names */
	uint64_t address;     /* in the DSO */
} PerfStreamFrame;

typedef struct {
	uint64_t time_ns; /* UINT64_MAX: not recorded */
	uint64_t period;
	int32_t pid, tid, cpu;
	uint32_t comm, event; /* names */
	uint32_t n_frames;
} PerfStreamSample;
