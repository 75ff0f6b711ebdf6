/* SPDX-License-Identifier: MIT */
/*
 * server: a mix with deep kernel stacks. Client threads talk to server
 * threads over loopback TCP; the server reads and writes small files in a
 * temporary directory, packs and hashes the bodies, and now and then calls
 * fsync. Clients think between requests, except in a burst of 300 ms
 * every 4 s, when they do not. Everything it writes is removed at the end.
 *
 * usage: server [SECONDS]
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "clock.h"

#define CLIENTS	     4
#define FILES	     32
#define BODY_SIZE    16384
#define HASH_SIZE    4096
#define FSYNC_EVERY  40
#define BURST_PERIOD (4 * NSEC_PER_SEC)
#define BURST_NS     (300 * NSEC_PER_MSEC)
#define THINK_NS     (6 * NSEC_PER_MSEC)

enum op { OP_GET, OP_PUT };

struct request {
	uint32_t op;
	uint32_t file;
};

struct reply {
	uint32_t hash;
	uint32_t packed;
};

struct session {
	int socket;
	unsigned int puts;
	unsigned char body[BODY_SIZE];
	uint16_t heads[HASH_SIZE];
};

static int64_t start;
static int64_t end;
static char directory[] = "/tmp/server-XXXXXX";
static struct sockaddr_in address;

static void die(const char *what)
{
	perror(what);
	exit(1);
}

static NOINLINE bool read_all(int fd, void *buf, size_t size)
{
	char *at = buf;

	while (size > 0) {
		ssize_t n = read(fd, at, size);

		if (n <= 0)
			return false;
		at += n;
		size -= (size_t)n;
	}
	return true;
}

static NOINLINE bool write_all(int fd, const void *buf, size_t size)
{
	const char *at = buf;

	while (size > 0) {
		ssize_t n = write(fd, at, size);

		if (n <= 0)
			return false;
		at += n;
		size -= (size_t)n;
	}
	return true;
}

/*
 * By number, not open(): Debian's uses the frame pointer register for
 * something else, and the stack would be cut off there.
 */
static NOINLINE int open_body(uint32_t file, int flags)
{
	char path[64];
	int fd;

	snprintf(path, sizeof(path), "%s/body%02u", directory, file % FILES);
	fd = (int)syscall(SYS_openat, AT_FDCWD, path, flags, 0600);
	if (fd < 0)
		die(path);
	return fd;
}

static NOINLINE void load_body(struct session *session, uint32_t file)
{
	int fd = open_body(file, O_RDONLY | O_CREAT);

	read_all(fd, session->body, BODY_SIZE);
	close(fd);
}

static NOINLINE void flush_journal(int fd)
{
	if (fsync(fd) != 0)
		die("fsync");
}

static NOINLINE void store_body(struct session *session, uint32_t file)
{
	int fd = open_body(file, O_WRONLY | O_CREAT | O_TRUNC);

	if (!write_all(fd, session->body, BODY_SIZE))
		die("write");
	if (++session->puts % FSYNC_EVERY == 0)
		flush_journal(fd);
	close(fd);
}

static NOINLINE uint32_t hash_body(const unsigned char *body)
{
	uint32_t hash = 2166136261u;

	for (int i = 0; i < BODY_SIZE; i++)
		hash = (hash ^ body[i]) * 16777619u;
	return hash;
}

static NOINLINE int longest_match(const unsigned char *body, int from, int at)
{
	int length = 0;

	while (at + length < BODY_SIZE && length < 258 && body[from + length] == body[at + length])
		length++;
	return length;
}

/* The shape of gzip's inner loop: a hash of three bytes finds a candidate. */
static NOINLINE uint32_t pack_body(struct session *session)
{
	const unsigned char *body = session->body;
	uint32_t packed = 0;
	int step;

	memset(session->heads, 0, sizeof(session->heads));
	for (int at = 0; at + 3 <= BODY_SIZE; at += step) {
		unsigned int h = (body[at] << 8 ^ body[at + 1] << 4 ^ body[at + 2]) % HASH_SIZE;
		int length = longest_match(body, session->heads[h], at);

		session->heads[h] = (uint16_t)at;
		step = length >= 3 && length < 32 ? length : 1;
		packed++;
	}
	return packed;
}

static NOINLINE void handle_get(struct session *session, const struct request *request)
{
	struct reply reply;

	load_body(session, request->file);
	reply.hash = hash_body(session->body);
	reply.packed = pack_body(session);
	write_all(session->socket, &reply, sizeof(reply));
	write_all(session->socket, session->body, BODY_SIZE);
}

static NOINLINE void handle_put(struct session *session, const struct request *request)
{
	struct reply reply = { 0, 0 };

	if (!read_all(session->socket, session->body, BODY_SIZE))
		return;
	reply.hash = hash_body(session->body);
	store_body(session, request->file);
	write_all(session->socket, &reply, sizeof(reply));
}

static NOINLINE void serve_loop(struct session *session)
{
	struct request request;

	while (read_all(session->socket, &request, sizeof(request))) {
		if (request.op == OP_PUT)
			handle_put(session, &request);
		else
			handle_get(session, &request);
	}
}

static void *run_server(void *arg)
{
	struct session session = { .socket = (int)(intptr_t)arg };

	pthread_setname_np(pthread_self(), "server");
	serve_loop(&session);
	close(session.socket);
	return NULL;
}

static NOINLINE void request_get(struct session *client, uint32_t file)
{
	struct request request = { OP_GET, file };
	struct reply reply;

	write_all(client->socket, &request, sizeof(request));
	read_all(client->socket, &reply, sizeof(reply));
	read_all(client->socket, client->body, BODY_SIZE);
}

static NOINLINE void compose_body(struct session *client, uint32_t seed)
{
	for (int i = 0; i < BODY_SIZE; i++) {
		seed = seed * 1103515245u + 12345u;
		client->body[i] = (unsigned char)('a' + (seed >> 24) % 20);
	}
}

static NOINLINE void request_put(struct session *client, uint32_t file)
{
	struct request request = { OP_PUT, file };
	struct reply reply;

	compose_body(client, file);
	write_all(client->socket, &request, sizeof(request));
	write_all(client->socket, client->body, BODY_SIZE);
	read_all(client->socket, &reply, sizeof(reply));
}

static NOINLINE void think(int64_t now)
{
	if ((now - start) % BURST_PERIOD >= BURST_NS)
		sleep_until(now + THINK_NS);
}

static NOINLINE void client_loop(struct session *client)
{
	int64_t now;

	for (uint32_t n = 0; (now = now_ns()) < end; n++) {
		if (n % 4 == 3)
			request_put(client, n * 7);
		else
			request_get(client, n * 5);
		think(now);
	}
}

static void *run_client(void *arg)
{
	struct session client = { .socket = (int)(intptr_t)arg };

	pthread_setname_np(pthread_self(), "client");
	sleep_until(start);
	client_loop(&client);
	close(client.socket);
	return NULL;
}

static int listen_on_loopback(void)
{
	socklen_t size = sizeof(address);
	int fd = socket(AF_INET, SOCK_STREAM, 0);

	address.sin_family = AF_INET;
	address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	if (fd < 0 || bind(fd, (struct sockaddr *)&address, sizeof(address)) != 0 ||
	    listen(fd, CLIENTS) != 0 || getsockname(fd, (struct sockaddr *)&address, &size) != 0)
		die("listen");
	return fd;
}

static void start_thread(pthread_t *thread, void *(*run)(void *), int fd)
{
	int on = 1;

	setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
	if (pthread_create(thread, NULL, run, (void *)(intptr_t)fd) != 0)
		die("pthread_create");
}

static void connect_pair(int listener, pthread_t *threads)
{
	int fd = socket(AF_INET, SOCK_STREAM, 0);
	int peer;

	if (fd < 0 || connect(fd, (struct sockaddr *)&address, sizeof(address)) != 0)
		die("connect");
	peer = accept(listener, NULL, NULL);
	if (peer < 0)
		die("accept");
	start_thread(&threads[0], run_server, peer);
	start_thread(&threads[1], run_client, fd);
}

static void remove_files(void)
{
	char path[64];

	for (int i = 0; i < FILES; i++) {
		snprintf(path, sizeof(path), "%s/body%02d", directory, i);
		unlink(path);
	}
	rmdir(directory);
}

int main(int argc, char **argv)
{
	int seconds = argc > 1 ? atoi(argv[1]) : 20;
	pthread_t threads[2 * CLIENTS];
	int listener;

	if (!mkdtemp(directory))
		die(directory);
	listener = listen_on_loopback();
	start = now_ns() + 300 * NSEC_PER_MSEC;
	end = start + seconds * NSEC_PER_SEC;
	for (int i = 0; i < CLIENTS; i++)
		connect_pair(listener, &threads[2 * i]);
	for (int i = 0; i < 2 * CLIENTS; i++)
		pthread_join(threads[i], NULL);
	close(listener);
	remove_files();
	return 0;
}
