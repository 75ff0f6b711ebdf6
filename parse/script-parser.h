/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "parse/event-line.h"
#include "parse/frame-memo.h"
#include "parse/perf-counts.h"
#include "parse/perf-header.h"
#include "parse/skips.h"
#include "parse/suspicion.h"
#include "store/array.h"
#include "store/builder.h"

/*
 * `perf script` text as whole lines, a block after another, into samples. Blocks that begin and end
 * between two records can be parsed in any order, by as many parsers as there are threads; what
 * is told of the text as a whole is then put together in the text's order.
 */

/* Something said of the whole recording: a line that begins with `#`, or a time of the day. */
typedef struct {
	char *line;	   /* NULL: it is a time of the day */
	int64_t offset_ns; /* of it to the recording's clock */
} ScriptRemark;

/* What was met in a block, or in several. */
typedef struct {
	PerfCounts counts;
	Skips skips;
	Suspicion suspicion;
	ARRAY_OF(ScriptRemark) remarks;
	int64_t first_time_ns, last_time_ns; /* of its records; where there are any */
	bool is_told_by_earlier; /* a line means what it was taken for only behind a record */
} ScriptFindings;

void script_findings_clear(ScriptFindings *self);

/*
 * Adds what was met in the text right behind; its remarks are left alone. `next` counted lines from
 * `first_line` less; `events` is what its events are in the builder of `self` (NULL: the same).
 */
void script_findings_append(ScriptFindings *self, const ScriptFindings *next, uint64_t first_line,
			    const uint32_t *events);

typedef struct {
	StoreBuilder *builder;
	FrameMemo memo;
	uint32_t max_frames;
	PerfCounts earlier;   /* in the text before, as far as known */
	ScriptFindings found; /* since script_parser_begin() */
	PerfHeader header;    /* whether one is open */
	bool has_time_of_day; /* a remark tells it */

	bool is_open;	  /* a record is being read */
	bool is_aside;	  /* behind a side record, up to a blank line */
	bool is_flat;	  /* its one frame stood on the event line: none follow */
	bool has_payload; /* text of somebody's stood there */
	Sample sample;
	ARRAY_OF(RecordFrame) frames; /* of the record, leaf first */
	uint64_t n_cut;		      /* frames of it beyond max_frames */
	GString *cgroup;	      /* of the record; empty: none printed */
	GString *bare;		      /* a line that is an event line if frames follow; or empty */
	uint64_t bare_line;	      /* its number */
} ScriptParser;

/* False when out of memory; `builder` takes the samples. */
bool script_parser_init(ScriptParser *self, StoreBuilder *builder, uint32_t max_frames);
void script_parser_clear(ScriptParser *self);

/* Forgets what was found; an open record, or header, goes on. Lines are counted from those of
 * `earlier` on. */
void script_parser_begin(ScriptParser *self, const PerfCounts *earlier);

/* Parses a block of whole lines; the last may lack its line feed. */
void script_parser_take(ScriptParser *self, Text block);

/* The last record ends here: at the end of the text, or at a cut. */
void script_parser_end(ScriptParser *self, bool is_end_of_text);

/* Nothing but blanks. */
bool script_line_is_blank(Text line);
/* Continuations of side records, and brstackinsn's instructions; the line begins with a TAB. */
bool script_line_is_tab_trailer(Text line);
/* Frames that lost their indentation in an editor: those that look like nothing else. */
bool script_line_is_unindented_frame(Text line);
/* What perf prints behind the frames: registers, branches, instructions, what a program put out. */
bool script_line_is_trailer(Text line);
/* `  file.c:123` after a frame (-F +srcline): two blanks, where the rest of a thread's name that
 * holds a newline stands in a column. */
bool script_line_is_srcline(Text line);
/* Without the carriage return at its end. */
Text script_line_trim(Text line);

/*
 * The last place in `block`, which begins with a whole line, where one record has ended and none
 * has begun, whatever was before: behind a blank line, or before an event line. 0: there is none.
 */
size_t script_last_cut(Text block);
