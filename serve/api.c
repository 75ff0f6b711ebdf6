/* SPDX-License-Identifier: MIT */
/* A fixed table of routes; ids and command names are looked up, never made into paths. */

#include "serve/api.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "store/error.h"

#define RECORDINGS "/api/v1/recordings"
#define JSON_TYPE  "application/json"

/* `base=` names what is compared with; its value is an id, too. */
#define KEY_BASE "base"

void response_clear(Response *self)
{
	g_clear_pointer(&self->body, g_bytes_unref);
	g_clear_pointer(&self->etag, g_free);
	g_clear_pointer(&self->notes, g_free);
}

Response response_text(unsigned int status, const char *media_type, char *text)
{
	return (Response){ .status = status,
			   .media_type = media_type,
			   .body = g_bytes_new_take(text, strlen(text)) };
}

/* `exit_status`: what the command would have ended with. */
static Response response_error(unsigned int status, int exit_status, const char *message)
{
	g_autofree char *valid = g_utf8_make_valid(message, -1);
	json_t *object = json_pack("{s:s, s:i}", "error", valid, "status", exit_status);
	char *text = json_dumps(object, JSON_COMPACT);

	json_decref(object);
	return response_text(status, JSON_TYPE, text);
}

/* --- one command ------------------------------------------------------------------------- */

/* Recordings that a call may open: the one it is about and those it is compared with. */
typedef struct {
	GPtrArray *paths;  /* of char **, NULL-terminated */
	GPtrArray *stores; /* as many; references */
} Opened;

static Store *open_one(void *context, char *const *inputs, GError **error)
{
	const Opened *self = context;

	for (guint i = 0; i < self->paths->len; i++)
		if (g_strv_equal(g_ptr_array_index(self->paths, i), (const gchar *const *)inputs))
			return store_ref(g_ptr_array_index(self->stores, i));
	fail(error, FLAMEBEAT_ERROR_USAGE, "%s: not a recording of this server", inputs[0]);
	return NULL;
}

/* Opens recording `id`, adding it to `opened` and its version to `tag`; else what to answer. */
static bool add_recording(const Api *self, const char *id, Opened *opened, GString *tag,
			  Response *refusal)
{
	g_auto(OpenRecording) recording = { 0 };

	library_open(self->library, id, &recording);
	switch (recording.state) {
	case RECORDING_UNKNOWN:
		*refusal = response_error(404, FLAMEBEAT_ERROR_USAGE, "no such recording");
		return false;
	case RECORDING_READING:
		*refusal = response_text(202, JSON_TYPE, g_strdup("{\"state\":\"reading\"}"));
		return false;
	case RECORDING_FAILED:
		*refusal = response_error(422, FLAMEBEAT_ERROR_FAILED, recording.error);
		return false;
	case RECORDING_READY:
		break;
	}
	g_string_append_printf(tag, "%s %s ", id, recording.version);
	g_ptr_array_add(opened->paths, g_steal_pointer(&recording.paths));
	g_ptr_array_add(opened->stores, g_steal_pointer(&recording.store));
	return true;
}

/* Replaces the ids of `base=` by paths: of one file each, since --base takes one. */
static bool open_bases(const Api *self, Target *target, Opened *opened, GString *tag,
		       Response *refusal)
{
	for (guint i = 0; i < target->keys->len; i++) {
		char **paths;

		if (!g_str_equal(g_ptr_array_index(target->keys, i), KEY_BASE))
			continue;
		if (!add_recording(self, g_ptr_array_index(target->values, i), opened, tag,
				   refusal))
			return false;
		paths = g_ptr_array_index(opened->paths, opened->paths->len - 1);
		if (paths[1] != NULL) {
			*refusal = response_error(400, FLAMEBEAT_ERROR_USAGE,
						  "a base is one file; ingest these into one");
			return false;
		}
		g_free(target->values->pdata[i]);
		target->values->pdata[i] = g_strdup(paths[0]);
	}
	return true;
}

static unsigned int status_of(const GError *error)
{
	if (error->domain == FLAMEBEAT_ERROR && error->code == FLAMEBEAT_ERROR_USAGE)
		return 400;
	return 422;
}

static char *encode_notes(const Notes *notes)
{
	g_autoptr(GString) lines = g_string_new(NULL);

	for (guint i = 0; i < notes_count(notes); i++)
		g_string_append_printf(lines, "%s%s", i > 0 ? "\n" : "", notes_get(notes, i));
	g_string_truncate(lines, MIN(lines->len, 2000));
	return lines->len > 0 ? g_uri_escape_bytes((const guint8 *)lines->str, lines->len, NULL)
			      : NULL;
}

static Response run(const Api *self, CommandCall *call)
{
	g_autoptr(Notes) notes = notes_new();
	g_autoptr(GError) error = NULL;
	char *bytes = NULL;
	size_t size = 0;
	const char *media_type;

	call->sink = open_memstream(&bytes, &size);
	if (call->sink == NULL)
		return response_error(500, FLAMEBEAT_ERROR_FAILED, "out of memory");
	media_type = self->runner->run(call, notes, &error);
	if (fclose(call->sink) != 0 && media_type != NULL)
		fail(&error, FLAMEBEAT_ERROR_FAILED, "out of memory");
	if (error != NULL) {
		free(bytes);
		return response_error(status_of(error),
				      error->domain == FLAMEBEAT_ERROR ? error->code : 1,
				      error->message);
	}
	return (Response){ .status = 200,
			   .media_type = media_type,
			   .body = g_bytes_new_with_free_func(bytes, size, free, bytes),
			   .notes = encode_notes(notes) };
}

/* Told before anything is computed: the files, the question and the program decide the bytes. */
static char *make_etag(const GString *tag, const char *target)
{
	g_autofree char *words = g_strdup_printf(FLAMEBEAT_VERSION " %s%s", tag->str, target);
	g_autofree char *digest = g_compute_checksum_for_string(G_CHECKSUM_SHA256, words, -1);

	return g_strdup_printf("\"%.32s\"", digest);
}

static Response answer_opened(const Api *self, const char *command, const Target *target,
			      const Opened *opened, char *etag, const char *if_none_match,
			      const gint *is_cancelled)
{
	CommandCall call = {
		.command = command,
		.keys = target->keys,
		.values = target->values,
		.inputs = g_ptr_array_index(opened->paths, 0),
		.open = open_one,
		.context = (void *)opened,
		.is_cancelled = is_cancelled,
	};
	Response response;

	if (if_none_match != NULL && strstr(if_none_match, etag) != NULL)
		return (Response){ .status = 304,
				   .media_type = JSON_TYPE,
				   .body = g_bytes_new(NULL, 0),
				   .etag = etag };
	response = run(self, &call);
	if (response.status == 200)
		response.etag = etag;
	else
		g_free(etag);
	return response;
}

static Response answer_command(const Api *self, const char *id, const char *command, Target *target,
			       const char *text, const char *if_none_match,
			       const gint *is_cancelled)
{
	g_autoptr(GPtrArray) paths = g_ptr_array_new_with_free_func((GDestroyNotify)g_strfreev);
	g_autoptr(GPtrArray) stores = g_ptr_array_new_with_free_func((GDestroyNotify)store_free);
	g_autoptr(GString) tag = g_string_new(NULL);
	Opened opened = { paths, stores };
	Response refusal;

	if (!g_strv_contains(self->runner->names, command))
		return response_error(404, FLAMEBEAT_ERROR_USAGE, "no such command");
	if (!add_recording(self, id, &opened, tag, &refusal) ||
	    !open_bases(self, target, &opened, tag, &refusal))
		return refusal;
	return answer_opened(self, command, target, &opened, make_etag(tag, text), if_none_match,
			     is_cancelled);
}

Response api_answer(const Api *self, const char *text, const char *if_none_match,
		    const gint *is_cancelled)
{
	g_autoptr(GError) error = NULL;
	g_auto(Target) target = { 0 };
	g_auto(GStrv) parts = NULL;

	if (!target_init(&target, text, &error))
		return response_error(400, FLAMEBEAT_ERROR_USAGE, error->message);
	if (g_str_equal(target.path, RECORDINGS))
		return response_text(200, JSON_TYPE,
				     library_list(self->library, self->runner->names));
	if (g_str_has_prefix(target.path, RECORDINGS "/")) {
		parts = g_strsplit(target.path + strlen(RECORDINGS "/"), "/", 3);
		if (g_strv_length(parts) == 2)
			return answer_command(self, parts[0], parts[1], &target, text,
					      if_none_match, is_cancelled);
	}
	return response_error(404, FLAMEBEAT_ERROR_USAGE, "no such route");
}
