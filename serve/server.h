/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#include "serve/api.h"

/*
 * HTTP on 127.0.0.1: the page's files, compiled in, and the API beneath /api/. One thread moves
 * bytes, so that a slow client holds nobody up; answers are made on others. Connections that say
 * nothing for long are closed, the oldest of them first where there are many.
 */
typedef struct Server Server;

/* Listens on `port`, 0: one of the kernel's choice. */
Server *server_start(const Api *api, uint16_t port, GError **error);

/* `http://127.0.0.1:PORT/#t=TOKEN`: what a browser is to be given. */
const char *server_url(const Server *self);

/* Cancels what is being made. False: something would not end in time, and the program should end
 * without freeing anything. */
bool server_stop(Server *self);
