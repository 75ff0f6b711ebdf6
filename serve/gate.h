/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "store/text.h"

/*
 * The gate that every request passes before anything is routed. The server is for pages of its own
 * origin on this machine alone: what a web site elsewhere can make a browser send (a name rebound
 * to 127.0.0.1, cross-site images, forms, scripts) is refused here, and so is whatever a strict
 * reader of RFC 9112 would not take. Pure, so that it can be tested and fuzzed by itself.
 */

/* What a request's head says; texts are borrowed and hold whatever bytes were sent. */
typedef struct {
	const char *method;
	const char *version; /* "HTTP/1.1" */
	const char *target;  /* as sent */
	uint32_t n_host, n_origin, n_site, n_token;
	Text host, origin, site, token; /* the last of each */
	uint64_t n_fields;
	uint64_t field_bytes; /* names and values of all fields */
	uint64_t head_bytes;  /* as received, up to the empty line */
	bool has_body;	      /* Content-Length above 0, or Transfer-Encoding */
	bool has_expect;
} GateRequest;

#define TOKEN_SIZE 64 /* hexadecimal digits: 256 bits */

typedef struct {
	uint16_t port;
	char token[TOKEN_SIZE + 1];
} Gate;

#define MAX_TARGET     8192
#define MAX_HEAD_BYTES 16384
#define API_PREFIX     "/api/"

/* A token from the kernel's random numbers. False where there are none. */
bool gate_init(Gate *self);

/* 0: may pass; else the HTTP status to refuse with. */
unsigned int gate_check(const Gate *self, const GateRequest *request);
