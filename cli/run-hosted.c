/* SPDX-License-Identifier: MIT */
/* A command without its command line: for the server. */

#include "cli/run-hosted.h"

#include "cli/parse-options.h"
#include "store/error.h"

/* The output has a name, so that nothing depends on whether standard output is a terminal. */
static char **make_words(char *const *argv)
{
	g_autoptr(GStrvBuilder) words = g_strv_builder_new();

	g_strv_builder_add(words, "--output=hosted");
	g_strv_builder_addv(words, (const char **)argv);
	return g_strv_builder_end(words);
}

static bool run_with(const Command *command, char *const *argv, Invocation *invocation,
		     GError **error)
{
	g_auto(GStrv) words = make_words(argv);
	g_auto(GStrv) rest = NULL;
	g_autofree char *options = NULL;
	bool wants_help;

	if (!parse_options(command, words, invocation->settings, &rest, &wants_help, error))
		return false;
	if (wants_help || rest[0] != NULL)
		return fail(error, FLAMEBEAT_ERROR_USAGE, "expected options and nothing else");
	options = options_as_words(words, rest);
	invocation->options = options;
	return command->run(invocation, error);
}

bool run_hosted(const Command *command, char *const *argv, char **inputs, const Host *host,
		Notes *notes, GError **error)
{
	g_autofree void *settings = g_malloc0(command->settings_size);
	Invocation invocation = {
		.settings = settings, .inputs = inputs, .notes = notes, .host = host
	};
	bool ok;

	if (command->init != NULL)
		command->init(settings);
	ok = run_with(command, argv, &invocation, error);
	if (command->clear != NULL)
		command->clear(settings);
	return ok;
}
