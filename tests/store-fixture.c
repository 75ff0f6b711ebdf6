/* SPDX-License-Identifier: MIT */
/* Words are split by hand: a fixture that used the program's own parser would share its mistakes.
 */

#include "tests/store-fixture.h"

#include <string.h>

static int64_t time_of(const char *word)
{
	if (g_str_equal(word, "-"))
		return TIME_NONE;
	bool is_negative = *word == '-';
	g_auto(GStrv) parts = g_strsplit(word + is_negative, ".", 2);
	int64_t ns = g_ascii_strtoll(parts[0], NULL, 10) * NS_PER_SECOND;
	int64_t unit = NS_PER_SECOND / 10;
	for (const char *c = parts[1]; c != NULL && *c != '\0'; c++, unit /= 10) {
		g_assert_true(g_ascii_isdigit(*c) && unit > 0);
		ns += (*c - '0') * unit;
	}
	return is_negative ? -ns : ns;
}

static int32_t id_of(const char *word)
{
	return g_str_equal(word, "-") ? ID_NONE : (int32_t)g_ascii_strtoll(word, NULL, 10);
}

/* Where ` (DSO)` begins: paths and perf's own names first, since both sides can hold parentheses.
 */
static const char *find_dso(const char *text)
{
	const char *path = g_strrstr(text, " (/"), *bracket = g_strrstr(text, " ([");

	if (!g_str_has_suffix(text, ")"))
		return NULL;
	if (path == NULL && bracket == NULL)
		return g_strrstr(text, " (");
	return path > bracket ? path : bracket;
}

static uint32_t add_frame(StoreBuilder *builder, const char *text)
{
	StoreFrame frame = { .symbol = text_from(text), .dso = TEXT("") };
	const char *open = find_dso(text);

	if (open != NULL) {
		frame.symbol.len = (size_t)(open - text);
		frame.dso = (Text){ open + 2, strlen(open) - 3 };
	}
	if (text_equal(frame.dso, TEXT("inlined"))) {
		frame.dso = TEXT("");
		frame.flags = FRAME_INLINED;
	}
	if (text_starts(frame.symbol, "@")) {
		frame.address = g_ascii_strtoull(frame.symbol.data + 1, NULL, 16);
		frame.symbol = TEXT("");
	}
	return store_builder_frame(builder, &frame);
}

uint32_t store_fixture_stack(StoreBuilder *builder, const char *folded)
{
	g_auto(GStrv) frames = g_strsplit(folded, ";", -1);
	uint32_t stack = 0;

	for (char **frame = frames; *frame != NULL; frame++)
		if (**frame != '\0')
			stack = store_builder_stack(builder, stack, add_frame(builder, *frame));
	return stack;
}

static void add_line(StoreBuilder *builder, const char *line)
{
	g_auto(GStrv) words = g_strsplit(line, " ", 7);
	guint n = g_strv_length(words);
	g_assert_cmpuint(n, >=, 6);
	g_strdelimit(words[1], "+", ' ');
	g_strdelimit(words[4], "+", ' ');
	char *slash = strchr(words[2], '/');
	g_assert_nonnull(slash);
	*slash = '\0';
	StoreThread thread = { text_from(words[1]), id_of(words[2]), id_of(slash + 1) };
	Sample sample = { .time_ns = time_of(words[0]),
			  .thread = store_builder_thread(builder, &thread),
			  .cpu = id_of(words[3]),
			  .event = store_builder_event(builder, text_from(words[4])),
			  .has_period = !g_str_equal(words[5], "-"),
			  .stack = store_fixture_stack(builder, n > 6 ? words[6] : "") };

	if (sample.has_period)
		sample.period = g_ascii_strtoull(words[5], NULL, 10);
	g_assert_true(store_builder_add(builder, &sample));
}

void store_fixture_add(StoreBuilder *builder, const char *lines)
{
	g_auto(GStrv) split = g_strsplit(lines, "\n", -1);

	for (char **line = split; *line != NULL; line++) {
		/* Runs of blanks align columns. */
		g_auto(GStrv) words = g_strsplit_set(g_strstrip(*line), " ", -1);
		g_autoptr(GString) joined = g_string_new(NULL);
		for (char **word = words; *word != NULL; word++)
			if (**word != '\0')
				g_string_append_printf(joined, joined->len > 0 ? " %s" : "%s",
						       *word);
		if (joined->len > 0)
			add_line(builder, joined->str);
	}
}

Store *store_fixture_finish(StoreBuilder *builder)
{
	g_autoptr(GError) error = NULL;
	Store *store = store_builder_finish(builder, &error);

	g_assert_no_error(error);
	g_assert_nonnull(store);
	store_builder_free(builder);
	return store;
}

Store *store_fixture_new(const char *lines)
{
	StoreBuilder *builder = store_builder_new();

	store_fixture_add(builder, lines);
	return store_fixture_finish(builder);
}

char *store_fixture_folded(const Store *store, uint32_t stack)
{
	GString *folded = g_string_new(NULL);

	for (; stack != 0; stack = store_stack_parent(store, stack)) {
		Text symbol = store_frame(store, store_stack_frame(store, stack)).symbol;
		if (symbol.len == 0)
			symbol = TEXT("@");
		if (folded->len > 0)
			g_string_prepend_c(folded, ';');
		g_string_prepend_len(folded, symbol.data, (gssize)symbol.len);
	}
	return g_string_free(folded, FALSE);
}

static bool set_option(Query *query, const char *name, const char *value, GError **error)
{
	for (const OptionRow *row = query_options; row->name != NULL; row++)
		if (g_str_equal(row->name, name))
			return row->set(query, value, error);
	g_error("no option --%s", name);
}

bool query_fixture_try(Query *query, const char *words, GError **error)
{
	g_auto(GStrv) split = g_strsplit(words, " ", -1);

	for (char **word = split; *word != NULL; word++) {
		char *equals = strchr(*word, '=');
		if (equals == NULL)
			continue;
		*equals = '\0';
		if (!set_option(query, *word, equals + 1, error))
			return false;
	}
	return true;
}

void query_fixture(Query *query, const char *words)
{
	g_autoptr(GError) error = NULL;

	query_fixture_try(query, words, &error);
	g_assert_no_error(error);
}

Selection *selection_fixture(const Store *store, const char *words, Notes *notes)
{
	g_auto(Query) query;
	g_autoptr(GError) error = NULL;

	query_init(&query);
	query_fixture(&query, words);
	Selection *selection = selection_new(store, &query, notes, &error);
	g_assert_no_error(error);
	g_assert_nonnull(selection);
	return selection;
}

/* Whatever is looked at is counted in one place. */
static void check_sum(SelectionCounts counts)
{
	g_assert_cmpuint(counts.seen, ==,
			 counts.samples + counts.idle + counts.idle_presumed + counts.other_event +
				 counts.filtered);
}

SelectionCounts selection_fixture_walk(Selection *selection,
				       void (*each)(const SampleBlock *block, void *context),
				       void *context)
{
	g_autofree SampleBlock *block = g_new(SampleBlock, 1);
	g_autoptr(GError) error = NULL;

	selection_rewind(selection);
	do {
		g_assert_true(selection_next(selection, block, &error));
		g_assert_no_error(error);
		if (each != NULL && block->n > 0)
			each(block, context);
	} while (block->n > 0);
	check_sum(selection_counts(selection));
	return selection_counts(selection);
}

SelectionCounts counts_fixture(const Store *store, const char *words)
{
	g_autoptr(Selection) selection = selection_fixture(store, words, NULL);

	return selection_fixture_walk(selection, NULL, NULL);
}

bool notes_fixture_has(const Notes *notes, const char *part)
{
	for (guint i = 0; i < notes_count(notes); i++)
		if (strstr(notes_get(notes, i), part) != NULL)
			return true;
	return false;
}
