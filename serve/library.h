/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include <stdbool.h>

#include "store/store.h"

/*
 * The recordings that the server was started with: files, and folders whose files are listed anew
 * each time, also as rings (serve/rings.h). A recording is read in the background when it is first
 * asked for, and again when its file has changed. Safe on any thread.
 */
typedef struct Library Library;

/* Fails where one of `paths` does not exist. */
Library *library_new(char *const *paths, GError **error);
/* Stops the recording that is being read. */
void library_free(Library *self);

typedef enum {
	RECORDING_UNKNOWN, /* no such id */
	RECORDING_READING, /* ask again */
	RECORDING_FAILED,  /* `error` says why */
	RECORDING_READY,
} RecordingState;

/* What library_open() found; `store` and texts belong to the struct. */
typedef struct {
	RecordingState state;
	char **paths;  /* as the user gave them; several: a ring (serve/rings.h) */
	char *version; /* changes when a file does */
	Store *store;  /* where READY */
	char *error;   /* where FAILED */
} OpenRecording;

/* Begins to read the recording where need be, and waits for it, but not long. */
void library_open(Library *self, const char *id, OpenRecording *recording);
void open_recording_clear(OpenRecording *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(OpenRecording, open_recording_clear)

/* `{"schema":…,"commands":[…],"recordings":[{"id","name","paths","state","percent","error","bytes"}]}`,
 * in the order given, folders by name, their rings last. */
char *library_list(Library *self, const char *const *commands);
