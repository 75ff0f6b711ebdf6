/* SPDX-License-Identifier: MIT */
/* application/x-www-form-urlencoded, as URLSearchParams writes it (WHATWG URL Standard, 5.1). */

#include "serve/query-string.h"

#include <string.h>

#include "store/error.h"

static char *decode(const char *text, size_t len)
{
	g_autoptr(GString) decoded = g_string_sized_new(len);

	for (size_t i = 0; i < len; i++) {
		int high, low;

		if (text[i] != '%') {
			g_string_append_c(decoded, text[i] == '+' ? ' ' : text[i]);
			continue;
		}
		high = i + 2 < len ? g_ascii_xdigit_value(text[i + 1]) : -1;
		low = high >= 0 ? g_ascii_xdigit_value(text[i + 2]) : -1;
		if (low < 0 || high * 16 + low == 0)
			return NULL;
		g_string_append_c(decoded, (char)(high * 16 + low));
		i += 2;
	}
	return g_string_free(g_steal_pointer(&decoded), FALSE);
}

static bool add_pair(Target *self, const char *pair, size_t len, GError **error)
{
	const char *equals = memchr(pair, '=', len);
	size_t key_len = equals != NULL ? (size_t)(equals - pair) : len;
	size_t begin = MIN(key_len + 1, len);
	g_autofree char *key = decode(pair, key_len);
	g_autofree char *value = decode(pair + begin, len - begin);

	if (key == NULL || value == NULL || *key == '\0')
		return fail(error, FLAMEBEAT_ERROR_USAGE, "query string: not key=value: %.*s",
			    (int)len, pair);
	g_ptr_array_add(self->keys, g_steal_pointer(&key));
	g_ptr_array_add(self->values, g_steal_pointer(&value));
	return true;
}

bool target_init(Target *self, const char *text, GError **error)
{
	size_t len = strcspn(text, "?");

	self->path = g_strndup(text, len);
	self->keys = g_ptr_array_new_with_free_func(g_free);
	self->values = g_ptr_array_new_with_free_func(g_free);
	for (text += len; *text != '\0'; text += len) {
		len = strcspn(++text, "&");
		if (len > 0 && !add_pair(self, text, len, error))
			return false;
	}
	return true;
}

void target_clear(Target *self)
{
	g_clear_pointer(&self->path, g_free);
	g_clear_pointer(&self->keys, g_ptr_array_unref);
	g_clear_pointer(&self->values, g_ptr_array_unref);
}
