/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include <stdbool.h>

#include "store/text.h"

/*
 * Rust's symbols since 1.37, of all since 1.9x: `_RNvMs_NtC3foo3barNtB2_3Baz3new` (RFC 2603, "v0").
 * perf without libbfd, as distributions build it, prints them as they are.
 *
 * Appends the name as `rustc-demangle` has it in its short form, without hashes: `<foo::bar::Baz>
 * ::new`. False, and nothing is appended, where `symbol` is none, or one that asks for too much.
 */
bool rust_v0_append(Text symbol, GString *name);
