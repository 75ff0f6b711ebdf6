/* SPDX-License-Identifier: MIT */
/*
 * The grammar is recursive and so are symbols that mean ill; here it is a list of what is still to
 * be done, the last first. Names of crates and impls that only tell equal names apart are read
 * without being written.
 */

#include "store/rust-v0.h"

/* Back references make names of any length from short symbols. */
#define MAX_STEPS  4096
#define MAX_LENGTH 4096
#define MAX_TASKS  1024

typedef enum {
	DO_TEXT,
	DO_PATH,       /* in types: f<T> */
	DO_VALUE_PATH, /* in values: f::<T> */
	DO_MEMBER,     /* behind the path of an N: `at` is its namespace */
	DO_TYPE,
	DO_CONST,
	DO_ARGUMENTS, /* generic ones, up to E; `text` is written before each */
	DO_TYPES,     /* up to E */
	DO_TUPLE,     /* up to E, from element `at` on */
	DO_RESULT,    /* of a function: none is written for () */
	DO_TRAITS,    /* of a dyn, up to E */
	DO_BINDINGS,  /* p name type, of a trait */
	DO_RETURN,    /* on from `at`, behind a back reference */
	DO_SPEAK,     /* write again */
} Action;

typedef struct {
	Action action;
	const char *text;
	size_t at;
} Task;

typedef struct {
	Text symbol; /* behind `_R` */
	size_t at;
	GString *name;
	GArray *tasks;
	unsigned n_steps, n_silent;
	bool has_failed;
} Demangler;

static void plan_at(Demangler *self, Action action, const char *text, size_t at)
{
	Task task = { action, text, at };

	g_array_append_val(self->tasks, task);
	self->has_failed = self->has_failed || self->tasks->len > MAX_TASKS;
}

static void plan(Demangler *self, Action action, const char *text)
{
	plan_at(self, action, text, 0);
}

static void put(Demangler *self, const char *bytes, size_t n)
{
	if (self->n_silent == 0)
		g_string_append_len(self->name, bytes, (gssize)n);
	self->has_failed = self->has_failed || self->name->len > MAX_LENGTH;
}

static void put_text(Demangler *self, const char *text)
{
	put(self, text, strlen(text));
}

static void give_up(Demangler *self)
{
	self->has_failed = true;
}

/* --- tokens ------------------------------------------------------------------------------ */

static char peek(const Demangler *self)
{
	return self->at < self->symbol.len ? self->symbol.data[self->at] : '\0';
}

static bool take(Demangler *self, char c)
{
	if (peek(self) != c || c == '\0')
		return false;
	self->at++;
	return true;
}

static char next(Demangler *self)
{
	char c = peek(self);

	if (c == '\0')
		give_up(self);
	else
		self->at++;
	return c;
}

static int base_62_digit(char c)
{
	if (g_ascii_isdigit(c))
		return c - '0';
	if (g_ascii_islower(c))
		return c - 'a' + 10;
	return g_ascii_isupper(c) ? c - 'A' + 36 : -1;
}

/* `_` is 0, `0_` is 1, `Z_` is 62, … */
static uint64_t base_62(Demangler *self)
{
	uint64_t value = 0;

	if (take(self, '_'))
		return 0;
	while (!self->has_failed && !take(self, '_')) {
		int digit = base_62_digit(next(self));

		if (digit < 0 || __builtin_mul_overflow(value, 62, &value) ||
		    __builtin_add_overflow(value, (uint64_t)digit, &value))
			give_up(self);
	}
	return value + 1;
}

/* `s_`, `s0_`, …: tells equal names apart; 0: none. */
static uint64_t disambiguator(Demangler *self)
{
	return take(self, 's') ? base_62(self) + 1 : 0;
}

/* The name of an identifier; `is_punycode` where it is not ASCII. */
static Text identifier(Demangler *self, bool *is_punycode)
{
	size_t n = 0;
	Text text;

	*is_punycode = take(self, 'u');
	if (!g_ascii_isdigit(peek(self)))
		give_up(self);
	if (!take(self, '0'))
		while (g_ascii_isdigit(peek(self)) && n < self->symbol.len)
			n = n * 10 + (size_t)(next(self) - '0');
	take(self, '_');
	if (n > self->symbol.len - self->at) {
		give_up(self);
		return (Text){ self->symbol.data, 0 };
	}
	text = (Text){ self->symbol.data + self->at, n };
	self->at += n;
	return text;
}

static void put_identifier(Demangler *self)
{
	bool is_punycode;
	Text text = identifier(self, &is_punycode);

	if (is_punycode)
		put_text(self, "punycode{");
	put(self, text.data, text.len);
	if (is_punycode)
		put_text(self, "}");
}

/* On from an earlier place, then back; always further to the front. */
static void follow(Demangler *self, Action action)
{
	size_t here = self->at - 1;
	uint64_t target = base_62(self);

	if (target >= here)
		give_up(self);
	plan_at(self, DO_RETURN, NULL, self->at);
	plan(self, action, NULL);
	self->at = (size_t)MIN(target, here);
}

/* --- paths ------------------------------------------------------------------------------- */

/* `<` type ` as ` trait `>`, behind the path of the impl, which is not written. */
static void plan_impl(Demangler *self, bool has_path, bool has_trait)
{
	if (has_path)
		disambiguator(self);
	plan(self, DO_TEXT, ">");
	if (has_trait) {
		plan(self, DO_PATH, NULL);
		plan(self, DO_TEXT, " as ");
	}
	plan(self, DO_TYPE, NULL);
	plan(self, DO_TEXT, "<");
	if (!has_path)
		return;
	plan(self, DO_SPEAK, NULL);
	plan(self, DO_PATH, NULL);
	self->n_silent++;
}

static void do_path(Demangler *self, Action action)
{
	char c = next(self);
	char space;

	switch (c) {
	case 'C':
		disambiguator(self);
		put_identifier(self);
		break;
	case 'M':
		plan_impl(self, true, false);
		break;
	case 'X':
		plan_impl(self, true, true);
		break;
	case 'Y':
		plan_impl(self, false, true);
		break;
	case 'N':
		space = next(self);
		plan_at(self, DO_MEMBER, NULL, (size_t)space);
		plan(self, action, NULL);
		break;
	case 'I':
		plan(self, DO_TEXT, ">");
		plan(self, DO_ARGUMENTS, "");
		plan(self, DO_TEXT, action == DO_VALUE_PATH ? "::<" : "<");
		plan(self, action, NULL);
		break;
	case 'B':
		follow(self, action);
		break;
	default:
		give_up(self);
	}
}

/* `::name`; by namespace C `::{closure#0}`, S `::{shim:vtable#0}`, others by their letter. */
static void do_member(Demangler *self, char space)
{
	uint64_t number = disambiguator(self);
	char text[32];

	if (!g_ascii_isupper(space)) {
		put_text(self, "::");
		put_identifier(self);
		return;
	}
	put_text(self, "::{");
	if (space == 'C' || space == 'S')
		put_text(self, space == 'C' ? "closure" : "shim");
	else
		put(self, &space, 1);
	if (peek(self) != '0')
		put_text(self, ":");
	put_identifier(self);
	g_snprintf(text, sizeof(text), "#%" G_GUINT64_FORMAT "}", number);
	put_text(self, text);
}

/* --- types ------------------------------------------------------------------------------- */

static const char *basic_type(char c)
{
	static const char *const types[26] = {
		['a' - 'a'] = "i8",   ['b' - 'a'] = "bool",  ['c' - 'a'] = "char",
		['d' - 'a'] = "f64",  ['e' - 'a'] = "str",   ['f' - 'a'] = "f32",
		['h' - 'a'] = "u8",   ['i' - 'a'] = "isize", ['j' - 'a'] = "usize",
		['l' - 'a'] = "i32",  ['m' - 'a'] = "u32",   ['n' - 'a'] = "i128",
		['o' - 'a'] = "u128", ['p' - 'a'] = "_",     ['s' - 'a'] = "i16",
		['t' - 'a'] = "u16",  ['u' - 'a'] = "()",    ['v' - 'a'] = "...",
		['x' - 'a'] = "i64",  ['y' - 'a'] = "u64",   ['z' - 'a'] = "!",
	};

	return g_ascii_islower(c) ? types[c - 'a'] : NULL;
}

/* Lifetimes are not written: they tell nothing of where time goes. */
static void skip_lifetime(Demangler *self)
{
	if (take(self, 'L'))
		base_62(self);
}

static void skip_binder(Demangler *self)
{
	if (take(self, 'G'))
		base_62(self);
}

static void do_function(Demangler *self)
{
	bool is_punycode;

	skip_binder(self);
	if (take(self, 'U'))
		put_text(self, "unsafe ");
	if (take(self, 'K')) {
		Text abi = TEXT("C");

		if (!take(self, 'C'))
			abi = identifier(self, &is_punycode);
		put_text(self, "extern \"");
		put(self, abi.data, abi.len);
		put_text(self, "\" ");
	}
	put_text(self, "fn(");
	plan(self, DO_RESULT, NULL);
	plan(self, DO_TEXT, ")");
	plan(self, DO_TYPES, "");
}

/* Types that begin with a letter of their own; the letter is taken. */
static bool do_compound_type(Demangler *self, char c)
{
	switch (c) {
	case 'R':
	case 'Q':
		skip_lifetime(self);
		put_text(self, c == 'R' ? "&" : "&mut ");
		plan(self, DO_TYPE, NULL);
		return true;
	case 'P':
	case 'O':
		put_text(self, c == 'P' ? "*const " : "*mut ");
		plan(self, DO_TYPE, NULL);
		return true;
	case 'A':
	case 'S':
		put_text(self, "[");
		plan(self, DO_TEXT, "]");
		if (c == 'A') {
			plan(self, DO_CONST, NULL);
			plan(self, DO_TEXT, "; ");
		}
		plan(self, DO_TYPE, NULL);
		return true;
	case 'T':
		put_text(self, "(");
		plan_at(self, DO_TUPLE, NULL, 0);
		return true;
	case 'F':
		do_function(self);
		return true;
	case 'D':
		put_text(self, "dyn ");
		skip_binder(self);
		plan(self, DO_TRAITS, "");
		return true;
	default:
		return false;
	}
}

static void do_type(Demangler *self)
{
	char c = next(self);
	const char *basic = basic_type(c);

	if (basic != NULL) {
		put_text(self, basic);
	} else if (c == 'B') {
		follow(self, DO_TYPE);
	} else if (!do_compound_type(self, c)) {
		self->at--;
		do_path(self, DO_PATH);
	}
}

static void do_result(Demangler *self)
{
	if (take(self, 'u'))
		return;
	put_text(self, " -> ");
	do_type(self);
}

/* A trait is a path, and what its associated types are: `Fn<(u8,), Output = u8>`. */
static void do_traits(Demangler *self, const char *before)
{
	if (take(self, 'E')) {
		skip_lifetime(self);
		return;
	}
	put_text(self, before);
	plan(self, DO_TRAITS, " + ");
	plan(self, DO_BINDINGS, "<");
	plan(self, DO_PATH, NULL);
}

static void do_bindings(Demangler *self, const char *before)
{
	bool is_first = *before == '<';

	if (!take(self, 'p')) {
		if (!is_first)
			put_text(self, ">");
		return;
	}
	/* `Fn<A>` has its brackets already: the list goes on within them. */
	if (is_first && self->n_silent == 0 && g_str_has_suffix(self->name->str, ">")) {
		g_string_truncate(self->name, self->name->len - 1);
		before = ", ";
	}
	put_text(self, before);
	put_identifier(self);
	put_text(self, " = ");
	plan(self, DO_BINDINGS, ", ");
	plan(self, DO_TYPE, NULL);
}

/* --- constants --------------------------------------------------------------------------- */

static void put_number(Demangler *self, bool is_negative, Text digits)
{
	g_autofree char *hex = g_strndup(digits.data, digits.len);
	g_autofree char *text = digits.len > 16 ? g_strdup_printf("0x%s", hex)
						: g_strdup_printf("%" G_GUINT64_FORMAT,
								  g_ascii_strtoull(hex, NULL, 16));

	put_text(self, is_negative ? "-" : "");
	put_text(self, text);
}

static void put_character(Demangler *self, Text digits)
{
	g_autofree char *hex = g_strndup(digits.data, MIN(digits.len, 8));
	gunichar c = (gunichar)g_ascii_strtoull(hex, NULL, 16);
	char bytes[6];

	if (!g_unichar_validate(c) || c < 0x20) {
		give_up(self);
		return;
	}
	put_text(self, "'");
	put(self, bytes, (size_t)g_unichar_to_utf8(c, bytes));
	put_text(self, "'");
}

static void do_const(Demangler *self)
{
	char type = next(self);
	bool is_negative;
	size_t begin;
	Text digits;

	if (type == 'p') {
		put_text(self, "_");
		return;
	}
	if (type == 'B') {
		follow(self, DO_CONST);
		return;
	}
	is_negative = take(self, 'n');
	begin = self->at;
	while (g_ascii_isxdigit(peek(self)) && !g_ascii_isupper(peek(self)))
		self->at++;
	digits = (Text){ self->symbol.data + begin, self->at - begin };
	if (!take(self, '_') || basic_type(type) == NULL)
		give_up(self);
	else if (type == 'b')
		put_text(self, text_equal(digits, TEXT("1")) ? "true" : "false");
	else if (type == 'c')
		put_character(self, digits);
	else
		put_number(self, is_negative, digits);
}

/* --- lists ------------------------------------------------------------------------------- */

/* Of nothing but lifetimes there is nothing to write: no brackets either. */
static void drop_brackets(Demangler *self)
{
	g_array_set_size(self->tasks, self->tasks->len - 1); /* `>` */
	if (self->n_silent > 0)
		return;
	g_string_truncate(self->name, self->name->len - strlen("<"));
	if (g_str_has_suffix(self->name->str, "::"))
		g_string_truncate(self->name, self->name->len - strlen("::"));
}

static void do_arguments(Demangler *self, const char *before)
{
	while (peek(self) == 'L' && !self->has_failed)
		skip_lifetime(self);
	if (take(self, 'E')) {
		if (*before == '\0')
			drop_brackets(self);
		return;
	}
	put_text(self, before);
	plan(self, DO_ARGUMENTS, ", ");
	plan(self, take(self, 'K') ? DO_CONST : DO_TYPE, NULL);
}

static void do_types(Demangler *self, const char *before)
{
	if (take(self, 'E'))
		return;
	put_text(self, before);
	plan(self, DO_TYPES, ", ");
	plan(self, DO_TYPE, NULL);
}

/* One element alone has a comma behind it. */
static void do_tuple(Demangler *self, size_t n)
{
	if (take(self, 'E')) {
		put_text(self, n == 1 ? ",)" : ")");
		return;
	}
	put_text(self, n > 0 ? ", " : "");
	plan_at(self, DO_TUPLE, NULL, n + 1);
	plan(self, DO_TYPE, NULL);
}

/* --- the whole --------------------------------------------------------------------------- */

static void step(Demangler *self, const Task *task)
{
	switch (task->action) {
	case DO_TEXT:
		put_text(self, task->text);
		break;
	case DO_PATH:
	case DO_VALUE_PATH:
		do_path(self, task->action);
		break;
	case DO_MEMBER:
		do_member(self, (char)task->at);
		break;
	case DO_TYPE:
		do_type(self);
		break;
	case DO_CONST:
		do_const(self);
		break;
	case DO_ARGUMENTS:
		do_arguments(self, task->text);
		break;
	case DO_TYPES:
		do_types(self, task->text);
		break;
	case DO_TUPLE:
		do_tuple(self, task->at);
		break;
	case DO_RESULT:
		do_result(self);
		break;
	case DO_TRAITS:
		do_traits(self, task->text);
		break;
	case DO_BINDINGS:
		do_bindings(self, task->text);
		break;
	case DO_RETURN:
		self->at = task->at;
		break;
	case DO_SPEAK:
		self->n_silent--;
		break;
	}
}

/* All tasks, the last first. */
static void work(Demangler *self)
{
	while (self->tasks->len > 0 && !self->has_failed) {
		Task task = g_array_index(self->tasks, Task, self->tasks->len - 1);

		g_array_set_size(self->tasks, self->tasks->len - 1);
		step(self, &task);
		self->has_failed = self->has_failed || ++self->n_steps > MAX_STEPS;
	}
}

bool rust_v0_append(Text symbol, GString *name)
{
	gsize begin = name->len;
	Demangler self = { .name = name };

	if (!text_starts(symbol, "_R") || symbol.len < 4 || !g_ascii_isupper(symbol.data[2]))
		return false;
	self.symbol = text_skip(symbol, 2);
	self.tasks = g_array_new(FALSE, FALSE, sizeof(Task));
	plan(&self, DO_VALUE_PATH, NULL);
	work(&self);
	/* The crate that instantiated it follows, and what compilers append: `.llvm.1234`. */
	if (!self.has_failed && g_ascii_isupper(peek(&self))) {
		self.n_silent++;
		plan(&self, DO_PATH, NULL);
		work(&self);
	}
	self.has_failed = self.has_failed || (peek(&self) != '\0' && peek(&self) != '.');
	g_array_unref(self.tasks);
	if (self.has_failed)
		g_string_truncate(name, begin);
	return !self.has_failed;
}
