/* SPDX-License-Identifier: MIT */
#pragma once

#include "cli/command.h"
#include "parse/load.h"
#include "render/caption.h"
#include "store/query.h"
#include "store/selection.h"
#include "store/store.h"

/* What every command that looks at samples begins with: a store, and a selection of its samples. */
typedef struct {
	Store *store;
	Selection *selection;
	const Query *query; /* what the selection was made of; borrowed, may be NULL */
} Recording;

/* The two steps of recording_open(); they heed the invocation's host. */
Store *recording_load(const Invocation *invocation, char *const *inputs, const LoadSettings *load,
		      GError **error);
Selection *recording_select(const Invocation *invocation, const Store *store, const Query *query,
			    Notes *notes, GError **error);

bool recording_open(Recording *self, const Invocation *invocation, const LoadSettings *load,
		    const Query *query, GError **error);
void recording_clear(Recording *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Recording, recording_clear)

/* A shortfall note where a selection turned out to hold no sample. */
void recording_note_empty(const SelectionCounts *counts, Notes *notes);

/* Words for a picture; the strings are owned by the struct. */
typedef struct {
	Caption caption;
	char *title;
	char *subtitle;
	char *source;
} RecordingCaption;

/* `title`, `subtitle`: the user's, or NULL. Nothing in the words but the default title depends on
 * the form of the input. */
void recording_caption_init(RecordingCaption *self, const Recording *recording,
			    const Invocation *invocation, const SelectionCounts *counts,
			    const char *title, const char *subtitle);
/* Adds a part to the subtitle; empty words are none. */
void recording_caption_add(RecordingCaption *self, const char *words);
void recording_caption_clear(RecordingCaption *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(RecordingCaption, recording_caption_clear)

/* `123,456`; g_free it. */
char *format_count(uint64_t n);
