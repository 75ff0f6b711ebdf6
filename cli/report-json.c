/* SPDX-License-Identifier: MIT */
/* Looking things up in JSON that commands printed. */

#include "cli/report.h"

#include "store/error.h"

#define MAX_JSON_BYTES (256u << 20)

double report_number(const json_t *object, const char *key)
{
	return json_number_value(json_object_get(object, key));
}

const char *report_text(const json_t *object, const char *key)
{
	const char *text = json_string_value(json_object_get(object, key));

	return text != NULL ? text : "";
}

const json_t *report_array(const json_t *object, const char *key)
{
	const json_t *array = json_object_get(object, key);

	return json_is_array(array) ? array : NULL;
}

json_t *report_json_load(const char *path, GError **error)
{
	json_error_t cause;
	g_autofree char *text = NULL;
	gsize size;
	json_t *json;

	if (!g_file_get_contents(path, &text, &size, error))
		return NULL;
	if (size > MAX_JSON_BYTES) {
		fail(error, FLAMEBEAT_ERROR_LIMIT, "%s: larger than 256 MB", path);
		return NULL;
	}
	json = json_loadb(text, size, 0, &cause);
	if (json == NULL)
		fail(error, FLAMEBEAT_ERROR_FAILED, "%s:%d: not JSON: %s", path, cause.line,
		     cause.text);
	return json;
}
