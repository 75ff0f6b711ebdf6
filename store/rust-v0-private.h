/* SPDX-License-Identifier: MIT */
#pragma once

/* What the files of the demangler share: its state, tokens (rust-v0-token.c), types and constants
 * (rust-v0-type.c), paths and lists (rust-v0.c). */

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

/* Puts a task on top of the list: it is done next. */
void rust_plan_at(Demangler *self, Action action, const char *text, size_t at);
void rust_plan(Demangler *self, Action action, const char *text);

/* Writes, unless what is read is not to be written. */
void rust_put(Demangler *self, const char *bytes, size_t n);
void rust_put_text(Demangler *self, const char *text);
void rust_put_identifier(Demangler *self);

void rust_give_up(Demangler *self);

/* The next character, \0 at the end; takes it if it is `c`; takes it, whatever it is. */
char rust_peek(const Demangler *self);
bool rust_take(Demangler *self, char c);
char rust_next(Demangler *self);

/* `_` is 0, `0_` is 1, `Z_` is 62, … */
uint64_t rust_base_62(Demangler *self);
/* `s_`, `s0_`, …: tells equal names apart; 0: none. */
uint64_t rust_disambiguator(Demangler *self);
/* The name of an identifier; `is_punycode` where it is not ASCII. */
Text rust_identifier(Demangler *self, bool *is_punycode);
/* Lifetimes are not written: they tell nothing of where time goes. */
void rust_skip_lifetime(Demangler *self);
/* On from an earlier place, then back; always further to the front. */
void rust_follow(Demangler *self, Action action);

void rust_do_path(Demangler *self, Action action);
void rust_do_type(Demangler *self);
void rust_do_const(Demangler *self);
void rust_do_result(Demangler *self);
void rust_do_traits(Demangler *self, const char *before);
void rust_do_bindings(Demangler *self, const char *before);
