/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include <stdbool.h>

/*
 * What each connection is doing, and a thread that looks after them: one that does not finish its
 * request in time, or does not take its answer, is shut; one that hangs up while it waits is told.
 */
typedef struct Connections Connections;
typedef struct Connection Connection;

#define MAX_CONNECTIONS 512

/* `gone`: the other side hung up while `waiter` waited. Called on the looking-after thread, and no
 * other function here returns until it has: until then `waiter` cannot be freed. */
Connections *connections_new(void (*gone)(void *waiter));
void connections_free(Connections *self);

Connection *connections_add(Connections *self, int fd);
void connections_remove(Connections *self, Connection *connection);

/* The connection waits for an answer on behalf of `waiter`. */
void connection_wait(Connections *self, Connection *connection, void *waiter);
/* The answer is being sent. */
void connection_send(Connections *self, Connection *connection);
/* The next request may come. */
void connection_rest(Connections *self, Connection *connection);
