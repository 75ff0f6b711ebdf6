/* SPDX-License-Identifier: MIT */
/* What is said of a text as a whole, once it is read. */

#include "parse/perf-counts.h"

#include "store/error.h"
#include "store/weight.h"

void perf_counts_append(PerfCounts *self, const PerfCounts *next)
{
	self->lines += next->lines;
	self->bytes += next->bytes;
	self->records += next->records;
	self->frames += next->frames;
	self->flat += next->flat;
	self->side += next->side;
	self->header += next->header;
	self->ignored += next->ignored;
	self->blank += next->blank;
	self->lost = weight_add(self->lost, next->lost);
	self->truncated += next->truncated;
	self->steps_back += next->steps_back;
	self->has_loss = self->has_loss || next->has_loss;
	self->has_short_us = self->has_short_us || next->has_short_us;
}

void perf_counts_record(const PerfCounts *self, StoreBuilder *b)
{
	store_builder_add_count(b, FACT_FRAMES, self->frames);
	store_builder_add_count(b, FACT_LINES, self->lines);
	store_builder_add_count(b, FACT_BYTES, self->bytes);
	store_builder_add_count(b, FACT_SIDE_RECORDS, self->side);
	store_builder_add_count(b, FACT_TRUNCATED, self->truncated);
	store_builder_add_count(b, FACT_LOST, self->lost);
	store_builder_add_count(b, FACT_SUSPICIOUS, self->suspicious);
	store_builder_offer_fact(b, FACT_FORMAT, TEXT("perf script"));
}

void perf_counts_note(const PerfCounts *self, const char *name, uint32_t max_frames, Notes *notes)
{
	g_autofree char *lost = counted(self->lost, "sample");
	g_autofree char *truncated = counted(self->truncated, "stack");
	g_autofree char *suspicious = counted(self->suspicious, "place");

	if (self->lost > 0)
		notes_add(notes, "%s: perf lost %s while recording: the profile is incomplete",
			  name, lost);
	if (self->lost == 0 && self->has_loss)
		notes_add(notes,
			  "%s: perf said that it lost samples while recording: the profile is "
			  "incomplete",
			  name);
	if (self->truncated > 0)
		notes_add(notes,
			  "%s: %s with more than %u frames; what is beyond, towards the root, is "
			  "one frame [truncated] (--max-frames)",
			  name, truncated, max_frames);
	if (self->suspicious > 0)
		notes_add(
			notes,
			"%s: suspicious in %s: lines that look like records stand within the text "
			"of another one (a file or thread whose name holds newlines?)",
			name, suspicious);
	if (self->flat > 0 && self->flat == self->records)
		notes_add(notes,
			  "%s: recorded without call chains: each stack is one frame; record with "
			  "-g for flame graphs",
			  name);
	if (self->has_short_us)
		notes_add(notes,
			  "%s: times have fewer than 6 decimals; read as microseconds, as old "
			  "simpleperf writes them",
			  name);
}

/* Without tid and time, what perf prints before the frames is nothing or anything. */
static bool fail_orphans(const char *name, uint64_t n_frames, uint64_t line, GError **error)
{
	return fail(error, FLAMEBEAT_ERROR_FAILED,
		    "%s:%" G_GUINT64_FORMAT ": %" G_GUINT64_FORMAT
		    " frames without an event line before them; print it again with `perf script "
		    "-F comm,pid,tid,cpu,time,period,event,ip,sym,symoff,dso`",
		    name, line, n_frames);
}

/* Why there is not a single sample, said as precisely as possible. */
static bool fail_empty(const PerfCounts *self, const char *name, const Skips *skips, GError **error)
{
	if (self->bytes == 0)
		return fail(error, FLAMEBEAT_ERROR_FAILED,
			    "%s: no input: the file is empty (did `perf script` print an error?)",
			    name);
	if (self->is_header_open)
		return fail(
			error, FLAMEBEAT_ERROR_FAILED,
			"%s: the header never ends: no second line `# ========`; is the file cut "
			"off?",
			name);
	if (self->side > 0)
		return fail(
			error, FLAMEBEAT_ERROR_FAILED,
			"%s: %" G_GUINT64_FORMAT
			" records of other kinds, but no sample; record with `perf record -F 99 "
			"-a -g`",
			name, self->side);
	if (skips->counts[SKIP_ORPHAN_FRAME] > 0)
		return fail_orphans(name, skips->counts[SKIP_ORPHAN_FRAME], skips->first, error);
	if (self->header > 0 && skips_total(skips) == 0)
		return fail(
			error, FLAMEBEAT_ERROR_FAILED,
			"%s: a header but no samples: did -F leave the events out, or was nothing "
			"sampled?",
			name);
	return fail(
		error, FLAMEBEAT_ERROR_FAILED,
		"%s:1: does not look like perf script output: no event line in %" G_GUINT64_FORMAT
		" lines; make one with `perf script --header --no-inline`",
		name, self->lines);
}

/* Junk with a few lines that happen to fit is junk. */
static bool is_mostly_junk(const PerfCounts *self, const Skips *skips)
{
	uint64_t n_unused = skips_shortfall(skips);

	return n_unused > (self->lines - self->blank) / 2;
}

bool perf_counts_check(const PerfCounts *self, const char *name, const Skips *skips, GError **error)
{
	if (self->records == 0)
		return fail_empty(self, name, skips, error);
	if (self->begins_at_zero && self->records > 3 && self->steps_back > self->records / 4)
		return fail(error, FLAMEBEAT_ERROR_FAILED,
			    "%s: looks like the output of --deltatime, where each time is the "
			    "difference to the one before; print it again without --deltatime",
			    name);
	if (!is_mostly_junk(self, skips))
		return true;
	if (skips->counts[SKIP_ORPHAN_FRAME] > skips_shortfall(skips) / 2)
		return fail_orphans(name, skips->counts[SKIP_ORPHAN_FRAME], skips->first, error);
	return fail(error, FLAMEBEAT_ERROR_FAILED,
		    "%s: does not look like perf script output: %" G_GUINT64_FORMAT
		    " of %" G_GUINT64_FORMAT " line%s none that it prints",
		    name, skips_total(skips), self->lines, self->lines == 1 ? " is" : "s are");
}
