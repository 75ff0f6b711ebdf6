/* SPDX-License-Identifier: MIT */
/*
 * The grammar is recursive and so are symbols that mean ill; here it is a list of what is still to
 * be done, the last first. Names of crates and impls that only tell equal names apart are read
 * without being written.
 */

#include "store/rust-v0-private.h"

/* --- paths ------------------------------------------------------------------------------- */

/* `<` type ` as ` trait `>`, behind the path of the impl, which is not written. */
static void plan_impl(Demangler *self, bool has_path, bool has_trait)
{
	if (has_path)
		rust_disambiguator(self);
	rust_plan(self, DO_TEXT, ">");
	if (has_trait) {
		rust_plan(self, DO_PATH, NULL);
		rust_plan(self, DO_TEXT, " as ");
	}
	rust_plan(self, DO_TYPE, NULL);
	rust_plan(self, DO_TEXT, "<");
	if (!has_path)
		return;
	rust_plan(self, DO_SPEAK, NULL);
	rust_plan(self, DO_PATH, NULL);
	self->n_silent++;
}

void rust_do_path(Demangler *self, Action action)
{
	char c = rust_next(self);
	char space;

	switch (c) {
	case 'C':
		rust_disambiguator(self);
		rust_put_identifier(self);
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
		space = rust_next(self);
		rust_plan_at(self, DO_MEMBER, NULL, (size_t)space);
		rust_plan(self, action, NULL);
		break;
	case 'I':
		rust_plan(self, DO_TEXT, ">");
		rust_plan(self, DO_ARGUMENTS, "");
		rust_plan(self, DO_TEXT, action == DO_VALUE_PATH ? "::<" : "<");
		rust_plan(self, action, NULL);
		break;
	case 'B':
		rust_follow(self, action);
		break;
	default:
		rust_give_up(self);
	}
}

/* `::name`; by namespace C `::{closure#0}`, S `::{shim:vtable#0}`, others by their letter. */
static void do_member(Demangler *self, char space)
{
	uint64_t number = rust_disambiguator(self);
	char text[32];

	if (!g_ascii_isupper(space)) {
		rust_put_text(self, "::");
		rust_put_identifier(self);
		return;
	}
	rust_put_text(self, "::{");
	if (space == 'C' || space == 'S')
		rust_put_text(self, space == 'C' ? "closure" : "shim");
	else
		rust_put(self, &space, 1);
	if (rust_peek(self) != '0')
		rust_put_text(self, ":");
	rust_put_identifier(self);
	g_snprintf(text, sizeof(text), "#%" G_GUINT64_FORMAT "}", number);
	rust_put_text(self, text);
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
	while (rust_peek(self) == 'L' && !self->has_failed)
		rust_skip_lifetime(self);
	if (rust_take(self, 'E')) {
		if (*before == '\0')
			drop_brackets(self);
		return;
	}
	rust_put_text(self, before);
	rust_plan(self, DO_ARGUMENTS, ", ");
	rust_plan(self, rust_take(self, 'K') ? DO_CONST : DO_TYPE, NULL);
}

static void do_types(Demangler *self, const char *before)
{
	if (rust_take(self, 'E'))
		return;
	rust_put_text(self, before);
	rust_plan(self, DO_TYPES, ", ");
	rust_plan(self, DO_TYPE, NULL);
}

/* One element alone has a comma behind it. */
static void do_tuple(Demangler *self, size_t n)
{
	if (rust_take(self, 'E')) {
		rust_put_text(self, n == 1 ? ",)" : ")");
		return;
	}
	rust_put_text(self, n > 0 ? ", " : "");
	rust_plan_at(self, DO_TUPLE, NULL, n + 1);
	rust_plan(self, DO_TYPE, NULL);
}

/* --- the whole --------------------------------------------------------------------------- */

static void step(Demangler *self, const Task *task)
{
	switch (task->action) {
	case DO_TEXT:
		rust_put_text(self, task->text);
		break;
	case DO_PATH:
	case DO_VALUE_PATH:
		rust_do_path(self, task->action);
		break;
	case DO_MEMBER:
		do_member(self, (char)task->at);
		break;
	case DO_TYPE:
		rust_do_type(self);
		break;
	case DO_CONST:
		rust_do_const(self);
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
		rust_do_result(self);
		break;
	case DO_TRAITS:
		rust_do_traits(self, task->text);
		break;
	case DO_BINDINGS:
		rust_do_bindings(self, task->text);
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
	rust_plan(&self, DO_VALUE_PATH, NULL);
	work(&self);
	/* The crate that instantiated it follows, and what compilers append: `.llvm.1234`. */
	if (!self.has_failed && g_ascii_isupper(rust_peek(&self))) {
		self.n_silent++;
		rust_plan(&self, DO_PATH, NULL);
		work(&self);
	}
	self.has_failed = self.has_failed || (rust_peek(&self) != '\0' && rust_peek(&self) != '.');
	g_array_unref(self.tasks);
	if (self.has_failed)
		g_string_truncate(name, begin);
	return !self.has_failed;
}
