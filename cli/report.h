/* SPDX-License-Identifier: MIT */
#pragma once

#include <jansson.h>

#include "cli/command.h"
#include "cli/fail-if.h"
#include "parse/load.h"
#include "store/query.h"
#include "store/store.h"

/*
 * `flamebeat report`: a folder for each recording with everything the other commands tell of it.
 * A report stands on those commands alone: it runs them as the server does (run-hosted.h), keeps
 * what they print as files, and reads its own findings from their JSON (docs/report-json.md).
 */

#define REPORT_SCHEMA	    "flamebeat/report/1"
#define REPORT_INDEX_SCHEMA "flamebeat/report-index/1"

/* What was asked for. */
typedef struct {
	CommonSettings common;
	LoadSettings load;
	Query query;
	struct {
		char *folder; /* -o */
		char *title;
		char *since, *until;
		gint64 top; /* spikes with a flame graph of their own */
		bool is_each;
		bool is_redone; /* also what is there already */
		char *baseline;
		FailConditions *conditions;
	} report;
} ReportSettings;

/* One recording on its way to a page. */
typedef struct {
	const ReportSettings *settings;
	char **inputs;	    /* NULL-terminated, borrowed */
	const char *folder; /* exists */
	const char *title;
	const char *options; /* what was asked for, as command-line words */
	Store *store;
	GPtrArray *filters; /* words that choose samples, without those that choose time */
	GPtrArray *words;   /* all words that choose samples */
	json_t *json;	    /* the report as it is written */
	Notes *notes;
	int n_threads;	   /* for this page alone */
	bool has_progress; /* someone looks at standard error */
	gint n_done;	   /* steps; atomic */
} ReportPage;

/* --- running commands (report-steps.c) ---------------------------------------------------- */

/* One run of a command, kept as a file in the folder, or as JSON, or both. */
typedef struct {
	const char *key; /* what report.json calls it; static */
	const Command *command;
	GPtrArray *words; /* of char *: options; owned by the step */
	char *file;	  /* name in the folder; NULL: none */
	bool is_json;	  /* keep what it prints */
	json_t *json;
	Notes *notes;
	GError *error;
} ReportStep;

/* A new step at the end of `steps` (of ReportStep, report_steps_new()), valid until the next one;
 * `words` are followed by more words up to NULL. */
GArray *report_steps_new(void);
ReportStep *report_steps_add(GArray *steps, const char *key, const Command *command,
			     const GPtrArray *words, ...) G_GNUC_NULL_TERMINATED;

/* Runs them, on page->n_threads threads at most; notes are added to the page's, in order. False
 * where one failed. */
bool report_steps_run(ReportPage *page, GArray *steps, GError **error);

/* --- JSON at hand (report-json.c) --------------------------------------------------------- */

/* Members of an object; what is missing or of another type is 0, "" or an empty array. */
double report_number(const json_t *object, const char *key);
const char *report_text(const json_t *object, const char *key);
const json_t *report_array(const json_t *object, const char *key);

/* Reads JSON from a file that need not be ours. */
json_t *report_json_load(const char *path, GError **error);

/* --- words (report-words.c) --------------------------------------------------------------- */

/* Names within sentences stand between these two, so that every form can mark and escape them. */
#define REPORT_NAME_BEGIN '\001'
#define REPORT_NAME_END	  '\002'

/* "0.70 s +/- 0.01": a period with the digits that are known of it. */
char *report_words_period(const json_t *period);

/* What was found, a sentence each; of char *. */
GPtrArray *report_words_findings(const json_t *report);

/* The facts beneath the title: when, how long, event, frequency, CPUs, samples. */
GPtrArray *report_words_facts(const json_t *report);

/* `text` without the marks around names, which become `quote`. */
char *report_words_plain(const char *text, const char *quote);

/* --- documents (report-html.c, report-markdown.c, report-index.c) ------------------------- */

void report_html_write(FILE *out, const json_t *report);
void report_markdown_write(FILE *out, const json_t *report);
void report_index_html_write(FILE *out, const json_t *index);
void report_index_markdown_write(FILE *out, const json_t *index);

/* The head of a page with its style; then the body's first tag. */
void report_html_begin(FILE *out, const char *title);
/* `text`, escaped; names in it as code. */
void report_html_text(FILE *out, const char *text);
/* The same in Markdown; `is_cell`: within a table. */
void report_markdown_text(FILE *out, const char *text, bool is_cell);
/* A name as code that nothing in it can end. */
void report_markdown_code(FILE *out, const char *name, bool is_cell);

/* --- pages (report-page.c, report-batch.c) ------------------------------------------------ */

/* Makes all tables and pictures of one recording; page->json is the report. */
bool report_page_make(ReportPage *page, GError **error);
/* Writes the documents, report.json as the last. */
bool report_page_write(ReportPage *page, GError **error);

/* A page for each input, and the index; failed ones are listed there. `*index` is the index. */
bool report_batch_make(const Invocation *invocation, json_t **index, GError **error);

/* --- the gate (report-gate.c) ------------------------------------------------------------- */

/* What --fail-if can look at. */
extern const FailMetric report_metrics[];

/* Judges a report: its "gate" is set, its new periods are noted. Returns whether it passes. */
bool report_gate_judge(const ReportSettings *settings, json_t *report, const json_t *baseline,
		       Notes *notes);

/* What a report's name is compared with in the baseline, itself a report or an index. */
const json_t *report_gate_find(const json_t *baseline, const char *name);
