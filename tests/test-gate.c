/* SPDX-License-Identifier: MIT */
/* The gate and the query string by themselves; tests/cli/serve.py has them over a socket. */

#include "serve/gate.h"
#include "serve/query-string.h"

#include <string.h>

#include "store/error.h"

static const Gate gate = {
	.port = 8080,
	.token = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef",
};

/* A request with one Host that passes; tests change one thing. */
static GateRequest good_request(const char *target)
{
	GateRequest request = {
		.method = "GET",
		.version = "HTTP/1.1",
		.target = target,
		.n_host = 1,
		.host = TEXT("127.0.0.1:8080"),
		.n_fields = 1,
		.field_bytes = strlen("Host127.0.0.1:8080"),
	};

	request.head_bytes =
		strlen("GET  HTTP/1.1\r\nHost: 127.0.0.1:8080\r\n\r\n") + strlen(target);
	return request;
}

static void test_passes(void)
{
	GateRequest request = good_request("/");

	g_assert_cmpuint(gate_check(&gate, &request), ==, 0);
	request = good_request("/api/v1/recordings?a=%20");
	g_assert_cmpuint(gate_check(&gate, &request), ==, 403);
	request.n_token = 1;
	request.token = text_from(gate.token);
	g_assert_cmpuint(gate_check(&gate, &request), ==, 0);
	request.token.len--;
	g_assert_cmpuint(gate_check(&gate, &request), ==, 403);
}

static void test_hosts(void)
{
	static const char *const bad[] = { "",
					   "127.0.0.1",
					   "127.0.0.1:80801",
					   "127.0.0.1:808",
					   "127.0.0.1:08080",
					   "localhost.:8080",
					   "LOCALHOST:8080",
					   "evil:8080",
					   "127.0.0.1:8080 ",
					   "a@127.0.0.1:8080" };
	GateRequest request;

	for (size_t i = 0; i < G_N_ELEMENTS(bad); i++) {
		request = good_request("/");
		request.host = text_from(bad[i]);
		g_assert_cmpuint(gate_check(&gate, &request), ==, 421);
	}
	request = good_request("/");
	request.n_host = 2;
	g_assert_cmpuint(gate_check(&gate, &request), ==, 421);
	request = good_request("/");
	request.n_host = 0;
	g_assert_cmpuint(gate_check(&gate, &request), ==, 421);
}

static void test_targets(void)
{
	static const char *const bad[] = { "",	     "*",      "http://127.0.0.1:8080/",
					   "//a",    "/../a",  "/a/..",
					   "/%2e",   "/a%00b", "/a b",
					   "/a\\b",  "/a\x80", "/a#b",
					   "/a?b c", "/a?b#c" };

	for (size_t i = 0; i < G_N_ELEMENTS(bad); i++) {
		GateRequest request = good_request(bad[i]);

		g_assert_cmpuint(gate_check(&gate, &request), ==, 400);
	}
}

/* What a lenient reader left out shows in the length of the head. */
static void test_lengths(void)
{
	GateRequest request = good_request("/");

	request.head_bytes++;
	g_assert_cmpuint(gate_check(&gate, &request), ==, 400);
	request = good_request("/");
	request.has_body = true;
	g_assert_cmpuint(gate_check(&gate, &request), ==, 400);
	request = good_request("/");
	request.method = "OPTIONS";
	g_assert_cmpuint(gate_check(&gate, &request), ==, 405);
}

static void test_query(void)
{
	g_autoptr(GError) error = NULL;
	g_auto(Target) target = { 0 };

	g_assert_true(target_init(&target, "/a/b?x=1&y=%C3%BC+%2B&x=&&flag", &error));
	g_assert_no_error(error);
	g_assert_cmpstr(target.path, ==, "/a/b");
	g_assert_cmpuint(target.keys->len, ==, 4);
	g_assert_cmpstr(g_ptr_array_index(target.keys, 1), ==, "y");
	g_assert_cmpstr(g_ptr_array_index(target.values, 1), ==, "\xc3\xbc +");
	g_assert_cmpstr(g_ptr_array_index(target.values, 2), ==, "");
	g_assert_cmpstr(g_ptr_array_index(target.keys, 3), ==, "flag");
}

static void test_bad_query(void)
{
	static const char *const bad[] = {
		"/?=x", "/?a=%", "/?a=%4", "/?a=%zz", "/?a=%00", "/?%=1"
	};

	for (size_t i = 0; i < G_N_ELEMENTS(bad); i++) {
		g_autoptr(GError) error = NULL;
		g_auto(Target) target = { 0 };

		g_assert_false(target_init(&target, bad[i], &error));
		g_assert_error(error, FLAMEBEAT_ERROR, FLAMEBEAT_ERROR_USAGE);
	}
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/gate/passes", test_passes);
	g_test_add_func("/gate/hosts", test_hosts);
	g_test_add_func("/gate/targets", test_targets);
	g_test_add_func("/gate/lengths", test_lengths);
	g_test_add_func("/query-string/good", test_query);
	g_test_add_func("/query-string/bad", test_bad_query);
	return g_test_run();
}
