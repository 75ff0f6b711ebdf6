/* SPDX-License-Identifier: MIT */
/*
 * The only file that knows the HTTP library. It is asked for as little as can be: targets are
 * taken as they were sent (the library's decoding is never looked at), and what it would tolerate
 * the gate refuses.
 */

#include "serve/server.h"

#include <arpa/inet.h>
#include <microhttpd.h>
#include <netinet/in.h>
#include <string.h>

#include "serve/connections.h"
#include "serve/gate.h"
#include "serve/jobs.h"
#include "serve/static-files.h"
#include "store/error.h"

#define HEAD_MEMORY	 32768 /* for a request's head; more is 431 */
#define SILENCE_S	 30
#define MIN_THREADS	 2
#define MAX_THREADS	 16
#define STOP_PATIENCE_US (500 * G_TIME_SPAN_MILLISECOND)

#define PAGE_POLICY                                                                                \
	"default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; "          \
	"connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

struct Server {
	struct MHD_Daemon *daemon;
	Gate gate;
	Jobs *jobs;
	Connections *connections;
	char *url;
};

/* One request; the library keeps it for us from the first line to the end. */
typedef struct {
	Server *server;
	struct MHD_Connection *link;
	Connection *connection;
	char *target;
	bool is_let_in;
	bool was_asked; /* the job was begun */
	Job *job;	/* NULL: too many wait */
} Request;

/* --- answering --------------------------------------------------------------------------- */

static void set_headers(struct MHD_Response *answer, const Response *response)
{
	bool is_document = response->media_type != NULL &&
			   (strstr(response->media_type, "svg") != NULL ||
			    g_str_has_prefix(response->media_type, "text/html"));
	/* What is made from a recording is no page of ours, whatever it holds. */
	bool is_made = response->etag != NULL;

	if (response->media_type != NULL)
		MHD_add_response_header(answer, "Content-Type", response->media_type);
	MHD_add_response_header(answer, "Content-Security-Policy",
				is_document && is_made ? PAGE_POLICY "; sandbox" : PAGE_POLICY);
	MHD_add_response_header(answer, "X-Content-Type-Options", "nosniff");
	MHD_add_response_header(answer, "Cross-Origin-Resource-Policy", "same-origin");
	MHD_add_response_header(answer, "Cross-Origin-Opener-Policy", "same-origin");
	MHD_add_response_header(answer, "Referrer-Policy", "no-referrer");
	MHD_add_response_header(answer, "Cache-Control", "private, no-cache");
	if (response->etag != NULL)
		MHD_add_response_header(answer, "ETag", response->etag);
	if (response->notes != NULL)
		MHD_add_response_header(answer, "Flamebeat-Notes", response->notes);
	if (response->status == MHD_HTTP_METHOD_NOT_ALLOWED)
		MHD_add_response_header(answer, "Allow", "GET, HEAD");
	if (response->status >= 400 && response->media_type == NULL)
		MHD_add_response_header(answer, "Connection", "close");
}

static void unref_bytes(void *bytes)
{
	g_bytes_unref(bytes);
}

static enum MHD_Result send_response(Request *request, const Response *response)
{
	gsize size = 0;
	GBytes *body = response->body != NULL ? g_bytes_ref(response->body) : g_bytes_new(NULL, 0);
	const void *data = g_bytes_get_data(body, &size);
	struct MHD_Response *answer = MHD_create_response_from_buffer_with_free_callback_cls(
		size, data != NULL ? (void *)data : (void *)"", unref_bytes, body);
	enum MHD_Result result;

	if (answer == NULL) {
		g_bytes_unref(body);
		return MHD_NO;
	}
	set_headers(answer, response);
	connection_send(request->server->connections, request->connection);
	result = MHD_queue_response(request->link, response->status, answer);
	MHD_destroy_response(answer);
	return result;
}

/* A refusal has no body: it tells a prober nothing. */
static enum MHD_Result refuse(Request *request, unsigned int status)
{
	Response response = { .status = status };

	return send_response(request, &response);
}

static const char *get_header(const Request *request, const char *name)
{
	return MHD_lookup_connection_value(request->link, MHD_HEADER_KIND, name);
}

static enum MHD_Result send_file(Request *request, const StaticFile *file)
{
	g_autoptr(GBytes) bytes = static_file_bytes(file);
	g_autofree char *digest = g_compute_checksum_for_bytes(G_CHECKSUM_SHA256, bytes);
	g_autofree char *etag = g_strdup_printf("\"%.32s\"", digest);
	const char *known = get_header(request, MHD_HTTP_HEADER_IF_NONE_MATCH);
	bool is_known = known != NULL && strstr(known, etag) != NULL;
	Response response = { .status = is_known ? 304 : 200,
			      .media_type = file->media_type,
			      .body = is_known ? NULL : bytes };
	return send_response(request, &response);
}

/* The connection is put aside until the job wakes it. */
static enum MHD_Result ask(Request *request)
{
	Server *server = request->server;

	request->was_asked = true;
	MHD_suspend_connection(request->link);
	request->job = jobs_join(server->jobs, request->target,
				 get_header(request, MHD_HTTP_HEADER_IF_NONE_MATCH), request);
	if (request->job == NULL)
		MHD_resume_connection(request->link);
	else
		connection_wait(server->connections, request->connection, request);
	return MHD_YES;
}

static enum MHD_Result route(Request *request)
{
	g_autofree char *path = g_strndup(request->target, strcspn(request->target, "?"));
	const StaticFile *file = static_file_find(path);

	if (file != NULL)
		return send_file(request, file);
	if (g_str_has_prefix(path, API_PREFIX))
		return ask(request);
	return refuse(request, MHD_HTTP_NOT_FOUND);
}

static void wake(void *waiter)
{
	MHD_resume_connection(((Request *)waiter)->link);
}

static void gone(void *waiter)
{
	Request *request = waiter;

	if (jobs_leave(request->server->jobs, request->job, request))
		MHD_resume_connection(request->link);
}

/* --- what the library calls -------------------------------------------------------------- */

static bool is_name(const char *name, size_t size, const char *wanted)
{
	return size == strlen(wanted) && g_ascii_strncasecmp(name, wanted, size) == 0;
}

static enum MHD_Result read_field(void *context, enum MHD_ValueKind kind, const char *name,
				  size_t name_size, const char *value, size_t value_size)
{
	GateRequest *head = context;
	Text text = { value != NULL ? value : "", value_size };

	head->n_fields++;
	head->field_bytes += name_size + value_size;
	if (is_name(name, name_size, "Host")) {
		head->n_host++;
		head->host = text;
	} else if (is_name(name, name_size, "Origin")) {
		head->n_origin++;
		head->origin = text;
	} else if (is_name(name, name_size, "Sec-Fetch-Site")) {
		head->n_site++;
		head->site = text;
	} else if (is_name(name, name_size, "X-Token")) {
		head->n_token++;
		head->token = text;
	} else if (is_name(name, name_size, "Transfer-Encoding")) {
		head->has_body = true;
	} else if (is_name(name, name_size, "Content-Length")) {
		head->has_body |= !text_equal(text, TEXT("0"));
	} else if (is_name(name, name_size, "Expect")) {
		head->has_expect = true;
	}
	return MHD_YES;
}

static enum MHD_Result handle(void *context, struct MHD_Connection *link, const char *url,
			      const char *method, const char *version, const char *upload_data,
			      size_t *upload_size, void **data)
{
	Server *self = context;
	Request *request = *data;
	GateRequest head = { .method = method, .version = version };
	const union MHD_ConnectionInfo *info;
	unsigned int refusal;

	if (request == NULL)
		return MHD_NO;
	if (request->was_asked && request->job == NULL)
		return refuse(request, MHD_HTTP_SERVICE_UNAVAILABLE);
	if (request->was_asked)
		return send_response(request, job_response(request->job));
	if (request->is_let_in)
		return route(request);
	info = MHD_get_connection_info(link, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
	request->connection = info->socket_context;
	head.target = request->target;
	info = MHD_get_connection_info(link, MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE);
	head.head_bytes = info->header_size;
	MHD_get_connection_values_n(link, MHD_HEADER_KIND, read_field, &head);
	refusal = gate_check(&self->gate, &head);
	if (refusal != 0)
		return refuse(request, refusal);
	/* An answer to the head alone would end the connection: it is given at the next call. */
	request->is_let_in = true;
	return MHD_YES;
}

static void *begin_request(void *context, const char *target, struct MHD_Connection *link)
{
	Request *request = g_new0(Request, 1);

	request->server = context;
	request->link = link;
	request->target = g_strdup(target);
	return request;
}

static void end_request(void *context, struct MHD_Connection *link, void **data,
			enum MHD_RequestTerminationCode reason)
{
	Server *self = context;
	Request *request = *data;

	if (request == NULL)
		return;
	if (request->connection != NULL)
		connection_rest(self->connections, request->connection);
	job_unref(request->job);
	g_free(request->target);
	g_free(request);
	*data = NULL;
}

static void watch_connection(void *context, struct MHD_Connection *link, void **socket_context,
			     enum MHD_ConnectionNotificationCode code)
{
	Server *self = context;

	if (code == MHD_CONNECTION_NOTIFY_STARTED) {
		const union MHD_ConnectionInfo *info =
			MHD_get_connection_info(link, MHD_CONNECTION_INFO_CONNECTION_FD);

		*socket_context = connections_add(self->connections, info->connect_fd);
	} else {
		connections_remove(self->connections, *socket_context);
	}
}

/* Never looked at: targets are taken as they were sent. */
static size_t leave_escaped(void *context, struct MHD_Connection *link, char *text)
{
	return strlen(text);
}

static void stay_silent(void *context, const char *format, va_list args)
{
}

/* --- the whole --------------------------------------------------------------------------- */

static struct MHD_Daemon *start_daemon(Server *self, uint16_t port)
{
	struct sockaddr_in address = { .sin_family = AF_INET,
				       .sin_port = htons(port),
				       .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };

	return MHD_start_daemon(
		MHD_USE_EPOLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_ERROR_LOG, port,
		NULL, NULL, handle, self, MHD_OPTION_EXTERNAL_LOGGER, stay_silent, NULL,
		MHD_OPTION_SOCK_ADDR, &address, MHD_OPTION_CONNECTION_LIMIT, MAX_CONNECTIONS,
		MHD_OPTION_CONNECTION_TIMEOUT, SILENCE_S, MHD_OPTION_CONNECTION_MEMORY_LIMIT,
		(size_t)HEAD_MEMORY, MHD_OPTION_STRICT_FOR_CLIENT, 1, MHD_OPTION_UNESCAPE_CALLBACK,
		leave_escaped, NULL, MHD_OPTION_URI_LOG_CALLBACK, begin_request, self,
		MHD_OPTION_NOTIFY_COMPLETED, end_request, self, MHD_OPTION_NOTIFY_CONNECTION,
		watch_connection, self, MHD_OPTION_END);
}

Server *server_start(const Api *api, uint16_t port, GError **error)
{
	Server *self = g_new0(Server, 1);
	guint n_threads = CLAMP(g_get_num_processors(), MIN_THREADS, MAX_THREADS);

	self->jobs = jobs_new(api, n_threads, wake);
	self->connections = connections_new(gone);
	self->daemon = gate_init(&self->gate) ? start_daemon(self, port) : NULL;
	if (self->daemon == NULL) {
		fail(error, FLAMEBEAT_ERROR_FAILED,
		     "cannot listen on 127.0.0.1:%u: the port is in use, or not ours to use", port);
		server_stop(self);
		return NULL;
	}
	self->gate.port = MHD_get_daemon_info(self->daemon, MHD_DAEMON_INFO_BIND_PORT)->port;
	self->url = g_strdup_printf("http://127.0.0.1:%u/#t=%s", self->gate.port, self->gate.token);
	return self;
}

const char *server_url(const Server *self)
{
	return self->url;
}

bool server_stop(Server *self)
{
	if (!jobs_stop(self->jobs, STOP_PATIENCE_US))
		return false;
	if (self->daemon != NULL)
		MHD_stop_daemon(self->daemon);
	connections_free(self->connections);
	g_free(self->url);
	g_free(self);
	return true;
}
