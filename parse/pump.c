/* SPDX-License-Identifier: MIT */
/* Two queues: blocks to be filled go one way, filled ones the other. */

#include "parse/pump.h"

#include <sys/eventfd.h>
#include <unistd.h>

typedef struct {
	char *bytes;
	size_t next, end;
	GError *error; /* instead of bytes */
} Block;

struct Pump {
	Unpacking *unpacking;
	GThread *thread;
	GAsyncQueue *empty;
	GAsyncQueue *filled;
	Block blocks[PUMP_BLOCKS];
	Block *current; /* being read from; NULL: none */
	gint is_stopped;
	int stop_fd; /* wakes the thread where it waits for the file */
};

/* A block of zero bytes is the end; so is one with an error. */
static bool fill(Pump *self, Block *block)
{
	gssize n = 1;

	block->next = block->end = 0;
	while (block->end < PUMP_BLOCK_BYTES && n > 0 && !g_atomic_int_get(&self->is_stopped)) {
		n = unpacking_read(self->unpacking, block->bytes + block->end,
				   PUMP_BLOCK_BYTES - block->end, &block->error);
		block->end += n > 0 ? (size_t)n : 0;
	}
	return block->error == NULL && block->end > 0;
}

static gpointer work(gpointer data)
{
	Pump *self = data;
	bool goes_on = true;

	while (goes_on && !g_atomic_int_get(&self->is_stopped)) {
		Block *block = g_async_queue_pop(self->empty);

		goes_on = fill(self, block);
		g_async_queue_push(self->filled, block);
	}
	return NULL;
}

Pump *pump_new(Unpacking *unpacking)
{
	Pump *self = g_new0(Pump, 1);

	self->unpacking = unpacking;
	self->stop_fd = unpacking->file->stop_fd = eventfd(0, EFD_CLOEXEC);
	self->empty = g_async_queue_new();
	self->filled = g_async_queue_new();
	for (int i = 0; i < PUMP_BLOCKS; i++) {
		self->blocks[i].bytes = g_malloc(PUMP_BLOCK_BYTES);
		g_async_queue_push(self->empty, &self->blocks[i]);
	}
	self->thread = g_thread_new("unpack", work, self);
	return self;
}

void pump_free(Pump *self)
{
	if (self == NULL)
		return;
	g_atomic_int_set(&self->is_stopped, 1);
	if (self->stop_fd >= 0)
		(void)!eventfd_write(self->stop_fd, 1);
	/* Wakes the thread where it waits for an empty block. */
	g_async_queue_push(self->empty, &self->blocks[0]);
	g_thread_join(self->thread);
	for (int i = 0; i < PUMP_BLOCKS; i++) {
		g_clear_error(&self->blocks[i].error);
		g_free(self->blocks[i].bytes);
	}
	if (self->stop_fd >= 0)
		close(self->stop_fd);
	self->unpacking->file->stop_fd = -1;
	g_async_queue_unref(self->empty);
	g_async_queue_unref(self->filled);
	g_free(self);
}

gssize pump_read(Pump *self, char *bytes, gsize size, GError **error)
{
	gsize n;

	if (self->current != NULL && self->current->next == self->current->end &&
	    self->current->end > 0 && self->current->error == NULL) {
		g_async_queue_push(self->empty, self->current);
		self->current = NULL;
	}
	if (self->current == NULL)
		self->current = g_async_queue_pop(self->filled);
	n = MIN(size, self->current->end - self->current->next);
	if (n == 0 && self->current->error != NULL) {
		g_propagate_error(error, g_error_copy(self->current->error));
		return -1;
	}
	memcpy(bytes, self->current->bytes + self->current->next, n);
	self->current->next += n;
	return (gssize)n;
}
