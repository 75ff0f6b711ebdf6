/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include <stdbool.h>

#include "serve/api.h"

/*
 * Answers being made, on a bounded number of threads. Who asks for what is being made already
 * waits for the same answer; an answer that nobody waits for any more is cancelled. Safe on any
 * thread.
 */
typedef struct Jobs Jobs;
typedef struct Job Job;

/* `wake` is called once for each waiter that did not leave, from any thread, without locks. */
Jobs *jobs_new(const Api *api, guint n_threads, void (*wake)(void *waiter));
/* Cancels what there is and waits up to `patience_us`; false: some would not end (and `self`
 * stays). */
bool jobs_stop(Jobs *self, gint64 patience_us);

/* A reference to the job that answers `target`, which `waiter` waits for from now on; NULL where
 * too many wait already. */
Job *jobs_join(Jobs *self, const char *target, const char *if_none_match, void *waiter);
/* `waiter` has gone; false where it was (or is being) woken. */
bool jobs_leave(Jobs *self, Job *job, void *waiter);

/* Of a job that woke its waiters. */
const Response *job_response(const Job *self);
void job_unref(Job *self);
