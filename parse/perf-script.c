/* SPDX-License-Identifier: MIT */
/*
 * `perf script` text on all CPUs. Each worker, in turn, reads a block that ends between two
 * records, parses it into tables of its own while others do the same, and, in the order of the
 * blocks, has what came of it taken into the recording: the result is what one worker alone makes.
 *
 * That alone is what a worker supposes of the text before its block: that it holds records, and
 * that no header is open. Where this turns out wrong, and where a block could not be cut between
 * records, the block is parsed in its turn, right behind what is before it.
 */

#include "parse/format.h"

#include "parse/block-reader.h"
#include "parse/script-parser.h"
#include "store/builder-merge.h"
#include "store/error.h"
#include "store/wall-clock.h"

#define BLOCK_BYTES ((size_t)512 << 10)
#define MAX_WORKERS 64

typedef struct {
	ParseJob *job;

	GMutex reading; /* of the next three */
	BlockReader blocks;
	GError *error;
	bool is_stopped;

	GMutex merging; /* of the rest */
	GCond merged;
	uint64_t n_merged; /* blocks */
	ScriptParser serial;
	ScriptFindings found; /* in all blocks so far; without the remarks */
	bool has_time_of_day;
} Script;

typedef struct {
	Script *script;
	Block block;
	StoreBuilder *builder;
	BuilderMap map;
	ScriptParser parser;
	bool is_parsed; /* the block, into `builder` */
} Worker;

/* --- in order ---------------------------------------------------------------------------- */

/* What was said of the whole recording, in the order in which it was said. */
static void heed_remarks(Script *self, const ScriptFindings *found)
{
	StoreBuilder *builder = self->job->builder;

	for (size_t i = 0; i < found->remarks.n; i++) {
		const ScriptRemark *remark = &found->remarks.data[i];
		g_autofree char *offset = NULL;

		if (remark->line != NULL) {
			perf_header_comment(text_from(remark->line), builder);
			continue;
		}
		if (self->has_time_of_day)
			continue;
		self->has_time_of_day = true;
		offset = g_strdup_printf("%" G_GINT64_FORMAT, remark->offset_ns);
		if (store_builder_offer_fact(builder, FACT_WALL_LOCAL, text_from(offset)))
			store_builder_offer_fact(builder, FACT_WALL_SOURCE, TEXT("tod"));
	}
}

static Text text_of(const Block *block)
{
	Text text = { block->data, block->n };

	/* A byte order mark. */
	if (block->number == 0 && text_starts(text, "\xef\xbb\xbf"))
		text = text_skip(text, 3);
	return text;
}

static void parse_in_turn(Script *self, const Block *block)
{
	ScriptParser *parser = &self->serial;

	script_parser_begin(parser, &self->found.counts);
	script_parser_take(parser, text_of(block));
	if (block->ends_clean)
		script_parser_end(parser, block->is_last);
	script_findings_append(&self->found, &parser->found, 0, NULL);
	heed_remarks(self, &parser->found);
}

/* Whether what the worker supposed is so. */
static bool is_sound(const Script *self, const Worker *worker)
{
	return worker->is_parsed && !self->serial.header.is_open &&
	       (self->found.counts.records > 0 || !worker->parser.found.is_told_by_earlier);
}

static bool worker_init(Worker *self, Script *script)
{
	*self = (Worker){ .script = script, .builder = store_builder_new() };
	return script_parser_init(&self->parser, self->builder, script->job->max_frames);
}

static void worker_clear(Worker *self)
{
	script_parser_clear(&self->parser);
	store_builder_free(self->builder);
	builder_map_clear(&self->map);
	block_clear(&self->block);
}

/* Its tables may hold what is in no record: it begins anew. */
static bool worker_reset(Worker *self)
{
	Block block = self->block;

	self->block = (Block){ 0 };
	worker_clear(self);
	if (!worker_init(self, self->script))
		return false;
	self->block = block;
	return true;
}

/* In the block's turn. */
static bool merge(Script *self, Worker *worker)
{
	if (!is_sound(self, worker)) {
		parse_in_turn(self, &worker->block);
		return !worker->is_parsed || worker_reset(worker);
	}
	if (!store_builder_take(self->job->builder, worker->builder, &worker->map))
		return true; /* said by store_builder_finish */
	script_findings_append(&self->found, &worker->parser.found, self->found.counts.lines,
			       worker->map.events.data);
	heed_remarks(self, &worker->parser.found);
	self->serial.header = worker->parser.header;
	return true;
}

/* --- workers ----------------------------------------------------------------------------- */

static bool read_block(Script *self, Block *block)
{
	bool ok;

	g_mutex_lock(&self->reading);
	ok = !self->is_stopped && block_reader_next(&self->blocks, block, &self->error) &&
	     block->n > 0;
	self->is_stopped = !ok;
	g_mutex_unlock(&self->reading);
	return ok;
}

static void stop(Script *self)
{
	g_mutex_lock(&self->reading);
	self->is_stopped = true;
	g_mutex_unlock(&self->reading);
}

static void parse_ahead(Worker *self)
{
	static const PerfCounts nothing, supposed = { .records = 1 };

	self->is_parsed = self->block.begins_clean && self->block.ends_clean;
	if (!self->is_parsed)
		return;
	self->parser.header = (PerfHeader){ 0 };
	script_parser_begin(&self->parser, self->block.number > 0 ? &supposed : &nothing);
	script_parser_take(&self->parser, text_of(&self->block));
	script_parser_end(&self->parser, self->block.is_last);
}

static void merge_in_turn(Worker *self)
{
	Script *script = self->script;
	bool ok;

	g_mutex_lock(&script->merging);
	while (script->n_merged < self->block.number)
		g_cond_wait(&script->merged, &script->merging);
	ok = merge(script, self) && !store_builder_has_failed(script->job->builder);
	script->n_merged++;
	g_cond_broadcast(&script->merged);
	g_mutex_unlock(&script->merging);
	if (!ok)
		stop(script);
}

static gpointer work(gpointer data)
{
	Worker *self = data;

	while (read_block(self->script, &self->block)) {
		parse_ahead(self);
		merge_in_turn(self);
	}
	return NULL;
}

static void parse_alone(Script *self)
{
	Block block = { 0 };

	while (read_block(self, &block) && !store_builder_has_failed(self->job->builder))
		parse_in_turn(self, &block);
	block_clear(&block);
}

/* This thread is one of the workers. */
static bool parse_together(Script *self, guint n_workers)
{
	g_autofree Worker *workers = g_new0(Worker, n_workers);
	g_autofree GThread **threads = g_new0(GThread *, n_workers);
	bool ok = true;

	for (guint i = 0; i < n_workers; i++)
		ok = worker_init(&workers[i], self) && ok;
	for (guint i = 1; ok && i < n_workers; i++)
		threads[i] = g_thread_new("parse", work, &workers[i]);
	if (ok)
		work(&workers[0]);
	for (guint i = 0; i < n_workers; i++) {
		if (threads[i] != NULL)
			g_thread_join(threads[i]);
		worker_clear(&workers[i]);
	}
	return ok;
}

/* --- the whole --------------------------------------------------------------------------- */

static bool finish(Script *self, GError **error)
{
	ParseJob *job = self->job;
	PerfCounts *counts = &self->found.counts;
	const char *name = input_name(job->input);

	/* The last block need not have ended between records. */
	script_parser_begin(&self->serial, counts);
	script_parser_end(&self->serial, true);
	script_findings_append(&self->found, &self->serial.found, 0, NULL);
	counts->bytes = self->blocks.n_bytes;
	counts->begins_at_zero = counts->records > 0 && self->found.first_time_ns == 0;
	counts->is_header_open = self->serial.header.is_open;
	counts->suspicious = suspicion_count(&self->found.suspicion);
	skips_append(job->skips, &self->found.skips, 0);
	perf_counts_record(counts, job->builder);
	if (store_builder_has_failed(job->builder))
		return true; /* said by store_builder_finish */
	if (!perf_counts_check(counts, name, job->skips, error))
		return false;
	perf_counts_note(counts, name, job->max_frames, job->notes);
	return true;
}

static bool parse_all(Script *self, GError **error)
{
	guint n_workers = MIN(self->job->n_threads, MAX_WORKERS);
	bool ok = true;

	if (n_workers > 1)
		ok = parse_together(self, n_workers);
	else
		parse_alone(self);
	if (!ok)
		return fail(error, FLAMEBEAT_ERROR_LIMIT, "%s: out of memory",
			    input_name(self->job->input));
	if (self->error == NULL)
		return finish(self, error);
	g_propagate_error(error, g_steal_pointer(&self->error));
	return false;
}

static bool parse(ParseJob *job, GError **error)
{
	Script self = { .job = job };
	bool ok;

	g_mutex_init(&self.reading);
	g_mutex_init(&self.merging);
	g_cond_init(&self.merged);
	block_reader_init(&self.blocks, job->input, script_last_cut,
			  job->block_bytes > 0 ? job->block_bytes : BLOCK_BYTES);
	ok = script_parser_init(&self.serial, job->builder, job->max_frames) ||
	     fail(error, FLAMEBEAT_ERROR_LIMIT, "%s: out of memory", input_name(job->input));
	ok = ok && parse_all(&self, error);
	script_parser_clear(&self.serial);
	script_findings_clear(&self.found);
	block_reader_clear(&self.blocks);
	g_mutex_clear(&self.reading);
	g_mutex_clear(&self.merging);
	g_cond_clear(&self.merged);
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
