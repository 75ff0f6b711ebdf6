/* SPDX-License-Identifier: MIT */
/*
 * GLib's option parser, fed from our tables. Every option is a callback that finds its row by
 * name; values are taken as bytes, since names to filter by need not be UTF-8.
 */

#include "cli/parse-options.h"

#include "store/error.h"

/* What a callback is told: the table it belongs to. */
typedef struct {
	const OptionTable *table;
	char *settings;
} Context;

static const OptionRow *find_row(const OptionTable *table, const char *option)
{
	for (const OptionRow *row = table->rows; row->name != NULL; row++) {
		bool is_long = g_str_has_prefix(option, "--");

		if (is_long ? g_str_equal(option + 2, row->name)
			    : option[1] == row->short_name && option[1] != '\0')
			return row;
	}
	return NULL;
}

static gboolean set_option(const char *option, const char *value, gpointer data, GError **error)
{
	const Context *context = data;
	const OptionRow *row = find_row(context->table, option);

	g_assert(row != NULL);
	if (row->arg == NULL && value != NULL)
		return fail(error, FLAMEBEAT_ERROR_USAGE, "--%s takes no value, got '%s'",
			    row->name, value);
	return row->set(context->settings + context->table->offset, value != NULL ? value : "1",
			error);
}

static GOptionEntry *make_entries(const OptionTable *table)
{
	GArray *entries = g_array_new(TRUE, TRUE, sizeof(GOptionEntry));

	for (const OptionRow *row = table->rows; row->name != NULL; row++) {
		GOptionEntry entry = {
			.long_name = row->name,
			.short_name = row->short_name,
			.flags = row->arg != NULL ? G_OPTION_FLAG_FILENAME : G_OPTION_FLAG_NO_ARG,
			.arg = G_OPTION_ARG_CALLBACK,
			.arg_data = (gpointer)set_option,
		};
		g_array_append_val(entries, entry);
	}
	return (GOptionEntry *)g_array_free(entries, FALSE);
}

static void add_table(GOptionContext *parser, const OptionTable *table, void *settings)
{
	Context *context = g_new(Context, 1);
	g_autofree GOptionEntry *entries = make_entries(table);
	GOptionGroup *group;

	*context = (Context){ table, settings };
	group = g_option_group_new(table->title, "", "", context, g_free);
	g_option_group_add_entries(group, entries);
	g_option_context_add_group(parser, group);
}

/* GLib's own errors are errors of usage; ours keep their code. */
static bool as_usage(const Command *command, GError *cause, GError **error)
{
	if (cause->domain == FLAMEBEAT_ERROR) {
		g_propagate_error(error, cause);
		return false;
	}
	fail(error, FLAMEBEAT_ERROR_USAGE, "%s; `flamebeat %s --help` lists the options",
	     cause->message, command->name);
	g_error_free(cause);
	return false;
}

/* GLib lets a switch have a value and does not tell us: `--strict=0` would mean `--strict`. */
static bool check_switches(const Command *command, char *const *argv, GError **error)
{
	for (; *argv != NULL && !g_str_equal(*argv, "--"); argv++) {
		const char *equals = strchr(*argv, '=');
		g_autofree char *option = NULL;

		if (equals == NULL || !g_str_has_prefix(*argv, "--"))
			continue;
		option = g_strndup(*argv, (gsize)(equals - *argv));
		for (int i = 0; command->tables[i].rows != NULL; i++) {
			const OptionRow *row = find_row(&command->tables[i], option);

			if (row != NULL && row->arg == NULL)
				return fail(error, FLAMEBEAT_ERROR_USAGE, "%s takes no value",
					    option);
		}
	}
	return true;
}

/* How many letters of `word`, as in `-abF`, are switches; then `*row` is the option that follows
 * them and takes a value, NULL where there is none. */
static size_t skip_switches(const Command *command, const char *word, const OptionRow **row)
{
	size_t n = 1;

	for (;; n++) {
		const char option[] = { '-', word[n], '\0' };

		*row = NULL;
		for (int i = 0; *row == NULL && command->tables[i].rows != NULL; i++)
			*row = word[n] != '\0' ? find_row(&command->tables[i], option) : NULL;
		if (*row == NULL || (*row)->arg != NULL)
			return n;
	}
}

/* Whether `word` is a long option whose value is the next word. */
static bool wants_next(const Command *command, const char *word)
{
	for (int i = 0; command->tables[i].rows != NULL; i++) {
		const OptionRow *row = find_row(&command->tables[i], word);

		if (row != NULL)
			return row->arg != NULL;
	}
	return false;
}

/*
 * The words of `argv` after a first one that GLib does not look at. `-F99` becomes `-F 99`, since
 * GLib would take the next word as the value; and a command line that follows the options gets its
 * `--` before it.
 */
static char **make_words(const Command *command, char *const *argv)
{
	GPtrArray *words = g_ptr_array_new();
	bool is_value = false;

	g_ptr_array_add(words, g_strdup("flamebeat"));
	for (; *argv != NULL && !g_str_equal(*argv, "--"); argv++) {
		const OptionRow *row = NULL;
		bool is_short = !is_value && (*argv)[0] == '-' && (*argv)[1] != '-';
		size_t n = is_short ? skip_switches(command, *argv, &row) : 0;

		if (command->takes_command && !is_value && (*argv)[0] != '-') {
			g_ptr_array_add(words, g_strdup("--"));
			break;
		}
		if (row != NULL && (*argv)[n + 1] != '\0') {
			g_ptr_array_add(words, g_strndup(*argv, n + 1));
			g_ptr_array_add(words, g_strdup(*argv + n + 1));
			continue;
		}
		g_ptr_array_add(words, g_strdup(*argv));
		is_value = !is_value && (row != NULL || wants_next(command, *argv));
	}
	for (; *argv != NULL; argv++)
		g_ptr_array_add(words, g_strdup(*argv));
	g_ptr_array_add(words, NULL);
	return (char **)g_ptr_array_free(words, FALSE);
}

static bool is_help(char *const *argv)
{
	for (; *argv != NULL && !g_str_equal(*argv, "--"); argv++)
		if (g_str_equal(*argv, "--help") || g_str_equal(*argv, "-h"))
			return true;
	return false;
}

bool parse_options(const Command *command, char *const *argv, void *settings, char ***inputs,
		   bool *wants_help, GError **error)
{
	g_autoptr(GOptionContext) parser = g_option_context_new(NULL);
	g_auto(GStrv) words = make_words(command, argv);
	GPtrArray *rest;
	GError *cause = NULL;

	*wants_help = is_help(words);
	g_option_context_set_help_enabled(parser, FALSE);
	for (int i = 0; command->tables[i].rows != NULL; i++)
		add_table(parser, &command->tables[i], settings);
	if (!*wants_help && !check_switches(command, words + 1, error))
		return false;
	if (!*wants_help && !g_option_context_parse_strv(parser, &words, &cause))
		return as_usage(command, cause, error);
	/* A `--` stays in the words where it was the first thing that is no option. */
	rest = g_ptr_array_new();
	for (char **word = words + 1; *word != NULL; word++)
		if (!(word == words + 1 && g_str_equal(*word, "--")))
			g_ptr_array_add(rest, g_strdup(*word));
	g_ptr_array_add(rest, NULL);
	*inputs = (char **)g_ptr_array_free(rest, FALSE);
	return true;
}

/* How many words at `argv` say nothing of what is shown: where it goes, how it is made. */
static int n_words_to_skip(char *const *argv)
{
	static const struct {
		const char *name;
		int n_words;
	} silent[] = {
		{ "-o", 2 }, { "--output", 2 }, { "--threads", 2 },
		{ "-q", 1 }, { "--quiet", 1 },	{ "--strict", 1 },
	};

	for (size_t i = 0; i < G_N_ELEMENTS(silent); i++) {
		size_t n = strlen(silent[i].name);

		if (g_str_equal(argv[0], silent[i].name))
			return argv[1] != NULL ? silent[i].n_words : 1;
		if (g_str_has_prefix(argv[0], silent[i].name) &&
		    (argv[0][n] == '=' || (n == 2 && silent[i].n_words == 2)))
			return 1;
	}
	return 0;
}

static char *quoted(const char *word)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "0123456789-_=.,:@/+%";

	return *word != '\0' && strspn(word, plain) == strlen(word) ? g_strdup(word)
								    : g_shell_quote(word);
}

char *options_as_words(char *const *argv, char *const *inputs)
{
	GString *words = g_string_new(NULL);

	while (*argv != NULL) {
		int n = n_words_to_skip(argv);
		g_autofree char *word = quoted(*argv);

		if (n == 0 && !g_strv_contains((const char *const *)inputs, *argv))
			g_string_append_printf(words, "%s%s", words->len > 0 ? " " : "", word);
		argv += MAX(n, 1);
	}
	return g_string_free(words, FALSE);
}
