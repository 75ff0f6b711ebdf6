/* SPDX-License-Identifier: MIT */
/* Reading and writing of the demangler. */

#include "store/rust-v0-private.h"

void rust_plan_at(Demangler *self, Action action, const char *text, size_t at)
{
	Task task = { action, text, at };

	g_array_append_val(self->tasks, task);
	self->has_failed = self->has_failed || self->tasks->len > MAX_TASKS;
}

void rust_plan(Demangler *self, Action action, const char *text)
{
	rust_plan_at(self, action, text, 0);
}

void rust_put(Demangler *self, const char *bytes, size_t n)
{
	if (self->n_silent == 0)
		g_string_append_len(self->name, bytes, (gssize)n);
	self->has_failed = self->has_failed || self->name->len > MAX_LENGTH;
}

void rust_put_text(Demangler *self, const char *text)
{
	rust_put(self, text, strlen(text));
}

void rust_give_up(Demangler *self)
{
	self->has_failed = true;
}

/* --- tokens ------------------------------------------------------------------------------ */

char rust_peek(const Demangler *self)
{
	return self->at < self->symbol.len ? self->symbol.data[self->at] : '\0';
}

bool rust_take(Demangler *self, char c)
{
	if (rust_peek(self) != c || c == '\0')
		return false;
	self->at++;
	return true;
}

char rust_next(Demangler *self)
{
	char c = rust_peek(self);

	if (c == '\0')
		rust_give_up(self);
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

uint64_t rust_base_62(Demangler *self)
{
	uint64_t value = 0;

	if (rust_take(self, '_'))
		return 0;
	while (!self->has_failed && !rust_take(self, '_')) {
		int digit = base_62_digit(rust_next(self));

		if (digit < 0 || __builtin_mul_overflow(value, 62, &value) ||
		    __builtin_add_overflow(value, (uint64_t)digit, &value))
			rust_give_up(self);
	}
	return value + 1;
}

uint64_t rust_disambiguator(Demangler *self)
{
	return rust_take(self, 's') ? rust_base_62(self) + 1 : 0;
}

Text rust_identifier(Demangler *self, bool *is_punycode)
{
	size_t n = 0;
	Text text;

	*is_punycode = rust_take(self, 'u');
	if (!g_ascii_isdigit(rust_peek(self)))
		rust_give_up(self);
	if (!rust_take(self, '0'))
		while (g_ascii_isdigit(rust_peek(self)) && n < self->symbol.len)
			n = n * 10 + (size_t)(rust_next(self) - '0');
	rust_take(self, '_');
	if (n > self->symbol.len - self->at) {
		rust_give_up(self);
		return (Text){ self->symbol.data, 0 };
	}
	text = (Text){ self->symbol.data + self->at, n };
	self->at += n;
	return text;
}

void rust_put_identifier(Demangler *self)
{
	bool is_punycode;
	Text text = rust_identifier(self, &is_punycode);

	if (is_punycode)
		rust_put_text(self, "punycode{");
	rust_put(self, text.data, text.len);
	if (is_punycode)
		rust_put_text(self, "}");
}

void rust_follow(Demangler *self, Action action)
{
	size_t here = self->at - 1;
	uint64_t target = rust_base_62(self);

	if (target >= here)
		rust_give_up(self);
	rust_plan_at(self, DO_RETURN, NULL, self->at);
	rust_plan(self, action, NULL);
	self->at = (size_t)MIN(target, here);
}

void rust_skip_lifetime(Demangler *self)
{
	if (rust_take(self, 'L'))
		rust_base_62(self);
}
