/* SPDX-License-Identifier: MIT */
/* A job has a reference for its worker and one for each of its waiters. */

#include "serve/jobs.h"

#include <string.h>

#define MAX_JOBS 256

struct Job {
	gint n_refs;
	char *key; /* target and tag */
	char *target;
	char *if_none_match;
	GPtrArray *waiters; /* guarded by Jobs.lock */
	gint is_cancelled;
	Response response;
};

struct Jobs {
	const Api *api;
	void (*wake)(void *waiter);
	GThreadPool *pool;
	GMutex lock;
	GCond idle;
	GHashTable *running; /* key -> Job: those that can be joined */
	guint n_jobs;	     /* begun and not ended */
	bool is_stopping;
};

void job_unref(Job *self)
{
	if (self == NULL || !g_atomic_int_dec_and_test(&self->n_refs))
		return;
	response_clear(&self->response);
	g_ptr_array_unref(self->waiters);
	g_free(self->key);
	g_free(self->target);
	g_free(self->if_none_match);
	g_free(self);
}

const Response *job_response(const Job *self)
{
	return &self->response;
}

/* Nobody can join or leave from here on. */
static GPtrArray *close_job(Jobs *self, Job *job)
{
	GPtrArray *waiters;

	g_mutex_lock(&self->lock);
	if (g_hash_table_lookup(self->running, job->key) == job)
		g_hash_table_remove(self->running, job->key);
	waiters = job->waiters;
	job->waiters = g_ptr_array_new();
	g_mutex_unlock(&self->lock);
	return waiters;
}

static void work(void *data, void *context)
{
	Job *job = data;
	Jobs *self = context;
	g_autoptr(GPtrArray) waiters = NULL;

	if (g_atomic_int_get(&job->is_cancelled) == 0)
		job->response =
			api_answer(self->api, job->target, job->if_none_match, &job->is_cancelled);
	waiters = close_job(self, job);
	for (guint i = 0; i < waiters->len; i++)
		self->wake(g_ptr_array_index(waiters, i));
	g_mutex_lock(&self->lock);
	self->n_jobs--;
	g_cond_signal(&self->idle);
	g_mutex_unlock(&self->lock);
	job_unref(job);
}

Jobs *jobs_new(const Api *api, guint n_threads, void (*wake)(void *waiter))
{
	Jobs *self = g_new0(Jobs, 1);

	self->api = api;
	self->wake = wake;
	g_mutex_init(&self->lock);
	g_cond_init(&self->idle);
	self->running = g_hash_table_new(g_str_hash, g_str_equal);
	self->pool = g_thread_pool_new(work, self, (gint)n_threads, FALSE, NULL);
	return self;
}

static void cancel_all(Jobs *self)
{
	GHashTableIter iter;
	gpointer job;

	g_hash_table_iter_init(&iter, self->running);
	while (g_hash_table_iter_next(&iter, NULL, &job))
		g_atomic_int_set(&((Job *)job)->is_cancelled, 1);
}

bool jobs_stop(Jobs *self, gint64 patience_us)
{
	gint64 deadline = g_get_monotonic_time() + patience_us;
	bool is_idle;

	g_mutex_lock(&self->lock);
	self->is_stopping = true;
	cancel_all(self);
	while (self->n_jobs > 0 && g_cond_wait_until(&self->idle, &self->lock, deadline))
		;
	is_idle = self->n_jobs == 0;
	g_mutex_unlock(&self->lock);
	if (!is_idle)
		return false;
	g_thread_pool_free(self->pool, FALSE, TRUE);
	g_hash_table_unref(self->running);
	g_cond_clear(&self->idle);
	g_mutex_clear(&self->lock);
	g_free(self);
	return true;
}

/* With the lock held. */
static Job *begin(Jobs *self, const char *key, const char *target, const char *if_none_match)
{
	Job *job;

	if (self->n_jobs >= MAX_JOBS || self->is_stopping)
		return NULL;
	job = g_new0(Job, 1);
	job->n_refs = 1; /* the worker's */
	job->key = g_strdup(key);
	job->target = g_strdup(target);
	job->if_none_match = g_strdup(if_none_match);
	job->waiters = g_ptr_array_new();
	self->n_jobs++;
	g_hash_table_insert(self->running, job->key, job);
	return job;
}

Job *jobs_join(Jobs *self, const char *target, const char *if_none_match, void *waiter)
{
	g_autofree char *key = g_strconcat(target, "\n", if_none_match, NULL);
	bool is_new = false;
	Job *job;

	g_mutex_lock(&self->lock);
	job = g_hash_table_lookup(self->running, key);
	if (job == NULL) {
		job = begin(self, key, target, if_none_match);
		is_new = job != NULL;
	}
	if (job != NULL) {
		g_atomic_int_inc(&job->n_refs);
		g_ptr_array_add(job->waiters, waiter);
	}
	g_mutex_unlock(&self->lock);
	if (is_new)
		g_thread_pool_push(self->pool, job, NULL);
	return job;
}

bool jobs_leave(Jobs *self, Job *job, void *waiter)
{
	bool was_waiting;

	g_mutex_lock(&self->lock);
	was_waiting = g_ptr_array_remove(job->waiters, waiter);
	if (was_waiting && job->waiters->len == 0) {
		g_atomic_int_set(&job->is_cancelled, 1);
		g_hash_table_remove(self->running, job->key);
	}
	g_mutex_unlock(&self->lock);
	return was_waiting;
}
