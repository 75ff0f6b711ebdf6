/* SPDX-License-Identifier: MIT */
/* `flamebeat serve`: the local page, until interrupted. */

#include <gio/gio.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#include "cli/command.h"
#include "cli/serve-runner.h"
#include "serve/server.h"
#include "store/error.h"

typedef struct {
	gint64 port;
	bool is_opened;
} Page;

typedef struct {
	CommonSettings common;
	Page page;
} Settings;

static bool set_port(void *settings, const char *value, GError **error)
{
	return option_integer("port", value, 0, 65535, &((Page *)settings)->port, error);
}

static bool set_open(void *settings, const char *value, GError **error)
{
	((Page *)settings)->is_opened = true;
	return true;
}

static const OptionRow serve_options[] = {
	{ "port", 0, "N", "listen on this port of 127.0.0.1 (default: any that is free)",
	  set_port },
	{ "open", 0, NULL, "open the page in the default browser", set_open },
	{ NULL, 0, NULL, NULL, NULL },
};

/* Before any thread is begun, so that all have them blocked and one place takes them. */
static void block_signals(sigset_t *set)
{
	sigemptyset(set);
	sigaddset(set, SIGINT);
	sigaddset(set, SIGTERM);
	sigaddset(set, SIGHUP);
	pthread_sigmask(SIG_BLOCK, set, NULL);
	signal(SIGPIPE, SIG_IGN);
}

static void show_page(const Invocation *invocation, const char *url)
{
	const Settings *settings = invocation->settings;
	g_autoptr(GError) error = NULL;

	if (!settings->common.is_quiet)
		fprintf(stderr, "flamebeat: serving on this machine only; ^C ends it\n");
	/* The one thing that scripts need. */
	printf("%s\n", url);
	fflush(stdout);
	if (settings->page.is_opened && !g_app_info_launch_default_for_uri(url, NULL, &error))
		fprintf(stderr, "flamebeat: note: no browser could be opened: %s\n",
			error->message);
}

static bool run(const Invocation *invocation, GError **error)
{
	const Settings *settings = invocation->settings;
	char folder[] = ".", *here[] = { folder, NULL };
	Library *library = NULL;
	Api api = { .runner = &serve_runner };
	Server *server = NULL;
	sigset_t signals;
	int number;

	block_signals(&signals);
	library = library_new(invocation->inputs[0] != NULL ? invocation->inputs : here, error);
	api.library = library;
	if (library != NULL)
		server = server_start(&api, (uint16_t)settings->page.port, error);
	if (server == NULL) {
		library_free(library);
		return false;
	}
	show_page(invocation, server_url(server));
	sigwait(&signals, &number);
	/* What does not end in time need not keep the user waiting: it only computes. */
	if (!server_stop(server))
		_exit(STATUS_DONE);
	library_free(library);
	return true;
}

const Command command_serve = {
	.name = "serve",
	.arguments = "[RECORDING|FOLDER...]",
	.help = "Show recordings in the browser: select in the heat map, the flame graph follows",
	.settings_size = sizeof(Settings),
	.tables = { { "Server", serve_options, offsetof(Settings, page) },
		    { "General", common_options, offsetof(Settings, common) } },
	.run = run,
	.is_input_optional = true,
};
