/* SPDX-License-Identifier: MIT */
/* Two passes over the threads, which ascend by their earliest sample: leaders, then names. */

#include "store/process.h"

struct Processes {
	Text *process; /* by thread id */
	GString **pool;
	uint32_t n;
};

/* What tells processes apart: the pid, or the tid where no pid is known. */
static gpointer process_key(const StoreThread *thread)
{
	gint64 key = thread->pid != ID_NONE ? thread->pid : ((gint64)1 << 40) + thread->tid;

	return (gpointer)(gintptr)key;
}

/* key -> 1 + id of the thread that names the process. After an exec the leader has several rows:
 * the last name is what it became. */
static GHashTable *find_leaders(const Store *store)
{
	GHashTable *leaders = g_hash_table_new(NULL, NULL);
	uint32_t n = store_n_threads(store);

	for (uint32_t i = n; i-- > 0;) {
		StoreThread thread = store_thread(store, i);

		g_hash_table_replace(leaders, process_key(&thread), GUINT_TO_POINTER(i + 1));
	}
	for (uint32_t i = 0; i < n; i++) {
		StoreThread thread = store_thread(store, i);

		if (thread.pid != ID_NONE && thread.pid == thread.tid)
			g_hash_table_replace(leaders, process_key(&thread),
					     GUINT_TO_POINTER(i + 1));
	}
	return leaders;
}

/* `name` with every run of digits as one N. */
static void append_pattern(GString *pattern, Text name)
{
	for (size_t i = 0; i < name.len; i++) {
		if (!g_ascii_isdigit(name.data[i]))
			g_string_append_c(pattern, name.data[i]);
		else if (i == 0 || !g_ascii_isdigit(name.data[i - 1]))
			g_string_append_c(pattern, 'N');
	}
}

static GString *pool_name(Text process, Text comm)
{
	g_autoptr(GString) pattern = g_string_new(NULL);
	g_autoptr(GString) own = g_string_new(NULL);
	GString *name;

	append_pattern(pattern, comm);
	append_pattern(own, process);
	if (g_string_equal(pattern, own))
		return g_steal_pointer(&own);
	name = g_string_new_len(process.data, (gssize)process.len);
	g_string_append_c(name, ':');
	g_string_append_len(name, pattern->str, (gssize)pattern->len);
	return name;
}

Processes *processes_new(const Store *store)
{
	g_autoptr(GHashTable) leaders = find_leaders(store);
	Processes *self = g_new0(Processes, 1);

	self->n = store_n_threads(store);
	self->process = g_new0(Text, (gsize)self->n + 1);
	self->pool = g_new0(GString *, (gsize)self->n + 1);
	for (uint32_t i = 0; i < self->n; i++) {
		StoreThread thread = store_thread(store, i);
		guint leader = GPOINTER_TO_UINT(g_hash_table_lookup(leaders, process_key(&thread)));

		self->process[i] = store_thread(store, leader - 1).comm;
		self->pool[i] = pool_name(self->process[i], thread.comm);
	}
	return self;
}

void processes_free(Processes *self)
{
	if (self == NULL)
		return;
	for (uint32_t i = 0; i < self->n; i++)
		g_string_free(self->pool[i], TRUE);
	g_free(self->pool);
	g_free(self->process);
	g_free(self);
}

Text processes_process_name(const Processes *self, uint32_t thread_id)
{
	return self->process[thread_id];
}

Text processes_pool_name(const Processes *self, uint32_t thread_id)
{
	return (Text){ self->pool[thread_id]->str, self->pool[thread_id]->len };
}
