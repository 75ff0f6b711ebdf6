/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdio.h>

#include "serve/library.h"
#include "serve/query-string.h"
#include "store/notes.h"

/*
 * What the page asks for (docs/http-api.md): the list of recordings, and commands of the program
 * run on one of them. The program itself is above this layer and hands its commands in.
 */

/* One run of a command. */
typedef struct {
	const char *command;
	const GPtrArray *keys, *values; /* the query, in order: option names and values */
	char **inputs;			/* the recording, as the user named it */
	/* A reference to the recording at `inputs`. */
	Store *(*open)(void *context, char *const *inputs, GError **error);
	void *context;
	const gint *is_cancelled;
	FILE *sink;
} CommandCall;

typedef struct {
	const char *const *names; /* of the commands, NULL-terminated */
	/* Writes what the command prints to the sink; returns its media type, or NULL. */
	const char *(*run)(const CommandCall *call, Notes *notes, GError **error);
} CommandRunner;

typedef struct {
	Library *library;
	const CommandRunner *runner;
} Api;

typedef struct {
	unsigned int status;
	const char *media_type;
	GBytes *body;
	char *etag;  /* or NULL */
	char *notes; /* the command's notes, a line each, percent-encoded; or NULL */
} Response;

void response_clear(Response *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Response, response_clear)

/* The body `text`, which it takes. */
Response response_text(unsigned int status, const char *media_type, char *text);

/* Answers `target` (below /api/); `if_none_match` or NULL: the tag that the client has already. */
Response api_answer(const Api *self, const char *target, const char *if_none_match,
		    const gint *is_cancelled);
