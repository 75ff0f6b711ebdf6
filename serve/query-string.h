/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include <stdbool.h>

/* A request's target taken apart: `/path?key=value&key=value`. */
typedef struct {
	char *path;
	GPtrArray *keys; /* of char *, in order; as many as values */
	GPtrArray *values;
} Target;

/*
 * `+` and `%XX` in keys and values are decoded; both hold any bytes but NUL, since names to filter
 * by need not be UTF-8. Fails (usage) where an escape is cut off, makes a NUL, or a key is empty.
 */
bool target_init(Target *self, const char *text, GError **error);
void target_clear(Target *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Target, target_clear)
