/* SPDX-License-Identifier: MIT */
/* Each rule is a function that shortens the borrowed text; bytes are only copied at the end. */

#include "store/tidy.h"

#include "store/rust-v0.h"

/* V8 names what it made: "JS:~f file:1:2", "Eval:~ :1:1", "RegExp:[&<>]". */
static bool is_v8(Text symbol)
{
	static const char *const kinds[] = { "JS:",	 "Eval:", "RegExp:",  "LazyCompile:",
					     "Builtin:", "Stub:", "Script:",  "Function:",
					     "Bytecode", "py::",  "Handler:", "Callback:" };

	for (size_t i = 0; i < G_N_ELEMENTS(kinds); i++)
		if (text_starts(symbol, kinds[i]))
			return true;
	return false;
}

/* HotSpot numbers its stub blobs: `StubRoutines (1)`: a blank, and digits alone within. */
static bool is_stub_name(Text symbol, size_t open)
{
	size_t i = open + 1;

	if (open == 0 || symbol.data[open - 1] != ' ')
		return false;
	while (i < symbol.len && g_ascii_isdigit(symbol.data[i]))
		i++;
	return i > open + 1 && i + 1 == symbol.len && symbol.data[i] == ')';
}

static Text tidy_jit(Text symbol)
{
	const char *open = symbol.len > 0 ? memchr(symbol.data, '(', symbol.len) : NULL;
	size_t at = open != NULL ? (size_t)(open - symbol.data) : 0;

	if (at == 0 || is_stub_name(symbol, at))
		return symbol;
	return (Text){ symbol.data, at };
}

/* Position of the parenthesis that closes the one at `open`, or symbol.len. */
static size_t closing(Text symbol, size_t open)
{
	int depth = 0;

	for (size_t i = open; i < symbol.len; i++) {
		if (symbol.data[i] == '(')
			depth++;
		else if (symbol.data[i] == ')' && --depth == 0)
			return i;
	}
	return symbol.len;
}

/* What may follow an argument list at the end of a C++ name. */
static bool is_trailer(Text rest)
{
	return rest.len == 0 || text_equal(rest, TEXT(" const")) ||
	       text_equal(rest, TEXT(" volatile")) || text_equal(rest, TEXT(" const volatile")) ||
	       text_equal(rest, TEXT("&")) || text_equal(rest, TEXT("&&")) ||
	       text_equal(rest, TEXT(" const&")) || text_equal(rest, TEXT(" &")) ||
	       text_equal(rest, TEXT(" &&")) || text_starts(rest, " [clone") ||
	       text_starts(rest, " const [clone");
}

static bool ends_in_operator(Text head)
{
	static const char word[] = "operator";
	size_t n = sizeof(word) - 1;

	return text_ends(head, word) &&
	       (head.len == n || !(g_ascii_isalnum(head.data[head.len - n - 1]) ||
				   head.data[head.len - n - 1] == '_'));
}

/* `<` and `>` nest templates, unless they belong to an operator's name or an arrow. */
static bool is_bracket(Text symbol, size_t i)
{
	size_t back = i;

	if (symbol.data[i] == '>' && i > 0 && symbol.data[i - 1] == '-')
		return false;
	/* No operator has more than three of them. */
	while (back > 0 && i - back < 3 && symbol.data[back - 1] != '\0' &&
	       strchr("<>=-", symbol.data[back - 1]) != NULL)
		back--;
	return !ends_in_operator((Text){ symbol.data, back });
}

/* Where an argument list begins, or symbol.len. */
static size_t argument_list(Text symbol)
{
	int depth = 0;

	for (size_t i = 0; i < symbol.len; i++) {
		char c = symbol.data[i];

		if (c == '<' && is_bracket(symbol, i))
			depth++;
		else if (c == '>' && is_bracket(symbol, i) && depth > 0)
			depth--;
		if (c != '(')
			continue;
		if (depth == 0 && i > 0 && symbol.data[i - 1] != '.' &&
		    !ends_in_operator((Text){ symbol.data, i }) &&
		    !text_starts(text_skip(symbol, i), "(anonymous namespace)") &&
		    is_trailer(text_skip(symbol, MIN(closing(symbol, i) + 1, symbol.len))))
			return closing(symbol, i) < symbol.len ? i : symbol.len;
		i = MIN(closing(symbol, i), symbol.len - 1);
	}
	return symbol.len;
}

/* `::h` and 16 hexadecimal digits: a hash that legacy Rust symbols end in. */
static Text without_rust_hash(Text symbol)
{
	size_t n = strlen("::h") + 16;
	Text tail;

	if (symbol.len <= n)
		return symbol;
	tail = text_skip(symbol, symbol.len - n);
	if (!text_starts(tail, "::h"))
		return symbol;
	for (size_t i = 3; i < n; i++)
		if (!g_ascii_isxdigit(tail.data[i]) || g_ascii_isupper(tail.data[i]))
			return symbol;
	return (Text){ symbol.data, symbol.len - n };
}

/* --- half-demangled Rust ----------------------------------------------------------------- */

/* What `$NAME$` stands for in legacy symbols (rustc_symbol_mangling::legacy); `$u7e$` is U+7E. */
static const struct {
	const char *name, *text;
} rust_escapes[] = { { "SP", "@" }, { "BP", "*" }, { "RF", "&" }, { "LT", "<" },
		     { "GT", ">" }, { "LP", "(" }, { "RP", ")" }, { "C", "," } };

/* Length of the escape that `text` begins with, 0: none; its character is appended. */
static size_t take_rust_escape(Text text, GString *name)
{
	const char *end = text.len > 2 && text.data[0] == '$'
				  ? memchr(text.data + 1, '$', MIN(text.len - 1, 8))
				  : NULL;
	Text inner = { text.data + 1, end != NULL ? (size_t)(end - text.data) - 1 : 0 };
	g_autofree char *digits = NULL;
	guint64 code;

	for (size_t i = 0; end != NULL && i < G_N_ELEMENTS(rust_escapes); i++)
		if (text_equal(inner, text_from(rust_escapes[i].name))) {
			g_string_append(name, rust_escapes[i].text);
			return inner.len + 2;
		}
	if (inner.len < 2 || inner.data[0] != 'u')
		return 0;
	digits = g_strndup(inner.data + 1, inner.len - 1);
	if (strspn(digits, "0123456789abcdef") != inner.len - 1)
		return 0;
	code = g_ascii_strtoull(digits, NULL, 16);
	if (code < 0x20 || !g_unichar_validate((gunichar)code))
		return 0;
	g_string_append_unichar(name, (gunichar)code);
	return inner.len + 2;
}

/* A C++ demangler leaves them: `_$LT$alloc..vec..Vec$LT$T$GT$$GT$::drop`. False: there are none. */
static bool append_rust(Text symbol, GString *name)
{
	size_t n_escapes = 0, begin = name->len;
	size_t i = text_starts(symbol, "_$") ? 1 : 0;

	if (symbol.len == 0 || memchr(symbol.data, '$', symbol.len) == NULL)
		return false;
	while (i < symbol.len) {
		Text rest = text_skip(symbol, i);
		size_t n = take_rust_escape(rest, name);

		n_escapes += n > 0;
		if (n == 0 && text_starts(rest, "..")) {
			g_string_append(name, "::");
			n = 2;
		} else if (n == 0) {
			g_string_append_c(name, rest.data[0]);
			n = 1;
		}
		i += n;
	}
	if (n_escapes == 0)
		g_string_truncate(name, begin);
	return n_escapes > 0;
}

static Text tidy_native(Text symbol)
{
	symbol.len = argument_list(symbol);
	return without_rust_hash(symbol);
}

/* `Ljava/io/PrintStream;` is a type of the JVM's: the L says "class". */
static Text without_class_mark(Text symbol)
{
	return symbol.len > 1 && symbol.data[0] == 'L' &&
			       memchr(symbol.data, '/', symbol.len) != NULL
		       ? text_skip(symbol, 1)
		       : symbol;
}

void tidy_symbol(Text symbol, bool is_jit, GString *name)
{
	if (is_jit && !is_v8(symbol))
		symbol = without_class_mark(tidy_jit(symbol));
	else if (!is_jit)
		symbol = tidy_native(symbol);
	g_string_truncate(name, 0);
	if (is_jit || !(rust_v0_append(symbol, name) || append_rust(symbol, name)))
		g_string_append_len(name, symbol.data, (gssize)symbol.len);
	for (gsize i = 0; i < name->len; i++)
		if (name->str[i] == ';')
			name->str[i] = ':';
}

ptrdiff_t tidy_find_inlined(Text symbol)
{
	size_t from = 0;
	ptrdiff_t at;

	if (is_v8(symbol))
		return -1;
	while ((at = text_find(text_skip(symbol, from), "->")) >= 0) {
		if (!ends_in_operator((Text){ symbol.data, from + (size_t)at }))
			return (ptrdiff_t)from + at;
		from += (size_t)at + strlen("->");
	}
	return -1;
}
