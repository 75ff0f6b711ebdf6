/* SPDX-License-Identifier: MIT */
/* Types and constants of Rust's v0 symbols. */

#include "store/rust-v0-private.h"

/* --- types ------------------------------------------------------------------------------- */

/* By letter, from `a` on; NULL: no type is called so. */
static const char *basic_type(char c)
{
	static const char *const types[] = {
		"i8",	 "bool", "char", "f64", "str",	"f32",	NULL,  "u8", "isize",
		"usize", NULL,	 "i32",	 "u32", "i128", "u128", "_",   NULL, NULL,
		"i16",	 "u16",	 "()",	 "...", NULL,	"i64",	"u64", "!",
	};

	return g_ascii_islower(c) ? types[c - 'a'] : NULL;
}

static void skip_binder(Demangler *self)
{
	if (rust_take(self, 'G'))
		rust_base_62(self);
}

static void do_function(Demangler *self)
{
	bool is_punycode;

	skip_binder(self);
	if (rust_take(self, 'U'))
		rust_put_text(self, "unsafe ");
	if (rust_take(self, 'K')) {
		Text abi = TEXT("C");

		if (!rust_take(self, 'C'))
			abi = rust_identifier(self, &is_punycode);
		rust_put_text(self, "extern \"");
		rust_put(self, abi.data, abi.len);
		rust_put_text(self, "\" ");
	}
	rust_put_text(self, "fn(");
	rust_plan(self, DO_RESULT, NULL);
	rust_plan(self, DO_TEXT, ")");
	rust_plan(self, DO_TYPES, "");
}

/* Types that begin with a letter of their own; the letter is taken. */
static bool do_compound_type(Demangler *self, char c)
{
	switch (c) {
	case 'R':
	case 'Q':
		rust_skip_lifetime(self);
		rust_put_text(self, c == 'R' ? "&" : "&mut ");
		rust_plan(self, DO_TYPE, NULL);
		return true;
	case 'P':
	case 'O':
		rust_put_text(self, c == 'P' ? "*const " : "*mut ");
		rust_plan(self, DO_TYPE, NULL);
		return true;
	case 'A':
	case 'S':
		rust_put_text(self, "[");
		rust_plan(self, DO_TEXT, "]");
		if (c == 'A') {
			rust_plan(self, DO_CONST, NULL);
			rust_plan(self, DO_TEXT, "; ");
		}
		rust_plan(self, DO_TYPE, NULL);
		return true;
	case 'T':
		rust_put_text(self, "(");
		rust_plan_at(self, DO_TUPLE, NULL, 0);
		return true;
	case 'F':
		do_function(self);
		return true;
	case 'D':
		rust_put_text(self, "dyn ");
		skip_binder(self);
		rust_plan(self, DO_TRAITS, "");
		return true;
	default:
		return false;
	}
}

void rust_do_type(Demangler *self)
{
	char c = rust_next(self);
	const char *basic = basic_type(c);

	if (basic != NULL) {
		rust_put_text(self, basic);
	} else if (c == 'B') {
		rust_follow(self, DO_TYPE);
	} else if (!do_compound_type(self, c)) {
		self->at--;
		rust_do_path(self, DO_PATH);
	}
}

void rust_do_result(Demangler *self)
{
	if (rust_take(self, 'u'))
		return;
	rust_put_text(self, " -> ");
	rust_do_type(self);
}

/* A trait is a path, and what its associated types are: `Fn<(u8,), Output = u8>`. */
void rust_do_traits(Demangler *self, const char *before)
{
	if (rust_take(self, 'E')) {
		rust_skip_lifetime(self);
		return;
	}
	rust_put_text(self, before);
	rust_plan(self, DO_TRAITS, " + ");
	rust_plan(self, DO_BINDINGS, "<");
	rust_plan(self, DO_PATH, NULL);
}

void rust_do_bindings(Demangler *self, const char *before)
{
	bool is_first = *before == '<';

	if (!rust_take(self, 'p')) {
		if (!is_first)
			rust_put_text(self, ">");
		return;
	}
	/* `Fn<A>` has its brackets already: the list goes on within them. */
	if (is_first && self->n_silent == 0 && g_str_has_suffix(self->name->str, ">")) {
		g_string_truncate(self->name, self->name->len - 1);
		before = ", ";
	}
	rust_put_text(self, before);
	rust_put_identifier(self);
	rust_put_text(self, " = ");
	rust_plan(self, DO_BINDINGS, ", ");
	rust_plan(self, DO_TYPE, NULL);
}

/* --- constants --------------------------------------------------------------------------- */

static void put_number(Demangler *self, bool is_negative, Text digits)
{
	g_autofree char *hex = g_strndup(digits.data, digits.len);
	g_autofree char *text = digits.len > 16 ? g_strdup_printf("0x%s", hex)
						: g_strdup_printf("%" G_GUINT64_FORMAT,
								  g_ascii_strtoull(hex, NULL, 16));

	rust_put_text(self, is_negative ? "-" : "");
	rust_put_text(self, text);
}

static void put_character(Demangler *self, Text digits)
{
	g_autofree char *hex = g_strndup(digits.data, MIN(digits.len, 8));
	gunichar c = (gunichar)g_ascii_strtoull(hex, NULL, 16);
	char bytes[6];

	if (!g_unichar_validate(c) || c < 0x20) {
		rust_give_up(self);
		return;
	}
	rust_put_text(self, "'");
	rust_put(self, bytes, (size_t)g_unichar_to_utf8(c, bytes));
	rust_put_text(self, "'");
}

void rust_do_const(Demangler *self)
{
	char type = rust_next(self);
	bool is_negative;
	size_t begin;
	Text digits;

	if (type == 'p') {
		rust_put_text(self, "_");
		return;
	}
	if (type == 'B') {
		rust_follow(self, DO_CONST);
		return;
	}
	is_negative = rust_take(self, 'n');
	begin = self->at;
	while (g_ascii_isxdigit(rust_peek(self)) && !g_ascii_isupper(rust_peek(self)))
		self->at++;
	digits = (Text){ self->symbol.data + begin, self->at - begin };
	if (!rust_take(self, '_') || basic_type(type) == NULL)
		rust_give_up(self);
	else if (type == 'b')
		rust_put_text(self, text_equal(digits, TEXT("1")) ? "true" : "false");
	else if (type == 'c')
		put_character(self, digits);
	else
		put_number(self, is_negative, digits);
}
