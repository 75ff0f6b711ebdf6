/* SPDX-License-Identifier: MIT */
/*
 * busy: a machine that is always more than 90 % busy, where now and then
 * (every 3 to 8 s, from a fixed seed) all CPUs run rebuild_index() instead
 * of serve_request() for 200 ms. The load stays the same, so a heat map
 * of the load shows nothing; what differs is the code. This is the case
 * for comparing a time range with the rest of the recording.
 *
 * usage: busy [SECONDS]
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "clock.h"

#define MAX_CPUS   256
#define KEYS	   2048
#define REBUILD_NS (200 * NSEC_PER_MSEC)

struct shard {
	uint32_t keys[KEYS];
	uint32_t scratch[KEYS];
	char reply[1024];
	uint32_t seed;
};

static int64_t start;
static int64_t end;
static volatile uint32_t sink;

static uint32_t next_random(uint32_t *seed)
{
	*seed = *seed * 1664525u + 1013904223u;
	return *seed >> 8;
}

static NOINLINE uint32_t parse_request(struct shard *shard)
{
	uint32_t key = 0;

	for (int i = 0; i < 200; i++)
		key = key * 31 + next_random(&shard->seed) % 96;
	return key;
}

static NOINLINE uint32_t lookup_key(const struct shard *shard, uint32_t key)
{
	uint32_t best = UINT32_MAX;

	for (int i = 0; i < KEYS; i++) {
		uint32_t distance = shard->keys[i] ^ key;

		if (distance < best)
			best = distance;
	}
	return best;
}

static NOINLINE void render_reply(struct shard *shard, uint32_t value)
{
	for (size_t i = 0; i < sizeof(shard->reply); i++) {
		value = value * 69069 + 1;
		shard->reply[i] = (char)('a' + value % 26);
	}
	sink += (uint32_t)shard->reply[value % sizeof(shard->reply)];
}

static NOINLINE void serve_request(struct shard *shard)
{
	uint32_t key = parse_request(shard);
	uint32_t value = lookup_key(shard, key);

	render_reply(shard, value);
}

static NOINLINE void merge_runs(struct shard *shard, int from, int mid, int to)
{
	int a = from, b = mid;

	for (int out = from; out < to; out++) {
		bool left = b == to || (a < mid && shard->keys[a] <= shard->keys[b]);

		shard->scratch[out] = shard->keys[left ? a++ : b++];
	}
	memcpy(shard->keys + from, shard->scratch + from,
	       (size_t)(to - from) * sizeof(shard->keys[0]));
}

static NOINLINE void sort_postings(struct shard *shard)
{
	for (int run = 1; run < KEYS; run *= 2)
		for (int from = 0; from < KEYS; from += 2 * run)
			merge_runs(shard, from, from + run, from + 2 * run);
}

static NOINLINE void load_postings(struct shard *shard)
{
	for (int i = 0; i < KEYS; i++)
		shard->keys[i] = next_random(&shard->seed);
}

static NOINLINE void rebuild_index(struct shard *shard)
{
	load_postings(shard);
	sort_postings(shard);
}

/* Every thread walks the same schedule: the seed is fixed. */
struct schedule {
	uint32_t seed;
	int64_t next;
};

static void schedule_advance(struct schedule *schedule)
{
	int64_t gap_ms = 3000 + next_random(&schedule->seed) % 5000;

	schedule->next += gap_ms * NSEC_PER_MSEC;
}

static bool rebuilding(struct schedule *schedule, int64_t now)
{
	if (now >= schedule->next + REBUILD_NS)
		schedule_advance(schedule);
	return now >= schedule->next;
}

/* Uneven slices, so that they cannot fall in step with the sampling clock. */
static int64_t slice_length(uint32_t *seed)
{
	return (10000 + next_random(seed) % 15000) * NSEC_PER_USEC;
}

static NOINLINE void work_until(struct shard *shard, struct schedule *schedule, int64_t until)
{
	int64_t now;

	while ((now = now_ns()) < until) {
		if (rebuilding(schedule, now))
			rebuild_index(shard);
		else
			serve_request(shard);
	}
}

static NOINLINE void worker_loop(struct shard *shard)
{
	struct schedule schedule = { .seed = 2016, .next = start };
	int64_t slice = start;

	schedule_advance(&schedule);
	while (slice < end) {
		int64_t length = slice_length(&shard->seed);

		sleep_until(slice);
		work_until(shard, &schedule, slice + length);
		slice += length + length / 20;
	}
}

static void pin_to_cpu(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	if (pthread_setaffinity_np(pthread_self(), sizeof(set), &set) != 0)
		fprintf(stderr, "busy: cannot pin a thread to CPU %d\n", cpu);
}

static void *run_worker(void *arg)
{
	int cpu = (int)(intptr_t)arg;
	struct shard shard = { .seed = (uint32_t)cpu + 1 };
	char name[16];

	snprintf(name, sizeof(name), "worker/%d", cpu % MAX_CPUS);
	pthread_setname_np(pthread_self(), name);
	pin_to_cpu(cpu);
	rebuild_index(&shard);
	worker_loop(&shard);
	return NULL;
}

static void start_worker(pthread_t *thread, int cpu)
{
	if (pthread_create(thread, NULL, run_worker, (void *)(intptr_t)cpu) != 0) {
		fprintf(stderr, "busy: cannot start a thread\n");
		exit(1);
	}
}

int main(int argc, char **argv)
{
	int seconds = argc > 1 ? atoi(argv[1]) : 60;
	long cpus = sysconf(_SC_NPROCESSORS_ONLN);
	pthread_t threads[MAX_CPUS];
	int count = 0;

	start = now_ns() + 100 * NSEC_PER_MSEC;
	end = start + seconds * NSEC_PER_SEC;
	while (count < cpus && count < MAX_CPUS) {
		start_worker(&threads[count], count);
		count++;
	}
	while (count > 0)
		pthread_join(threads[--count], NULL);
	return 0;
}
