/* SPDX-License-Identifier: MIT */
/*
 * Names of processes and pools (contract, "Which samples count").
 */

#include "store/process.h"

#include "tests/store-fixture.h"

/* The thread of this comm and tid. */
static uint32_t thread_of(const Store *store, const char *comm, int32_t tid)
{
	for (uint32_t i = 0; i < store_n_threads(store); i++) {
		StoreThread thread = store_thread(store, i);

		if (thread.tid == tid && text_equal(thread.comm, text_from(comm)))
			return i;
	}
	g_error("no thread %s %d", comm, tid);
}

static void check(const Store *store, const char *comm, int32_t tid, const char *process,
		  const char *pool)
{
	g_autoptr(Processes) names = processes_new(store);
	uint32_t id = thread_of(store, comm, tid);
	Text process_name = processes_process_name(names, id);
	Text pool_name = processes_pool_name(names, id);

	g_assert_cmpmem(process_name.data, process_name.len, process, strlen(process));
	g_assert_cmpmem(pool_name.data, pool_name.len, pool, strlen(pool));
}

/* The thread whose tid is the pid, wherever it stands. */
static void test_named_by_leader(void)
{
	g_autoptr(Store) store = store_fixture_new("1 worker   10/12 0 c 1 a\n"
						   "2 GC+helper 10/11 0 c 1 a\n"
						   "3 java     10/10 0 c 1 a\n"
						   "4 worker   20/21 0 c 1 a\n"
						   "5 python3  20/20 0 c 1 a\n");

	check(store, "worker", 12, "java", "java:worker");
	check(store, "GC helper", 11, "java", "java:GC helper");
	check(store, "java", 10, "java", "java");
	check(store, "worker", 21, "python3", "python3:worker");
}

/* Without a sample of that thread, the earliest comm: by time, not by place in the input. */
static void test_named_by_earliest(void)
{
	g_autoptr(Store) store = store_fixture_new("9 late  10/12 0 c 1 a\n"
						   "5 early 10/13 0 c 1 a\n"
						   "7 other 30/31 0 c 1 a\n");

	check(store, "late", 12, "early", "early:late");
	check(store, "early", 13, "early", "early");
	check(store, "other", 31, "other", "other");
}

/* Where only tids were printed, every thread is a process. */
static void test_tids_alone(void)
{
	g_autoptr(Store) store = store_fixture_new("1 java -/10 0 c 1 a\n"
						   "2 java -/11 0 c 1 a\n"
						   "3 sh   -/12 0 c 1 a\n"
						   "4 sh   11/11 0 c 1 a\n");

	check(store, "java", 10, "java", "java");
	check(store, "java", 11, "java", "java");
	check(store, "sh", 12, "sh", "sh");
	check(store, "sh", 11, "sh", "sh"); /* pid 11 is not the tid 11 of nobody's pid */
}

/* Names that differ only in numbers are one pool. */
static void test_pools(void)
{
	g_autoptr(Store) store = store_fixture_new("1 java          10/10 0 c 1 a\n"
						   "2 GC+Thread#0   10/11 0 c 1 a\n"
						   "3 GC+Thread#17  10/12 0 c 1 a\n"
						   "4 C2+Compiler1  10/13 0 c 1 a\n"
						   "5 kworker/0:1   2/30  0 c 1 a\n"
						   "6 kworker/12:37 2/31  0 c 1 a\n"
						   "7 kthreadd      2/2   0 c 1 a\n");

	check(store, "GC Thread#0", 11, "java", "java:GC Thread#N");
	check(store, "GC Thread#17", 12, "java", "java:GC Thread#N");
	check(store, "C2 Compiler1", 13, "java", "java:CN CompilerN");
	check(store, "kworker/0:1", 30, "kthreadd", "kthreadd:kworker/N:N");
	check(store, "kworker/12:37", 31, "kthreadd", "kthreadd:kworker/N:N");
}

/* A pool that has the process's own name, numbers aside, is shown alone. */
static void test_pool_of_own_name(void)
{
	g_autoptr(Store) store = store_fixture_new("1 worker-1  10/10 0 c 1 a\n"
						   "2 worker-22 10/11 0 c 1 a\n"
						   "3 kworker/0:1 30/30 0 c 1 a\n"
						   "4 kworker/1:2 31/31 0 c 1 a\n");

	check(store, "worker-1", 10, "worker-1", "worker-N");
	check(store, "worker-22", 11, "worker-1", "worker-N");
	/* Kernel threads are processes of their own, and one pool by name. */
	check(store, "kworker/0:1", 30, "kworker/0:1", "kworker/N:N");
	check(store, "kworker/1:2", 31, "kworker/1:2", "kworker/N:N");
}

static void test_odd_names(void)
{
	StoreBuilder *builder = store_builder_new();
	store_fixture_add(builder, "1 :-1 5/-1 0 c 1 a\n2 12345 6/6 0 c 1 a\n3 1a2 6/7 0 c 1 a\n");
	const StoreThread empty = { TEXT(""), 8, 8 };
	Sample sample = { .time_ns = 0, .thread = store_builder_thread(builder, &empty) };
	sample.event = store_builder_event(builder, TEXT("c"));
	store_builder_add(builder, &sample);
	g_autoptr(Store) store = store_fixture_finish(builder);

	check(store, ":-1", -1, ":-1", ":-N");
	check(store, "12345", 6, "12345", "N");
	check(store, "1a2", 7, "12345", "12345:NaN");
	check(store, "", 8, "", "");
}

static void test_none(void)
{
	g_autoptr(Store) store = store_fixture_new("");
	g_autoptr(Processes) names = processes_new(store);

	g_assert_nonnull(names);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/process/leader", test_named_by_leader);
	g_test_add_func("/process/earliest", test_named_by_earliest);
	g_test_add_func("/process/tids-alone", test_tids_alone);
	g_test_add_func("/process/pools", test_pools);
	g_test_add_func("/process/pools/own-name", test_pool_of_own_name);
	g_test_add_func("/process/odd-names", test_odd_names);
	g_test_add_func("/process/none", test_none);
	return g_test_run();
}
