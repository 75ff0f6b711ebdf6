/* SPDX-License-Identifier: MIT */
/*
 * The program: finds the command's row, fills its settings, runs it, prints notes and errors, and
 * turns them into the exit status. Nothing below this folder prints.
 */

#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/command.h"
#include "cli/help.h"
#include "cli/parse-options.h"
#include "cli/print.h"
#include "store/error.h"

/* THE table. */
static const Command *const commands[] = {
	&command_ingest, &command_info,	  &command_heatmap, &command_slice,
	&command_diff,	 &command_top,	  &command_periods, &command_spikes,
	&command_record, &command_report, &command_serve,   NULL,
};

static bool set_strict(void *settings, const char *value, GError **error)
{
	((CommonSettings *)settings)->is_strict = true;
	return true;
}

static bool set_quiet(void *settings, const char *value, GError **error)
{
	((CommonSettings *)settings)->is_quiet = true;
	return true;
}

static bool set_threads(void *settings, const char *value, GError **error)
{
	gint64 n;

	if (!option_integer("threads", value, 1, 1024, &n, error))
		return false;
	((CommonSettings *)settings)->n_threads = (int)n;
	return true;
}

const OptionRow common_options[] = {
	{ "strict", 0, NULL, "exit with 3 if anything was skipped, swapped, clamped or empty",
	  set_strict },
	{ "quiet", 'q', NULL, "no notes on standard error", set_quiet },
	{ "threads", 0, "N", "use at most N threads; results do not depend on it", set_threads },
	{ NULL, 0, NULL, NULL, NULL },
};

static int print_error(const GError *error)
{
	print_line("", error->message);
	return error->domain == FLAMEBEAT_ERROR ? error->code : STATUS_FAILED;
}

static const Command *find_command(const char *name)
{
	for (const Command *const *command = commands; *command != NULL; command++)
		if (g_str_equal((*command)->name, name) || g_strcmp0((*command)->alias, name) == 0)
			return *command;
	return NULL;
}

static int finish(const CommonSettings *common, const Notes *notes, const GError *error)
{
	if (!common->is_quiet)
		print_notes(notes);
	if (error != NULL)
		return print_error(error);
	return common->is_strict && notes_has_shortfall(notes) ? STATUS_SHORTFALL : STATUS_DONE;
}

static int run_with(const Command *command, char *const *argv, void *settings)
{
	g_autoptr(Notes) notes = notes_new();
	g_auto(GStrv) inputs = NULL;
	g_autofree char *options = NULL;
	g_autoptr(GError) error = NULL;
	Invocation invocation = { .settings = settings, .notes = notes };
	bool wants_help;

	if (!parse_options(command, argv, settings, &inputs, &wants_help, &error))
		return print_error(error);
	if (wants_help) {
		help_print_command(command);
		return STATUS_DONE;
	}
	options = options_as_words(argv, inputs);
	invocation.inputs = inputs;
	invocation.options = options;
	if (inputs[0] == NULL && !command->takes_command && !command->is_input_optional)
		fail(&error, FLAMEBEAT_ERROR_USAGE,
		     "no input: flamebeat %s [OPTIONS] %s (`-` is standard input)", command->name,
		     command->arguments);
	else
		command->run(&invocation, &error);
	return finish(settings, notes, error);
}

static int run_command(const Command *command, char *const *argv)
{
	g_autofree void *settings = g_malloc0(command->settings_size);
	int status;

	if (command->init != NULL)
		command->init(settings);
	status = run_with(command, argv, settings);
	if (command->clear != NULL)
		command->clear(settings);
	return status;
}

static int run(char **argv)
{
	const char *word = argv[1];
	g_autofree char *unknown = NULL;
	const Command *command;

	if (word == NULL) {
		fprintf(stderr, "flamebeat: no command; `flamebeat --help` lists them\n");
		return STATUS_USAGE;
	}
	if (g_str_equal(word, "--version")) {
		printf("flamebeat %s\n", FLAMEBEAT_VERSION);
		return STATUS_DONE;
	}
	if (g_str_equal(word, "help") && argv[2] != NULL && find_command(argv[2]) != NULL) {
		help_print_command(find_command(argv[2]));
		return STATUS_DONE;
	}
	if (g_str_equal(word, "--help") || g_str_equal(word, "-h") || g_str_equal(word, "help")) {
		help_print_program(commands);
		return STATUS_DONE;
	}
	command = find_command(word);
	if (command != NULL)
		return run_command(command, argv + 2);
	unknown = g_strdup_printf("no command '%s'; `flamebeat --help` lists them", word);
	print_line("", unknown);
	return STATUS_USAGE;
}

/* Stores are mapped. If one is cut off by somebody meanwhile, or its disk fails, what is not there
 * any more cannot be read, at whatever place that happens. (Our own stores are replaced whole.) */
static void on_bus_error(int number)
{
	static const char message[] = "flamebeat: a store was cut off by another program, or its "
				      "disk failed, while it was read\n";
	ssize_t n = write(STDERR_FILENO, message, sizeof(message) - 1);

	(void)number;
	_exit(n < 0 ? FLAMEBEAT_ERROR_FAILED : FLAMEBEAT_ERROR_DAMAGED);
}

int main(int argc, char **argv)
{
	const struct sigaction bus_error = { .sa_handler = on_bus_error };
	int status;

	sigaction(SIGBUS, &bus_error, NULL);

	/* Whoever started us may ignore it; then perf's exit status could not be waited for. */
	signal(SIGCHLD, SIG_DFL);
	/* Never LC_NUMERIC: a decimal comma would break every format there is. */
	setlocale(LC_CTYPE, "");
	status = argc > 0 ? run(argv) : STATUS_USAGE;
	if ((fflush(stdout) != 0 || ferror(stdout)) && status == STATUS_DONE) {
		fprintf(stderr, "flamebeat: standard output: cannot write\n");
		status = STATUS_FAILED;
	}
	return status;
}
