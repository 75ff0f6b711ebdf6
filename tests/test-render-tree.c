/* SPDX-License-Identifier: MIT */
/*
 * What becomes of a call tree: positions, colours, and the bytes of every format of trees.
 */

#include <glib.h>
#include <stdlib.h>
#include <string.h>

#include "render/formats.h"
#include "render/layout.h"
#include "store/error.h"
#include "tests/tree-fixture.h"

typedef bool (*TreeFunc)(FILE *out, const CallTree *tree, const Caption *caption,
			 const TreeStyle *style, GError **error);

/* Names as a hostile recording would have them: markup, controls, invalid UTF-8, an override. */
#define HOSTILE "]]></script><b>\"'&;\033[31m\001\r;\xff\xfe\xc3(;\xe2\x80\xaetxt.exe"

static const Caption caption = { .title = "burst", .subtitle = "12.3..13 s", .unit = "samples" };

static TreeStyle plain_style(void)
{
	return (TreeStyle){ .palette = frame_palette_by_name("hot"),
			    .width = 1200,
			    .min_width = 0.1,
			    .min_share = 0.005 };
}

static char *render_tree(TreeFunc write, const CallTree *tree, const TreeStyle *style)
{
	char *result = NULL;
	size_t len;
	g_autoptr(GError) error = NULL;
	FILE *out = open_memstream(&result, &len);
	g_assert_true(write(out, tree, &caption, style, &error));
	g_assert_no_error(error);
	fclose(out);
	return result;
}

/* To be freed with free(). */
static char *render(TreeFunc write, const char *folded)
{
	g_auto(TreeFixture) fixture;
	const TreeStyle style = plain_style();
	tree_fixture_init(&fixture, folded);
	return render_tree(write, &fixture.tree, &style);
}

static void check(TreeFunc write, const char *folded, const char *expected)
{
	char *result = render(write, folded);
	g_assert_cmpstr(result, ==, expected);
	free(result);
}

static void check_has(const char *text, const char *part)
{
	if (strstr(text, part) == NULL)
		g_error("'%s' is not in:\n%s", part, text);
}

/* --- JSON ---------------------------------------------------------------------------------- */

static void test_json(void)
{
	check(tree_json, "a;b 2\na;b;c 3\na;d 5\ne 1\n",
	      "{\"name\":\"root\",\"value\":11,\"children\":["
	      "{\"name\":\"a\",\"value\":10,\"children\":["
	      "{\"name\":\"b\",\"value\":5,\"children\":["
	      "{\"name\":\"c\",\"value\":3,\"children\":[]}]},"
	      "{\"name\":\"d\",\"value\":5,\"children\":[]}]},"
	      "{\"name\":\"e\",\"value\":1,\"children\":[]}]}\n");
	check(tree_json, "", "{\"name\":\"root\",\"value\":0,\"children\":[]}\n");
	check(tree_json, "std::vector<int>&\033 1\n",
	      "{\"name\":\"root\",\"value\":1,\"children\":["
	      "{\"name\":\"std::vector\\u003cint\\u003e\\u0026\\u001b\",\"value\":1,"
	      "\"children\":[]}]}\n");
}

static void test_flamescope(void)
{
	check(tree_flamescope,
	      "bash;main (/bin/bash) 2\nbash;main (/bin/bash);sys_read ([kernel.kallsyms]) 3\n"
	      "bash;LFoo (/tmp/perf-7.map) 1\n",
	      "{\"n\":\"root\",\"l\":\"\",\"v\":0,\"c\":[{\"n\":\"bash\",\"l\":\"\",\"v\":0,\"c\":["
	      "{\"n\":\"LFoo\",\"l\":\"jit\",\"v\":1,\"c\":[]},"
	      "{\"n\":\"main\",\"l\":\"user\",\"v\":2,\"c\":["
	      "{\"n\":\"sys_read\",\"l\":\"kernel\",\"v\":3,\"c\":[]}]}]}]}\n");
}

/* --- folded -------------------------------------------------------------------------------- */

static void test_folded(void)
{
	check(tree_folded, "", "");
	check(tree_folded, "a;b;c 3\na;b 2\ne 1\n", "a;b 2\na;b;c 3\ne 1\n");
	check(tree_folded, " 4\na 1\n", "[unknown] 4\na 1\n");
}

/* Lines are in the order of `LC_ALL=C sort`, which the order of names is not. */
static void test_folded_order(void)
{
	check(tree_folded, "a;c 1\na b;c 2\na 3\na-b 4\na1;x 5\n",
	      "a 3\na b;c 2\na-b 4\na1;x 5\na;c 1\n");
	check(tree_folded, "x 5\nx 1 y;z 1\nx 7 y;z 1\n", "x 1 y;z 1\nx 5\nx 7 y;z 1\n");
}

static void test_folded_names(void)
{
	check(tree_folded, "a;vtable stub 12 5\na;vtable stub 12;b 1\n",
	      "a;vtable stub 12;b 1\na;vtable stub_12 5\n");
	check(tree_folded, "a\tb;\033[0m 5\n", "a_b;_[0m 5\n");
	/* Equal after replacement: one line, and stacks mixed where they belong. */
	check(tree_folded, "a\tb;y 1\na_b;x 2\na\rb;y 4\n", "a_b;x 2\na_b;y 5\n");
	check(tree_folded, "s 1 5\ns_1 6\n", "s_1 11\n");
}

/* Stacks that begin with what one name cannot hold: two nodes of different class, one name. */
static void test_folded_classes(void)
{
	check(tree_folded, "f (/bin/x);b 1\nf ([kernel.kallsyms]);a 2\nf ([kernel.kallsyms]);b 3\n",
	      "f;a 2\nf;b 4\n");
}

/* --- text ---------------------------------------------------------------------------------- */

static void test_text(void)
{
	check(tree_text,
	      "java;run;work;copy 600\njava;run;work 290\njava;run;wait 100\njava;gc 9\n"
	      "java;tiny 1\n",
	      "burst\n12.3..13 s\nWeights are samples.\n\n"
	      "  total  weight     self  function\n"
	      "100.00%   1,000           all\n"
	      "100.00%   1,000           java\n"
	      " 99.00%     990           |- run\n"
	      " 89.00%     890   29.00%  |  |- work\n"
	      " 60.00%     600   60.00%  |  |  copy\n"
	      " 10.00%     100   10.00%  |  `- wait\n"
	      "  0.90%       9    0.90%  `- gc\n"
	      "\n1 frame below 0.5% of the total not shown; 1 samples (0.10%) end in them\n");
	check(tree_text, "", "burst\n12.3..13 s\nNo samples in this selection\n");
}

static void test_text_is_inert(void)
{
	g_auto(TreeFixture) fixture;
	TreeStyle style = plain_style();
	style.is_utf8 = true;
	tree_fixture_init(&fixture, HOSTILE " 1\nb;c 1\n");
	char *text = render_tree(tree_text, &fixture.tree, &style);
	g_assert_null(strchr(text, '\033'));
	g_assert_null(strchr(text, '\001'));
	g_assert_true(g_utf8_validate(text, -1, NULL));
	free(text);
}

/* --- SVG ----------------------------------------------------------------------------------- */

static void check_well_formed(const char *svg)
{
	const GMarkupParser nothing = { 0 };
	g_autoptr(GError) error = NULL;
	g_autoptr(GMarkupParseContext) context =
		g_markup_parse_context_new(&nothing, G_MARKUP_TREAT_CDATA_AS_TEXT, NULL, NULL);
	g_markup_parse_context_parse(context, svg, -1, &error);
	g_assert_no_error(error);
	g_markup_parse_context_end_parse(context, &error);
	g_assert_no_error(error);
}

static void test_svg(void)
{
	char *svg = render(tree_svg, "main;work 1234\nmain;<rest> 766\n");
	check_well_formed(svg);
	check_has(svg, "<g id=\"frames\"");
	check_has(svg, "<title>all (2,000 samples, 100%)</title><rect x=\"10\" ");
	check_has(svg, "<title>work (1,234 samples, 61.70%)</title>");
	check_has(svg, "<title>&lt;rest&gt; (766 samples, 38.30%)</title>");
	check_has(svg, ">&lt;rest&gt;</text>");
	check_has(svg, "burst");
	check_has(svg, "12.3..13 s");
	static const char *const ids[] = { "details", "unzoom",	    "search",  "matched",
					   "title",   "ignorecase", "subtitle" };
	for (size_t i = 0; i < G_N_ELEMENTS(ids); i++) {
		g_autofree char *id = g_strdup_printf("id=\"%s\"", ids[i]);
		check_has(svg, id);
	}
	char *again = render(tree_svg, "main;<rest> 766\nmain;work 1234\n");
	g_assert_cmpstr(svg, ==, again);
	free(again);
	free(svg);
}

static void test_svg_is_inert(void)
{
	char *svg = render(tree_svg, HOSTILE " 1\n");
	check_well_formed(svg);
	const char *script = strstr(svg, "<script>");
	g_assert_nonnull(script);
	g_assert_null(strstr(script + 1, "<script"));
	g_assert_null(strstr(svg, "<b>"));
	g_assert_null(strchr(svg, '\033'));
	g_assert_null(strstr(svg, "\xe2\x80\xae"));
	free(svg);
}

static void test_svg_of_nothing(void)
{
	char *svg = render(tree_svg, "");
	check_well_formed(svg);
	check_has(svg, "No samples in this selection");
	free(svg);
}

static void test_svg_says_what_is_culled(void)
{
	char *svg = render(tree_svg, "a 1000000\nb;c 3\nb;d 2\ne 1\n");
	check_has(svg, "4 frames narrower than 0.1 px not drawn (6 samples)");
	free(svg);
}

/* --- positions and colours ----------------------------------------------------------------- */

static void check_next(TreeLayout *layout, uint32_t depth, double x, double width)
{
	LayoutRect rect;
	g_assert_true(tree_layout_next(layout, &rect));
	g_assert_cmpuint(rect.depth, ==, depth);
	g_assert_cmpfloat_with_epsilon(rect.x, x, 1e-9);
	g_assert_cmpfloat_with_epsilon(rect.width, width, 1e-9);
}

static void test_layout(void)
{
	g_auto(TreeFixture) fixture;
	g_auto(TreeLayout) layout;
	LayoutRect rect;
	tree_fixture_init(&fixture, "a 10\na;b 30\na;c;d 20\na;c;e 1\nf 39\n");
	tree_layout_init(&layout, &fixture.tree, 1000);
	tree_layout_limit(&layout, 20, UINT32_MAX);
	LayoutCounts counts = tree_layout_measure(&layout);
	g_assert_cmpuint(counts.n_drawn, ==, 6);
	g_assert_cmpuint(counts.n_rows, ==, 4);
	g_assert_cmpuint(counts.n_culled, ==, 1);
	g_assert_cmpuint(counts.culled_weight, ==, 1);
	check_next(&layout, 0, 0, 1000);
	check_next(&layout, 1, 0, 610);
	check_next(&layout, 2, 100, 300); /* what `a` did itself is left of it */
	check_next(&layout, 2, 400, 210);
	check_next(&layout, 3, 400, 200);
	check_next(&layout, 1, 610, 390);
	g_assert_false(tree_layout_next(&layout, &rect));
	tree_layout_limit(&layout, 20, 3);
	counts = tree_layout_measure(&layout);
	g_assert_true(counts.is_cut);
	g_assert_cmpuint(counts.n_rows, ==, 3);
	g_assert_cmpuint(counts.n_culled, ==, 2);
	g_assert_cmpuint(counts.culled_weight, ==, 21);
}

/* However wide, deep or wordy: a file that a browser opens. */
static void test_svg_size(void)
{
	g_auto(TreeFixture) deep, wide;
	g_autoptr(GString) folded = g_string_new(NULL);
	TreeStyle style = plain_style();
	style.min_width = 0;
	tree_fixture_init_chain(&deep, 100000, 0);
	for (int i = 0; i < 100000; i++)
		g_string_append_printf(folded, "a;function-%d;callee %d\n", i, i + 1);
	tree_fixture_init(&wide, folded->str);
	const CallTree *trees[] = { &deep.tree, &wide.tree };
	for (size_t i = 0; i < G_N_ELEMENTS(trees); i++) {
		char *svg = render_tree(tree_svg, trees[i], &style);
		g_assert_cmpuint(strlen(svg), <=, 20000000);
		g_assert_cmpuint(strlen(svg), >, 5000000);
		check_has(svg, " not drawn (");
		free(svg);
	}
}

static void test_palettes(void)
{
	for (const FramePalette *palette = frame_palettes; palette->name != NULL; palette++) {
		g_assert_true(frame_palette_by_name(palette->name) == palette);
		for (FrameClass class = 0; class < N_FRAME_CLASSES; class ++) {
			Rgb a = palette->colour(TEXT("vfs_read"), class);
			Rgb b = palette->colour(TEXT("vfs_read"), class);
			g_assert_cmpmem(&a, sizeof(a), &b, sizeof(b));
			/* Light enough for black text, by the weights of Rec. 601. */
			g_assert_cmpuint(299u * a.r + 587u * a.g + 114u * a.b, >, 100000);
		}
	}
	for (const FramePalette *palette = frame_palettes; palette->name != NULL; palette++) {
		g_assert_cmpuint(palette->colour(TEXT("-"), FRAME_CLASS_USER).r, ==, 200);
		g_assert_cmpuint(palette->colour(TEXT("--"), FRAME_CLASS_USER).b, ==, 160);
	}
	g_assert_null(frame_palette_by_name("no such palette"));
	g_assert_cmpstr(frame_palettes[0].name, ==, "hot");
	/* An annotation tells the class, not the function. */
	const FramePalette *hot = frame_palette_by_name("hot");
	Rgb plain = hot->colour(TEXT("vfs_read"), FRAME_CLASS_KERNEL);
	Rgb annotated = hot->colour(TEXT("vfs_read_[k]"), FRAME_CLASS_UNKNOWN);
	g_assert_cmpmem(&plain, sizeof(plain), &annotated, sizeof(annotated));
}

/* --- deep trees, PNG, the table ------------------------------------------------------------ */

static void test_deep(void)
{
	g_auto(TreeFixture) fixture;
	TreeStyle style = plain_style();
	tree_fixture_init_chain(&fixture, 100000, 0);
	static const TreeFunc all[] = { tree_json, tree_flamescope, tree_folded, tree_text,
					tree_svg,  tree_flat,	    tree_html };
	for (size_t i = 0; i < G_N_ELEMENTS(all); i++) {
		char *result = render_tree(all[i], &fixture.tree, &style);
		g_assert_cmpuint(strlen(result), >, 100000);
		free(result);
	}
}

static uint32_t big_endian(const char *bytes)
{
	uint32_t value;
	memcpy(&value, bytes, sizeof(value));
	return GUINT32_FROM_BE(value);
}

static void test_png(void)
{
	g_auto(TreeFixture) fixture;
	TreeStyle style = plain_style();
	style.scale_factor = 2;
	/* More than 32,767 px high. */
	tree_fixture_init_chain(&fixture, 1100, 0);
	char *png = render_tree(tree_png, &fixture.tree, &style);
	g_assert_cmpmem(png, 8, "\x89PNG\r\n\x1a\n", 8);
	g_assert_cmpuint(big_endian(png + 16), ==, 2400);
	g_assert_cmpuint(big_endian(png + 20), >, 35000);
	free(png);
}

static void test_png_too_large(void)
{
	g_auto(TreeFixture) fixture;
	g_autoptr(GError) error = NULL;
	char *result = NULL;
	size_t len;
	FILE *out = open_memstream(&result, &len);
	TreeStyle style = plain_style();
	tree_fixture_init_chain(&fixture, 100000, 0);
	g_assert_false(tree_png(out, &fixture.tree, &caption, &style, &error));
	g_assert_error(error, FLAMEBEAT_ERROR, FLAMEBEAT_ERROR_LIMIT);
	fclose(out);
	free(result);
}

static void test_exporters(void)
{
	for (const Exporter *exporter = exporters; exporter->name != NULL; exporter++) {
		g_assert_true(exporter_by_name(exporter->name) == exporter);
		g_assert_true(exporter_can_show(exporter, SUBJECT_TREE) ||
			      exporter_can_show(exporter, SUBJECT_HEATMAP) ||
			      exporter_can_show(exporter, SUBJECT_DIFF));
		g_assert_nonnull(exporter->media_type);
		g_assert_nonnull(exporter->help);
	}
	g_assert_null(exporter_by_name("gif"));
	g_assert_cmpstr(exporter_by_suffix("a/b.svg", SUBJECT_TREE)->name, ==, "svg");
	g_assert_cmpstr(exporter_by_suffix("B.PNG", SUBJECT_HEATMAP)->name, ==, "png");
	g_assert_cmpstr(exporter_by_suffix("x.json", SUBJECT_HEATMAP)->name, ==, "json");
	g_assert_cmpstr(exporter_by_suffix("x.json", SUBJECT_TREE)->name, ==, "json");
	g_assert_cmpstr(exporter_by_suffix("x.speedscope.json", SUBJECT_TREE)->name, ==,
			"speedscope");
	g_assert_cmpstr(exporter_by_suffix("x.folded", SUBJECT_TREE)->name, ==, "folded");
	g_assert_null(exporter_by_suffix("x.svg", SUBJECT_HEATMAP));
	g_assert_null(exporter_by_suffix("svg", SUBJECT_TREE));
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/render-tree/json", test_json);
	g_test_add_func("/render-tree/flamescope", test_flamescope);
	g_test_add_func("/render-tree/folded", test_folded);
	g_test_add_func("/render-tree/folded-order", test_folded_order);
	g_test_add_func("/render-tree/folded-names", test_folded_names);
	g_test_add_func("/render-tree/folded-classes", test_folded_classes);
	g_test_add_func("/render-tree/text", test_text);
	g_test_add_func("/render-tree/text-is-inert", test_text_is_inert);
	g_test_add_func("/render-tree/svg", test_svg);
	g_test_add_func("/render-tree/svg-is-inert", test_svg_is_inert);
	g_test_add_func("/render-tree/svg-of-nothing", test_svg_of_nothing);
	g_test_add_func("/render-tree/svg-culled", test_svg_says_what_is_culled);
	g_test_add_func("/render-tree/svg-size", test_svg_size);
	g_test_add_func("/render-tree/layout", test_layout);
	g_test_add_func("/render-tree/palettes", test_palettes);
	g_test_add_func("/render-tree/deep", test_deep);
	g_test_add_func("/render-tree/png", test_png);
	g_test_add_func("/render-tree/png-too-large", test_png_too_large);
	g_test_add_func("/render-tree/exporters", test_exporters);
	return g_test_run();
}
