/* SPDX-License-Identifier: MIT */
/*
 * heartbeat: a quiet process with a pulse. The thread "worker" burns 50 ms
 * of CPU every 0.7 s; "logger" and "poller" do tiny bits of work at other
 * moments. An average over a minute shows a process that is 7 % busy; a
 * subsecond heat map shows the beat.
 *
 * usage: heartbeat [SECONDS]
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "clock.h"

#define BLOCK_SIZE 4096
#define BLOCKS	   64
#define LINE_SIZE  120

static int64_t start;
static int64_t end;
static unsigned char pages[BLOCKS][BLOCK_SIZE];
static volatile uint32_t sink;

static NOINLINE uint32_t checksum_block(const unsigned char *block)
{
	uint32_t a = 1, b = 0;

	for (int i = 0; i < BLOCK_SIZE; i++) {
		a = (a + block[i]) % 65521;
		b = (b + a) % 65521;
	}
	return b << 16 | a;
}

static NOINLINE uint32_t count_runs(const unsigned char *block)
{
	uint32_t runs = 0;

	for (int i = 1; i < BLOCK_SIZE; i++)
		runs += (block[i] ^ block[i - 1]) > 127 ? runs % 3 : 1;
	return runs;
}

static NOINLINE void scrub_page(int page)
{
	uint32_t sum = checksum_block(pages[page]);

	pages[page][sum % BLOCK_SIZE] ^= (unsigned char)sum;
	sink += sum + count_runs(pages[page]);
}

static NOINLINE void spike(int64_t cpu_ns)
{
	int64_t stop = thread_cpu_ns() + cpu_ns;

	for (int page = 0; thread_cpu_ns() < stop; page = (page + 1) % BLOCKS)
		scrub_page(page);
}

static NOINLINE void worker_loop(void)
{
	for (int64_t beat = start; beat < end; beat += 700 * NSEC_PER_MSEC) {
		sleep_until(beat);
		spike(50 * NSEC_PER_MSEC);
	}
}

static NOINLINE void format_line(char *line, uint32_t value)
{
	for (int i = 0; i < LINE_SIZE; i++) {
		line[i] = "0123456789abcdef"[value % 16];
		value = value / 16 * 2654435761u + (uint32_t)i;
	}
	sink += (uint32_t)line[value % LINE_SIZE];
}

static NOINLINE void write_log(int64_t cpu_ns)
{
	int64_t stop = thread_cpu_ns() + cpu_ns;
	char line[LINE_SIZE];

	while (thread_cpu_ns() < stop)
		for (uint32_t n = 0; n < 100; n++)
			format_line(line, sink + n);
}

static NOINLINE void logger_loop(void)
{
	for (int64_t next = start; next < end; next += 131 * NSEC_PER_MSEC) {
		sleep_until(next);
		write_log(2 * NSEC_PER_MSEC);
	}
}

static NOINLINE void check_queue(int64_t cpu_ns)
{
	int64_t stop = thread_cpu_ns() + cpu_ns;

	for (int page = 0; thread_cpu_ns() < stop; page = (page + 1) % BLOCKS)
		sink += count_runs(pages[page]);
}

static NOINLINE void poller_loop(void)
{
	for (int64_t next = start; next < end; next += 37 * NSEC_PER_MSEC) {
		sleep_until(next);
		check_queue(300 * NSEC_PER_USEC);
	}
}

struct role {
	const char *name;
	void (*loop)(void);
};

static const struct role roles[] = {
	{ "worker", worker_loop },
	{ "logger", logger_loop },
	{ "poller", poller_loop },
};

#define ROLES (sizeof(roles) / sizeof(roles[0]))

static void *run_role(void *arg)
{
	const struct role *role = arg;

	pthread_setname_np(pthread_self(), role->name);
	role->loop();
	return NULL;
}

int main(int argc, char **argv)
{
	int seconds = argc > 1 ? atoi(argv[1]) : 60;
	pthread_t threads[ROLES];

	start = now_ns() + 300 * NSEC_PER_MSEC;
	end = start + seconds * NSEC_PER_SEC;
	for (size_t i = 0; i < ROLES; i++) {
		if (pthread_create(&threads[i], NULL, run_role, (void *)&roles[i]) != 0) {
			fprintf(stderr, "heartbeat: cannot start thread %s\n", roles[i].name);
			return 1;
		}
	}
	for (size_t i = 0; i < ROLES; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
