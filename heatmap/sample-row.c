/* SPDX-License-Identifier: MIT */
/*
 * A sample's key depends on nothing but its CPU or its row of the thread table, so labels are made
 * once for each of these and remembered; after that a sample costs one look-up.
 */

#include "heatmap/sample-row.h"

#include "store/process.h"

struct SampleRows {
	const Store *store;
	HeatmapBy by;
	RowTable *table;
	Processes *processes;	 /* NULL where not needed */
	uint32_t *key_of_thread; /* ROW_NONE until met */
	GHashTable *key_of_cpu;	 /* CPU -> key + 1 */
};

SampleRows *sample_rows_new(const Store *store, HeatmapBy by)
{
	uint32_t n_threads = store_n_threads(store);
	SampleRows *self = g_new0(SampleRows, 1);
	self->store = store;
	self->by = by;
	self->table = row_table_new();
	self->key_of_cpu = g_hash_table_new(g_direct_hash, g_direct_equal);
	self->key_of_thread = g_new(uint32_t, n_threads);
	for (uint32_t i = 0; i < n_threads; i++)
		self->key_of_thread[i] = ROW_NONE;
	if (by == HEATMAP_BY_POOL || by == HEATMAP_BY_PROCESS)
		self->processes = processes_new(store);
	return self;
}

void sample_rows_free(SampleRows *self)
{
	if (self == NULL)
		return;
	processes_free(self->processes);
	g_free(self->key_of_thread);
	g_hash_table_unref(self->key_of_cpu);
	row_table_free(self->table);
	g_free(self);
}

RowTable *sample_rows_table(SampleRows *self)
{
	return self->table;
}

static uint32_t cpu_key(SampleRows *self, int32_t cpu)
{
	uint32_t key =
		GPOINTER_TO_UINT(g_hash_table_lookup(self->key_of_cpu, GINT_TO_POINTER(cpu)));
	if (key > 0)
		return key - 1;
	g_autofree char *label =
		cpu == ID_NONE ? g_strdup("CPU unknown") : g_strdup_printf("CPU %d", cpu);
	key = row_table_key(self->table, label, cpu == ID_NONE ? INT64_MAX : cpu);
	g_hash_table_insert(self->key_of_cpu, GINT_TO_POINTER(cpu), GUINT_TO_POINTER(key + 1));
	return key;
}

/* "comm pid/tid", without what is not known. */
static char *thread_label(const StoreThread *thread)
{
	g_autoptr(GString) label = g_string_new_len(thread->comm.data, (gssize)thread->comm.len);
	if (thread->pid != ID_NONE && thread->tid != ID_NONE)
		g_string_append_printf(label, " %d/%d", thread->pid, thread->tid);
	else if (thread->tid != ID_NONE)
		g_string_append_printf(label, " %d", thread->tid);
	return g_string_free(g_steal_pointer(&label), FALSE);
}

static char *copy_text(Text text)
{
	return text.len > 0 ? g_strndup(text.data, text.len) : g_strdup("(no name)");
}

static char *label_of(const SampleRows *self, uint32_t thread_id)
{
	StoreThread thread = store_thread(self->store, thread_id);
	switch (self->by) {
	case HEATMAP_BY_POOL:
		return copy_text(processes_pool_name(self->processes, thread_id));
	case HEATMAP_BY_PROCESS:
		return copy_text(processes_process_name(self->processes, thread_id));
	case HEATMAP_BY_COMM:
		return copy_text(thread.comm);
	default:
		return thread_label(&thread);
	}
}

uint32_t sample_rows_key(SampleRows *self, const SampleBlock *block, size_t i)
{
	if (self->by == HEATMAP_BY_CPU)
		return cpu_key(self, block->cpu[i]);
	uint32_t *key = &self->key_of_thread[block->thread[i]];
	if (*key == ROW_NONE) {
		g_autofree char *label = label_of(self, block->thread[i]);
		*key = row_table_key(self->table, label, 0);
	}
	return *key;
}
