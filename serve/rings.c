/* SPDX-License-Identifier: MIT */

#include "serve/rings.h"

static void ring_free(void *data)
{
	Ring *self = data;

	g_free(self->name);
	g_strfreev(self->paths);
	g_free(self);
}

/* Runs of digits become N. */
static char *common_name(const char *path)
{
	g_autofree char *name = g_path_get_basename(path);
	GString *common = g_string_new(NULL);

	for (const char *at = name; *at != '\0'; at++) {
		if (!g_ascii_isdigit(*at))
			g_string_append_c(common, *at);
		else if (!g_ascii_isdigit(at[1]))
			g_string_append_c(common, 'N');
	}
	return g_string_free(common, FALSE);
}

static void add_ring(GPtrArray *rings, char *name, GPtrArray *members)
{
	Ring *ring = g_new0(Ring, 1);

	ring->name = g_strdup(name);
	ring->paths = g_new0(char *, members->len + 1);
	for (guint i = 0; i < members->len; i++)
		ring->paths[i] = g_strdup(g_ptr_array_index(members, i));
	g_ptr_array_add(rings, ring);
}

GPtrArray *rings_find(const GPtrArray *paths)
{
	GPtrArray *rings = g_ptr_array_new_with_free_func(ring_free);
	g_autoptr(GPtrArray) names = g_ptr_array_new();
	g_autoptr(GHashTable) members = g_hash_table_new_full(g_str_hash, g_str_equal, g_free,
							      (GDestroyNotify)g_ptr_array_unref);

	for (guint i = 0; i < paths->len; i++) {
		char *name = common_name(g_ptr_array_index(paths, i));
		GPtrArray *found = g_hash_table_lookup(members, name);

		if (found == NULL) {
			found = g_ptr_array_new();
			g_ptr_array_add(names, name);
			g_hash_table_insert(members, name, found);
		} else {
			g_free(name);
		}
		g_ptr_array_add(found, g_ptr_array_index(paths, i));
	}
	for (guint i = 0; i < names->len; i++) {
		GPtrArray *found = g_hash_table_lookup(members, g_ptr_array_index(names, i));

		if (found->len > 1)
			add_ring(rings, g_ptr_array_index(names, i), found);
	}
	return rings;
}
