/* SPDX-License-Identifier: MIT */
/*
 * The HTTP library has a timeout for silence only, which a client that sends a byte now and then
 * escapes; here the whole request, and the whole answer, have a deadline. Where many connections
 * are open those that rest longest are shut first, so that they cannot keep others out.
 */

#include "serve/connections.h"

#include <poll.h>
#include <sys/socket.h>

#define LOOK_US		(20 * G_TIME_SPAN_MILLISECOND)
#define REST_US		(10 * G_TIME_SPAN_SECOND) /* for a request to be complete */
#define SEND_US		(120 * G_TIME_SPAN_SECOND)
#define MANY		(MAX_CONNECTIONS / 2)
#define REST_US_OF_MANY (1 * G_TIME_SPAN_SECOND)

typedef enum {
	RESTING,
	WAITING,
	SENDING,
} Doing;

struct Connection {
	int fd;
	Doing doing;
	gint64 since;
	void *waiter;
	bool is_shut;
};

struct Connections {
	void (*gone)(void *waiter);
	GMutex lock;
	GCond stop;
	bool is_stopping;
	GPtrArray *all; /* of Connection */
	GThread *thread;
};

static bool has_hung_up(const Connection *self)
{
	struct pollfd state = { .fd = self->fd, .events = POLLRDHUP };

	return poll(&state, 1, 0) > 0 && (state.revents & (POLLRDHUP | POLLHUP | POLLERR)) != 0;
}

static bool is_late(const Connection *self, gint64 now, bool are_many)
{
	gint64 limit = self->doing == SENDING ? SEND_US : are_many ? REST_US_OF_MANY : REST_US;

	return self->doing != WAITING && !self->is_shut && now - self->since > limit;
}

/* Shuts what is late and tells of the waiters that hung up. */
static void look(Connections *self)
{
	gint64 now = g_get_monotonic_time();

	for (guint i = 0; i < self->all->len; i++) {
		Connection *connection = g_ptr_array_index(self->all, i);

		if (connection->doing == WAITING && connection->waiter != NULL &&
		    has_hung_up(connection))
			self->gone(g_steal_pointer(&connection->waiter));
		else if (is_late(connection, now, self->all->len > MANY))
			connection->is_shut = shutdown(connection->fd, SHUT_RDWR) == 0;
	}
}

static void *look_after(void *data)
{
	Connections *self = data;

	g_mutex_lock(&self->lock);
	while (!self->is_stopping) {
		g_cond_wait_until(&self->stop, &self->lock, g_get_monotonic_time() + LOOK_US);
		look(self);
	}
	g_mutex_unlock(&self->lock);
	return NULL;
}

Connections *connections_new(void (*gone)(void *waiter))
{
	Connections *self = g_new0(Connections, 1);

	self->gone = gone;
	g_mutex_init(&self->lock);
	g_cond_init(&self->stop);
	self->all = g_ptr_array_new();
	self->thread = g_thread_new("connections", look_after, self);
	return self;
}

void connections_free(Connections *self)
{
	g_mutex_lock(&self->lock);
	self->is_stopping = true;
	g_cond_signal(&self->stop);
	g_mutex_unlock(&self->lock);
	g_thread_join(self->thread);
	g_ptr_array_unref(self->all);
	g_cond_clear(&self->stop);
	g_mutex_clear(&self->lock);
	g_free(self);
}

Connection *connections_add(Connections *self, int fd)
{
	Connection *connection = g_new0(Connection, 1);

	connection->fd = fd;
	connection->since = g_get_monotonic_time();
	g_mutex_lock(&self->lock);
	g_ptr_array_add(self->all, connection);
	g_mutex_unlock(&self->lock);
	return connection;
}

void connections_remove(Connections *self, Connection *connection)
{
	g_mutex_lock(&self->lock);
	g_ptr_array_remove_fast(self->all, connection);
	g_mutex_unlock(&self->lock);
	g_free(connection);
}

static void change(Connections *self, Connection *connection, Doing doing, void *waiter)
{
	g_mutex_lock(&self->lock);
	connection->doing = doing;
	connection->waiter = waiter;
	connection->since = g_get_monotonic_time();
	g_mutex_unlock(&self->lock);
}

void connection_wait(Connections *self, Connection *connection, void *waiter)
{
	change(self, connection, WAITING, waiter);
}

void connection_send(Connections *self, Connection *connection)
{
	change(self, connection, SENDING, NULL);
}

void connection_rest(Connections *self, Connection *connection)
{
	change(self, connection, RESTING, NULL);
}
