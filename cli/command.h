/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "parse/load.h"
#include "store/notes.h"
#include "store/option.h"

/* Exit statuses (contract); errors carry theirs as their code. */
enum {
	STATUS_DONE = 0,
	STATUS_FAILED = 1,
	STATUS_USAGE = 2,
	STATUS_SHORTFALL = 3, /* with --strict */
};

/* Settings that every command has. */
typedef struct {
	bool is_strict;
	bool is_quiet;
	int n_threads; /* 0: as many as there are CPUs */
} CommonSettings;

extern const OptionRow common_options[];

/* One table of options of a command, and where in the command's settings its values go. */
typedef struct {
	const char *title; /* in --help */
	const OptionRow *rows;
	size_t offset;
} OptionTable;

/* What a command stands on where it is not the command line that runs it but the server. */
typedef struct {
	/* A reference to the recording at `inputs`, instead of load_recording(). */
	Store *(*open)(void *context, char *const *inputs, GError **error);
	void *context;
	FILE *sink;		  /* takes the result, whatever the output's path is */
	const gint *is_cancelled; /* not 0 (set by another thread): nobody waits any more */
} Host;

/* What a command is run with. */
typedef struct {
	void *settings;	     /* the struct that its option tables fill */
	char **inputs;	     /* NULL-terminated; or the words of a command */
	const char *options; /* the options as given, as command-line words */
	Notes *notes;
	const Host *host; /* NULL: the command line */
} Invocation;

#define MAX_OPTION_TABLES 12

/* A row of commands[] in main.c; defined at the foot of its own file. */
typedef struct {
	const char *name;
	const char *alias; /* or NULL */
	const char *arguments;
	const char *help; /* one line */
	size_t settings_size;
	void (*init)(void *settings);  /* of zeroed settings; may be NULL */
	void (*clear)(void *settings); /* may be NULL */
	/* Ends with one without rows. The struct's first member must be a CommonSettings. */
	OptionTable tables[MAX_OPTION_TABLES];
	bool (*run)(const Invocation *invocation, GError **error);
	/* Instead of inputs there may be a command line: options end at its first word, or at
	 * `--`. */
	bool takes_command;
	bool is_input_optional;
} Command;

extern const Command command_diff;
extern const Command command_ingest;
extern const Command command_info;
extern const Command command_heatmap;
extern const Command command_slice;
extern const Command command_top;
extern const Command command_periods;
extern const Command command_spikes;
extern const Command command_record;
extern const Command command_report;
extern const Command command_serve;
