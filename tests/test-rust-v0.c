/* SPDX-License-Identifier: MIT */
/*
 * Rust's v0 symbols: those of RFC 2603 and of a program compiled by rustc 1.95, whose names are
 * those of binutils' c++filt, less hashes, lifetimes and the types of constants; and what is none.
 */

#include "store/rust-v0.h"

static char *demangled(Text symbol)
{
	g_autoptr(GString) name = g_string_new("kept ");

	if (!rust_v0_append(symbol, name)) {
		g_assert_cmpstr(name->str, ==, "kept ");
		return NULL;
	}
	g_assert_true(g_str_has_prefix(name->str, "kept "));
	return g_strdup(name->str + strlen("kept "));
}

static void check(const char *symbol, const char *expected)
{
	g_autofree char *name = demangled(text_from(symbol));

	if (g_strcmp0(name, expected) != 0)
		g_error("'%s' is '%s', expected '%s'", symbol, name, expected);
}

static void test_paths(void)
{
	check("_RNvC6_123foo3bar", "123foo::bar");
	check("_RNvC7mycrate3foo", "mycrate::foo");
	check("_RNvCs1234_7mycrate3foo", "mycrate::foo");
	check("_RNvCs1234_7mycrate3foo.llvm.9D1C9369", "mycrate::foo");
	check("_RNvNvCs1234_7mycrate3foo3bar", "mycrate::foo::bar");
	check("_RNCNCNgCs6DXkGYLi8lr_2cc5spawn00B5_", "cc::spawn::{closure#0}::{closure#0}");
	check("_RNSC7mycrate6vtable", "mycrate::{shim:vtable#0}");
	check("_RNvC2cru7caf_dma", "cr::punycode{caf_dma}");
}

static void test_impls(void)
{
	check("_RNvMC1aNtB2_1T1f", "<a::T>::f");
	check("_RNvXC1aNtB2_1TNtB2_1D1f", "<a::T as a::D>::f");
	check("_RNvYNtC1a1TNtB4_1D1f", "<a::T as a::D>::f");
	check("_RNCINkXs25_NgCsbmNqQUJIY6D_4core5sliceINyB9_4IterhENuNgNoBb_"
	      "4iter8iterator8Iterator9"
	      "rpositionNCNgNpB9_6memchr7memrchrs_0E0Bb_",
	      "<core::slice::Iter<u8> as core::iter::iterator::Iterator>::rposition::<core::slice::"
	      "memchr::memrchr::{closure#1}>::{closure#0}");
	check("_RINvMNtCsgEmfK2I1SDS_4core3stre18trim_start_matchesReECsgY6Mt91CT9J_14rustc_"
	      "demangle",
	      "<str>::trim_start_matches::<&str>");
}

static void test_types(void)
{
	check("_RINvC1a1fhbcadesftijlmnopuvxyzE",
	      "a::f::<u8, bool, char, i8, f64, str, i16, f32, u16, isize, usize, i32, u32, i128, "
	      "u128, _, (), ..., i64, u64, !>");
	check("_RINvC1a1fRhQhPhOhShAhj4_E",
	      "a::f::<&u8, &mut u8, *const u8, *mut u8, [u8], [u8; 4]>");
	check("_RINvC1a1fTETlETlhEE", "a::f::<(), (i32,), (i32, u8)>");
	check("_RINvC1a1fFEuFhEbFUKCEuE", "a::f::<fn(), fn(u8) -> bool, unsafe extern \"C\" fn()>");
	check("_RINbNbCskIICzLVDPPb_5alloc5alloc8box_freeDINbNiB4_5boxed5FnBoxuEp6OutputuEL_"
	      "ECs1iopQbu"
	      "Biw2_3std",
	      "alloc::alloc::box_free::<dyn alloc::boxed::FnBox<(), Output = ()>>");
	check("_RINvC1a1fDNtC1b1TNtC1c1UEL_E", "a::f::<dyn b::T + c::U>");
	check("_RINvC1a1fNtC1b1TL_E", "a::f::<b::T>");
	check("_RINvC1a1fL_E", "a::f"); /* lifetimes alone */
}

static void test_constants(void)
{
	check("_RMC0INtC8arrayvec8ArrayVechKj7b_E", "<arrayvec::ArrayVec<u8, 123>>");
	check("_RINvC1a1fKan98_Kb0_Kb1_Kc76_KpE", "a::f::<-152, false, true, 'v', _>");
	check("_RINvC1a1fKoffffffffffffffffffff_E", "a::f::<0xffffffffffffffffffff>");
}

static void test_none(void)
{
	static const char *const symbols[] = { "",
					       "_",
					       "_R",
					       "_R1",
					       "_RN",
					       "_RNv",
					       "_RNvC",
					       "_RNvC9a",
					       "main",
					       "_ZN1a1bE",
					       "_RNvC1a1f-",
					       "_Rust",
					       "_RNvB_1f",
					       "_RINvC1a1fE_",
					       "_RNvC99999999999999999999999a1f",
					       "_READ_ONCE" };

	for (size_t i = 0; i < G_N_ELEMENTS(symbols); i++)
		check(symbols[i], NULL);
}

/* Each pair of back references doubles what is written. */
static void test_too_much(void)
{
	g_autoptr(GString) doubling = g_string_new("_RINvC1a1fTjjE");
	g_autoptr(GString) nested = g_string_new("_RINvC1a1f");

	for (int i = 0; i < 40; i++)
		g_string_append(doubling, "TB8_B8_E");
	for (int i = 0; i < 100000; i++)
		g_string_append_c(nested, 'S');
	g_string_append(doubling, "E");
	g_string_append(nested, "hE");
	check(nested->str, NULL);
	g_free(demangled((Text){ doubling->str, doubling->len }));
}

/* Whatever is changed: a name of bounded length, or none. */
static void test_random(void)
{
	static const char symbol[] =
		"_RNCINkXs25_NgCsbmNqQUJIY6D_4core5sliceINyB9_4IterhENuNgNoBb_4iter8iterator8Itera"
		"tor9rpositionNCNgNpB9_6memchr7memrchrs_0E0Bb_";

	for (int round = 0; round < 20000; round++) {
		char bytes[sizeof(symbol)];
		g_autofree char *name = NULL;

		memcpy(bytes, symbol, sizeof(symbol));
		for (int i = g_test_rand_int_range(1, 6); i > 0; i--)
			bytes[g_test_rand_int_range(2, sizeof(symbol) - 1)] =
				symbol[g_test_rand_int_range(2, sizeof(symbol) - 1)];
		name = demangled((Text){ bytes, (size_t)g_test_rand_int_range(0, sizeof(symbol)) });
		g_assert_true(name == NULL || strlen(name) < 10000);
	}
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/rust-v0/paths", test_paths);
	g_test_add_func("/rust-v0/impls", test_impls);
	g_test_add_func("/rust-v0/types", test_types);
	g_test_add_func("/rust-v0/constants", test_constants);
	g_test_add_func("/rust-v0/none", test_none);
	g_test_add_func("/rust-v0/too-much", test_too_much);
	g_test_add_func("/rust-v0/random", test_random);
	return g_test_run();
}
