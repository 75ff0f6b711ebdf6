/* SPDX-License-Identifier: MIT */
/* Each check is one line of the security checklist (tests/cli/serve.py names them). */

#include "serve/gate.h"

#include <glib.h>
#include <string.h>
#include <sys/random.h>

enum {
	BAD_REQUEST = 400,
	FORBIDDEN = 403,
	METHOD_NOT_ALLOWED = 405,
	TARGET_TOO_LONG = 414,
	MISDIRECTED = 421,
	HEAD_TOO_LARGE = 431,
};

bool gate_init(Gate *self)
{
	uint8_t random[TOKEN_SIZE / 2];

	if (getrandom(random, sizeof(random), 0) != (ssize_t)sizeof(random))
		return false;
	for (size_t i = 0; i < sizeof(random); i++)
		g_snprintf(self->token + 2 * i, 3, "%02x", random[i]);
	return true;
}

/* `name:port`, where name is one of ours and nothing is spelt in another way. */
static bool is_own_authority(const Gate *self, Text authority)
{
	static const char *const names[] = { "127.0.0.1", "localhost" };

	for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
		char own[32];

		g_snprintf(own, sizeof(own), "%s:%u", names[i], self->port);
		if (text_equal(authority, text_from(own)))
			return true;
	}
	return false;
}

static bool is_own_origin(const Gate *self, Text origin)
{
	static const char scheme[] = "http://";

	return text_starts(origin, scheme) &&
	       is_own_authority(self, text_skip(origin, strlen(scheme)));
}

/* An origin-form target of printable ASCII; `%` must begin an escape, and none may hide a NUL, a
 * slash, a backslash or a dot of the path. */
static bool is_plain_path(const char *target)
{
	if (target[0] != '/' || target[1] == '/')
		return false;
	for (; *target != '\0' && *target != '?'; target++) {
		if (!g_ascii_isalnum(*target) && strchr("/-_.", *target) == NULL)
			return false;
		if (target[0] == '.' && target[1] == '.')
			return false;
	}
	for (; *target != '\0'; target++)
		if (!g_ascii_isgraph(*target) || *target == '#' || *target == '\\')
			return false;
	return true;
}

/* In time that does not tell how much of it was right. */
static bool is_token(const Gate *self, Text token)
{
	uint8_t difference = 0;

	if (token.len != TOKEN_SIZE)
		return false;
	for (size_t i = 0; i < TOKEN_SIZE; i++)
		difference |= (uint8_t)(token.data[i] ^ self->token[i]);
	return difference == 0;
}

static bool is_own_site(Text site)
{
	return text_equal(site, TEXT("same-origin")) || text_equal(site, TEXT("none"));
}

/*
 * Whether the head is as long as its parts are, each field being `Name: value`: what a lenient
 * reader cuts off at a NUL, folds or trims would be missing. Everybody who is meant to come here
 * (browsers, curl, libraries) writes heads like that.
 */
static bool is_all_there(const GateRequest *request)
{
	uint64_t line =
		strlen(request->method) + strlen(request->target) + strlen("  HTTP/1.1\r\n");
	uint64_t fields = request->field_bytes + request->n_fields * strlen(": \r\n");

	return request->head_bytes == line + fields + strlen("\r\n");
}

unsigned int gate_check(const Gate *self, const GateRequest *request)
{
	if (request->n_host != 1 || !is_own_authority(self, request->host))
		return MISDIRECTED;
	if (request->n_origin > 1 ||
	    (request->n_origin == 1 && !is_own_origin(self, request->origin)))
		return FORBIDDEN;
	if (request->n_site > 1 || (request->n_site == 1 && !is_own_site(request->site)))
		return FORBIDDEN;
	if (strcmp(request->method, "GET") != 0 && strcmp(request->method, "HEAD") != 0)
		return METHOD_NOT_ALLOWED;
	if (strcmp(request->version, "HTTP/1.1") != 0 || request->has_body || request->has_expect)
		return BAD_REQUEST;
	if (request->head_bytes > MAX_HEAD_BYTES)
		return HEAD_TOO_LARGE;
	if (!is_all_there(request))
		return BAD_REQUEST;
	if (strlen(request->target) > MAX_TARGET)
		return TARGET_TOO_LONG;
	if (!is_plain_path(request->target))
		return BAD_REQUEST;
	if (g_str_has_prefix(request->target, API_PREFIX) &&
	    (request->n_token != 1 || !is_token(self, request->token)))
		return FORBIDDEN;
	return 0;
}
