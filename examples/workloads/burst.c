/* SPDX-License-Identifier: MIT */
/*
 * burst: all CPUs at once. One thread pinned to each CPU computes for
 * 50 ms every 5 s, all of them in step, as a cron job, a garbage collector
 * or a metrics flush would; two other threads do light work in between.
 * An average over a second shows 5 %; a heat map shows all CPUs full at once.
 *
 * usage: burst [SECONDS]
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "clock.h"

#define MAX_CPUS 256
#define SAMPLES	 1024

static int64_t start;
static int64_t end;
static volatile double sink;

static NOINLINE double sum_window(const double *samples, int from)
{
	double sum = 0;

	for (int i = 0; i < SAMPLES; i++)
		sum += samples[(from + i) % SAMPLES] * (1.0 + i % 7);
	return sum;
}

static NOINLINE double update_histogram(double *samples, double value)
{
	for (int i = 0; i < SAMPLES; i++)
		samples[i] = samples[i] * 0.875 + value / (i + 1);
	return samples[0];
}

static NOINLINE void aggregate_metrics(double *samples, int round)
{
	double sum = sum_window(samples, round % SAMPLES);

	sink = update_histogram(samples, sum / (SAMPLES * 8.0));
}

/* Wall time, not CPU time: all CPUs begin and end the burst together. */
static NOINLINE void flush_metrics(double *samples, int64_t until)
{
	for (int round = 0; now_ns() < until; round++)
		aggregate_metrics(samples, round);
}

static NOINLINE void burst_loop(double *samples)
{
	int64_t first = start + 2 * NSEC_PER_SEC;

	for (int64_t next = first; next < end; next += 5 * NSEC_PER_SEC) {
		sleep_until(next);
		flush_metrics(samples, next + 50 * NSEC_PER_MSEC);
	}
}

static void pin_to_cpu(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	if (pthread_setaffinity_np(pthread_self(), sizeof(set), &set) != 0)
		fprintf(stderr, "burst: cannot pin a thread to CPU %d\n", cpu);
}

static void *run_burst(void *arg)
{
	double samples[SAMPLES] = { 1.0 };
	int cpu = (int)(intptr_t)arg;
	char name[16];

	snprintf(name, sizeof(name), "flusher/%d", cpu % MAX_CPUS);
	pthread_setname_np(pthread_self(), name);
	pin_to_cpu(cpu);
	burst_loop(samples);
	return NULL;
}

static NOINLINE void scan_samples(double *samples, int64_t cpu_ns)
{
	int64_t stop = thread_cpu_ns() + cpu_ns;

	for (int round = 0; thread_cpu_ns() < stop; round++)
		sink = sum_window(samples, round % SAMPLES);
}

static NOINLINE void collect_loop(double *samples, int64_t period)
{
	for (int64_t next = start; next < end; next += period) {
		sleep_until(next);
		scan_samples(samples, period / 60);
	}
}

static void *run_collector(void *arg)
{
	double samples[SAMPLES] = { 1.0 };

	pthread_setname_np(pthread_self(), "collector");
	collect_loop(samples, (int64_t)(intptr_t)arg);
	return NULL;
}

static void start_thread(pthread_t *thread, void *(*run)(void *), int64_t arg)
{
	if (pthread_create(thread, NULL, run, (void *)(intptr_t)arg) != 0) {
		fprintf(stderr, "burst: cannot start a thread\n");
		exit(1);
	}
}

int main(int argc, char **argv)
{
	int seconds = argc > 1 ? atoi(argv[1]) : 60;
	long cpus = sysconf(_SC_NPROCESSORS_ONLN);
	pthread_t threads[MAX_CPUS + 2];
	int count = 0;

	start = now_ns() + 300 * NSEC_PER_MSEC;
	end = start + seconds * NSEC_PER_SEC;
	for (int cpu = 0; cpu < cpus && cpu < MAX_CPUS; cpu++)
		start_thread(&threads[count++], run_burst, cpu);
	start_thread(&threads[count++], run_collector, 61 * NSEC_PER_MSEC);
	start_thread(&threads[count++], run_collector, 143 * NSEC_PER_MSEC);
	while (count > 0)
		pthread_join(threads[--count], NULL);
	return 0;
}
