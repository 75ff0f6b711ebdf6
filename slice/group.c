/* SPDX-License-Identifier: MIT */
/* A string table of names; threads are named up front, CPUs when met. */

#include "slice/group.h"

#include "store/process.h"
#include "store/string-table.h"

struct Groups {
	const Store *store;
	GroupBy by;
	bool keep_blanks;
	StringTable names;
	uint32_t *by_thread;
	GString *scratch;
};

/* FlameGraph's spelling: blanks in a comm are `_`, an unknown id is `?`. */
static void append_comm(Groups *self, Text comm)
{
	if (comm.len == 0)
		g_string_append(self->scratch, "[unknown]");
	for (size_t i = 0; i < comm.len; i++)
		g_string_append_c(self->scratch,
				  comm.data[i] == ' ' && !self->keep_blanks ? '_' : comm.data[i]);
}

static void append_id(GString *name, char separator, int32_t id)
{
	if (id == ID_NONE)
		g_string_append_printf(name, "%c?", separator);
	else
		g_string_append_printf(name, "%c%d", separator, id);
}

static void name_thread(Groups *self, const StoreThread *thread)
{
	append_comm(self, thread->comm);
	if (self->by == GROUP_BY_PID || self->by == GROUP_BY_TID)
		append_id(self->scratch, '-', thread->pid);
	if (self->by == GROUP_BY_TID)
		append_id(self->scratch, '/', thread->tid);
}

static void name_process(Groups *self, Text name, int32_t pid)
{
	if (pid == ID_NONE)
		g_string_append(self->scratch, "[pid unknown]");
	else
		append_comm(self, name);
	if (pid != ID_NONE)
		append_id(self->scratch, '-', pid);
}

static uint32_t add_name(Groups *self, Text name)
{
	uint32_t id = string_table_add(&self->names, name);

	if (id == ROW_NONE)
		g_error("out of memory for names");
	return id;
}

static void name_threads(Groups *self, const Store *store)
{
	/* In a table a process is one row, whatever its threads are called. */
	bool is_pid_table = self->by == GROUP_BY_PID && self->keep_blanks;
	bool by_process = self->by == GROUP_BY_PROCESS || self->by == GROUP_BY_POOL || is_pid_table;
	g_autoptr(Processes) processes = by_process ? processes_new(store) : NULL;

	self->by_thread = g_new(uint32_t, (gsize)store_n_threads(store) + 1);
	for (uint32_t i = 0; i < store_n_threads(store); i++) {
		StoreThread thread = store_thread(store, i);

		g_string_truncate(self->scratch, 0);
		if (is_pid_table)
			name_process(self, processes_process_name(processes, i), thread.pid);
		else if (self->by == GROUP_BY_PROCESS)
			append_comm(self, processes_process_name(processes, i));
		else if (self->by == GROUP_BY_POOL)
			append_comm(self, processes_pool_name(processes, i));
		else
			name_thread(self, &thread);
		self->by_thread[i] =
			add_name(self, (Text){ self->scratch->str, self->scratch->len });
	}
}

Groups *groups_new(const Store *store, GroupBy by, bool keep_blanks)
{
	Groups *self = g_new0(Groups, 1);

	self->by = by;
	self->keep_blanks = keep_blanks;
	self->scratch = g_string_new(NULL);
	if (!string_table_init(&self->names))
		g_error("out of memory for names");
	self->store = store;
	if (by != GROUP_BY_NONE && by != GROUP_BY_CPU && by != GROUP_BY_CGROUP)
		name_threads(self, store);
	return self;
}

void groups_free(Groups *self)
{
	if (self == NULL)
		return;
	string_table_clear(&self->names);
	g_string_free(self->scratch, TRUE);
	g_free(self->by_thread);
	g_free(self);
}

static uint32_t group_of_cpu(void *context, int32_t cpu)
{
	Groups *self = context;

	if (cpu == ID_NONE)
		return add_name(self,
				self->keep_blanks ? TEXT("CPU unknown") : TEXT("CPU_unknown"));
	g_string_printf(self->scratch, self->keep_blanks ? "CPU %d" : "CPU_%d", cpu);
	return add_name(self, (Text){ self->scratch->str, self->scratch->len });
}

static uint32_t group_of_cgroup(void *context, uint32_t cgroup)
{
	Groups *self = context;
	Text path = store_string(self->store, cgroup);

	return add_name(self, path.len > 0 ? path : TEXT("[no cgroup]"));
}

Grouping groups_grouping(Groups *self)
{
	return (Grouping){ .by_thread = self->by_thread,
			   .by_cpu = self->by == GROUP_BY_CPU ? group_of_cpu : NULL,
			   .by_cgroup = self->by == GROUP_BY_CGROUP ? group_of_cgroup : NULL,
			   .context = self };
}

Text groups_name(const Groups *self, uint32_t group)
{
	return string_table_get(&self->names, group);
}
