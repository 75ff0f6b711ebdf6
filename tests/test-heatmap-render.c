/* SPDX-License-Identifier: MIT */
/*
 * Pictures of heat maps, looked at as their readers do: PNGs are decoded and their pixels compared
 * at the places that the picture's own metadata names.
 */

#include <glib.h>
#include <png.h>
#include <stdlib.h>
#include <string.h>

#include "render/formats.h"
#include "render/heatmap-ink.h"
#include "render/png-rows.h"
#include "render/range-outline.h"
#include "render/text-strip.h"
#include "store/error.h"
#include "store/limits.h"
#include "tests/heatmap-fixture.h"

/* --- PNG ----------------------------------------------------------------------------------- */

typedef struct {
	uint32_t width, height;
	uint8_t *pixels; /* RGB */
	/* Of the grid, from the metadata: */
	uint32_t left, top, cell_width, cell_height;
} Decoded;

static uint32_t note_number(const char *grid, const char *key)
{
	const char *hit = strstr(grid, key);
	g_assert_nonnull(hit);
	return (uint32_t)strtoul(hit + strlen(key), NULL, 10);
}

/* The value of an iTXt chunk: behind its keyword, two bytes of compression, and an empty language
 * and translation; as far as the length before the chunk's name says. g_free() it. */
static char *find_note(Bytes png, const char *keyword)
{
	const char *hit = memmem(png.data, png.len, keyword, strlen(keyword) + 1);
	g_assert_nonnull(hit);
	g_assert_cmpmem(hit - 4, 4, "iTXt", 4);
	size_t before = strlen(keyword) + 5, len = 0;
	for (int i = -8; i < -4; i++)
		len = len << 8 | (uint8_t)hit[i];
	return g_strndup(hit + before, len - before);
}

static Decoded decode(Bytes png)
{
	png_image image = { .version = PNG_IMAGE_VERSION };
	Decoded self;
	g_assert_true(png_image_begin_read_from_memory(&image, png.data, png.len));
	image.format = PNG_FORMAT_RGB;
	self.pixels = g_malloc(PNG_IMAGE_SIZE(image));
	g_assert_true(png_image_finish_read(&image, NULL, self.pixels, 0, NULL));
	self.width = image.width;
	self.height = image.height;
	g_autofree char *grid = find_note(png, "flamebeat:grid");
	self.left = note_number(grid, "left=");
	self.top = note_number(grid, "top=");
	self.cell_width = note_number(grid, "cell_width=");
	self.cell_height = note_number(grid, "cell_height=");
	return self;
}

static Rgb pixel(const Decoded *self, uint32_t x, uint32_t y)
{
	g_assert_cmpuint(x, <, self->width);
	g_assert_cmpuint(y, <, self->height);
	const uint8_t *rgb = self->pixels + ((size_t)y * self->width + x) * 3;
	return (Rgb){ rgb[0], rgb[1], rgb[2] };
}

/* The middle of cell (c, r). */
static Rgb cell_pixel(const Decoded *self, const Heatmap *map, uint32_t c, uint32_t r)
{
	return pixel(self, self->left + c * self->cell_width + self->cell_width / 2,
		     self->top + (map->n_rows - 1 - r) * self->cell_height + self->cell_height / 2);
}

static bool is_same(Rgb a, Rgb b)
{
	return a.r == b.r && a.g == b.g && a.b == b.b;
}

static void check_cells(const Decoded *decoded, const Heatmap *map, const HeatmapStyle *style)
{
	Scale scale = scale_new(style->scale, map);
	for (uint32_t c = 0; c < map->n_columns; c += 1 + map->n_columns / 500) {
		for (uint32_t r = 0; r < map->n_rows; r++) {
			Rgb expected =
				heatmap_colour(style->palette, &scale, heatmap_cell(map, c, r));
			g_assert_true(is_same(cell_pixel(decoded, map, c, r), expected));
		}
	}
}

static void check_picture(uint32_t n_columns, uint32_t n_rows, const HeatmapStyle *style)
{
	Heatmap map = make_map(n_columns, n_rows);
	Bytes png = draw(heatmap_png, &map, &caption, style);
	Decoded decoded = decode(png);
	check_cells(&decoded, &map, style);
	g_free(decoded.pixels);
	g_free(map.cells);
	free(png.data);
}

static void test_cells(void)
{
	for (const Palette *palette = palettes; palette->name != NULL; palette++) {
		for (int scale = SCALE_LINEAR; scale <= SCALE_CLIP; scale++) {
			HeatmapStyle style = { .palette = palette, .scale = (ScaleKind)scale };
			check_picture(30, 50, &style);
		}
	}
}

/* From one column to more than a cairo surface is wide, also with device pixels. */
static void test_sizes(void)
{
	HeatmapStyle style = { .palette = &palettes[0] };
	check_picture(1, 1, &style);
	check_picture(2, 100, &style);
	check_picture(1800, 50, &style);
	check_picture(40000, 3, &style);
	style.scale_factor = 3;
	check_picture(60, 20, &style);
	style = (HeatmapStyle){ .palette = &palettes[0], .cell_width = 7, .cell_height = 5 };
	check_picture(10, 10, &style);
}

static void test_wide_enough(void)
{
	HeatmapStyle style = { .palette = &palettes[0] };
	Heatmap map = make_map(1, 50);
	Bytes png = draw(heatmap_png, &map, &caption, &style);
	Decoded decoded = decode(png);
	g_assert_cmpuint(decoded.width, ==, 900);
	g_free(decoded.pixels);
	g_free(map.cells);
	free(png.data);
}

static void test_reproducible(void)
{
	HeatmapStyle style = { .palette = &palettes[0], .scale_factor = 2 };
	Heatmap map = make_map(61, 50);
	Bytes one = draw(heatmap_png, &map, &caption, &style);
	Bytes other = draw(heatmap_png, &map, &caption, &style);
	g_assert_cmpmem(one.data, one.len, other.data, other.len);
	g_assert_null(memmem(one.data, one.len, "tIME", 4));
	g_autofree char *source = find_note(one, "Source");
	g_assert_cmpstr(source, ==, "a.perf");
	g_free(map.cells);
	free(one.data);
	free(other.data);
}

static void test_hole(void)
{
	TimeRange hole = { 105 * NS_PER_SECOND, 107 * NS_PER_SECOND };
	HeatmapStyle style = { .palette = &palettes[0] };
	Heatmap map = make_map(10, 50);
	memset(map.cells, 0, 10 * 50 * sizeof(*map.cells));
	map.holes = &hole;
	map.n_holes = 1;
	Bytes png = draw(heatmap_png, &map, &caption, &style);
	Decoded decoded = decode(png);
	const Rgb white = { 255, 255, 255 };
	g_assert_true(is_same(cell_pixel(&decoded, &map, 4, 49), white));
	g_assert_false(is_same(cell_pixel(&decoded, &map, 5, 0), white));
	g_assert_false(is_same(cell_pixel(&decoded, &map, 6, 49), white));
	g_assert_true(is_same(cell_pixel(&decoded, &map, 7, 0), white));
	g_free(decoded.pixels);
	g_free(map.cells);
	free(png.data);
}

/* Names and captions may hold any bytes. */
static void test_hostile_text(void)
{
	char *labels[] = { (char *)"\xff\xfe\x1b[31m", (char *)"" };
	const Caption hostile = { .title = "\x1b]0;x\x07\xff",
				  .subtitle = "\n\n\xe6\x97\n\x80 a",
				  .source = "\r\n",
				  .options = "\xf0\x9f" };
	const Caption nothing = { 0 };
	HeatmapStyle style = { .palette = &palettes[0], .is_utf8 = true };
	Heatmap map = make_map(30, 2);
	map.by = HEATMAP_BY_THREAD;
	map.row_labels = labels;
	Bytes png = draw(heatmap_png, &map, &hostile, &style);
	Bytes bare = draw(heatmap_png, &map, &nothing, &style);
	Bytes term = draw(heatmap_term, &map, &hostile, &style);
	Decoded decoded = decode(png);
	check_cells(&decoded, &map, &style);
	g_assert_null(memchr(term.data, 0x1b, term.len));
	g_assert_null(memchr(term.data, 0xff, term.len));
	g_free(decoded.pixels);
	g_free(map.cells);
	free(png.data);
	free(bare.data);
	free(term.data);
}

static void test_limits(void)
{
	g_autoptr(GError) error = NULL;
	HeatmapStyle style = { .palette = &palettes[0],
			       .cell_width = UINT32_MAX,
			       .cell_height = UINT32_MAX,
			       .scale_factor = UINT32_MAX };
	Heatmap map = make_map(1000, 1000);
	g_assert_true(png_rows_check(MAX_PICTURE_SIDE, 512, NULL));
	g_assert_false(png_rows_check(MAX_PICTURE_SIDE, 513, NULL));
	g_assert_false(png_rows_check(MAX_PICTURE_SIDE + 1, 1, NULL));
	g_assert_false(heatmap_png(NULL, &map, &caption, &style, &error));
	g_assert_error(error, FLAMEBEAT_ERROR, FLAMEBEAT_ERROR_LIMIT);
	g_clear_error(&error);
	style = (HeatmapStyle){ .palette = &palettes[0], .scale_factor = 100000 };
	map.n_columns = map.n_rows = 1;
	g_assert_false(heatmap_png(NULL, &map, &caption, &style, &error));
	g_assert_error(error, FLAMEBEAT_ERROR, FLAMEBEAT_ERROR_LIMIT);
	g_free(map.cells);
}

/* --- outlines ------------------------------------------------------------------------------ */

/* Cells of 10 x 10 pixels at (20, 20): three columns of four rows, 1 s and 250 ms. */
static const HeatmapLayout small_layout = { .scale_factor = 1,
					    .cell_width = 10,
					    .cell_height = 10,
					    .grid_width = 30,
					    .grid_height = 40,
					    .left = 20,
					    .top = 20,
					    .width = 80,
					    .height = 80 };

static void check_mask(const RangeOutline *outline, uint32_t y, const char *expected)
{
	uint8_t mask[80];
	range_outline_row(outline, y, mask);
	for (size_t x = 0; x < sizeof(mask); x++)
		g_assert_cmpint(mask[x], ==, expected[x] - '0');
}

/* The upper half of column 0 and the lowest row of column 1: two rectangles, corner to corner. */
static void test_outline(void)
{
	Heatmap map = { .column_ns = NS_PER_SECOND, .n_columns = 3, .n_rows = 4 };
	const TimeRange range = { NS_PER_SECOND / 2, NS_PER_SECOND + 1 };
	const TimeRange outside = { -5, 0 }, whole = { 0, 3 * NS_PER_SECOND };
	g_autoptr(RangeOutline) outline = range_outline_new(&map, &small_layout);
	range_outline_add(outline, &outside, 1);
	range_outline_add(outline, &whole, 1);
	g_assert_cmpuint(range_outline_count(outline), ==, 0);
	range_outline_add(outline, &range, 1);
	g_assert_cmpuint(range_outline_count(outline), ==, 1);

	const char *empty = "0000000000000000000000000000000000000000"
			    "0000000000000000000000000000000000000000";
	check_mask(outline, 16, empty);
	check_mask(outline, 17,
		   "0000000000000000011111111111111110000000"
		   "0000000000000000000000000000000000000000");
	check_mask(outline, 18,
		   "0000000000000000012222222222222210000000"
		   "0000000000000000000000000000000000000000");
	check_mask(outline, 20,
		   "0000000000000000012211111111112210000000"
		   "0000000000000000000000000000000000000000");
	check_mask(outline, 25,
		   "0000000000000000012210000000012210000000"
		   "0000000000000000000000000000000000000000");
	check_mask(outline, 55,
		   "0000000000000000000000000001221000000001"
		   "2210000000000000000000000000000000000000");
	check_mask(outline, 63, empty);
}

static void test_outline_in_picture(void)
{
	const TimeRange mark = { 103 * NS_PER_SECOND, 104 * NS_PER_SECOND };
	HeatmapStyle style = { .palette = &palettes[0], .marks = &mark, .n_marks = 1 };
	Heatmap map = make_map(10, 50);
	Bytes png = draw(heatmap_png, &map, &caption, &style);
	Decoded decoded = decode(png);
	Rgb line = pixel(&decoded, decoded.left + 3 * decoded.cell_width - 1, decoded.top + 100);
	g_assert_true(is_same(line, (Rgb){ 0x00, 0x38, 0xff }));
	check_cells(&decoded, &map, &style); /* their middles stay as they are */
	g_free(decoded.pixels);
	g_free(map.cells);
	free(png.data);
}

/* --- palettes ------------------------------------------------------------------------------ */

static double lightness(Rgb colour)
{
	return (0.2126 * colour.r + 0.7152 * colour.g + 0.0722 * colour.b) / 255;
}

/* The least that is not nothing is seen, and more is darker (but for hues of the enhanced one),
 * or, on a palette with two sides, either way from the middle. */
static void test_palettes(void)
{
	guint n = 0;
	for (const Palette *palette = palettes; palette->name != NULL; palette++, n++) {
		g_assert_true(palette_by_name(palette->name) == palette);
		Rgb least = palette_colour(palette, 0, 1, 1000);
		g_assert_cmpfloat(lightness(palette->background) - lightness(least), >, 0.1);
		double previous = lightness(least);
		for (int i = 1; i <= 100 && !palette->is_enhanced; i++) {
			double now = lightness(palette_colour(palette, i / 100.0, 10u * i, 1000));
			bool is_rising = palette->is_diverging && i <= 50;
			g_assert_cmpfloat(is_rising ? previous : now, <=,
					  (is_rising ? now : previous) + 0.005);
			previous = now;
		}
	}
	g_assert_cmpuint(n, >=, 6);
	g_assert_null(palette_by_name("none"));
}

static void test_enhanced(void)
{
	const Palette *palette = palette_by_name("enhanced");
	uint64_t cells[] = { 1, 2, 3, 500, 1000 };
	Heatmap map = { .n_columns = 5, .n_rows = 1, .cells = cells, .max = 1000 };
	Scale scale = scale_new(SCALE_LINEAR, &map);
	g_assert_true(is_same(heatmap_colour(palette, &scale, 1), (Rgb){ 0x6a, 0xaa, 0xff }));
	g_assert_true(is_same(heatmap_colour(palette, &scale, 3), (Rgb){ 0xfa, 0xa0, 0xb5 }));
	g_assert_true(is_same(heatmap_colour(palette, &scale, 1000), (Rgb){ 0xe5, 0x09, 0x14 }));
	Rgb half = heatmap_colour(palette, &scale, 500);
	g_assert_cmpint(abs(half.g - 0x50), <=, 2);
	Rgb four = heatmap_colour(palette, &scale, 4);
	g_assert_cmpint(abs(four.g - 0xa0), <=, 2);
}

static void test_text_strip(void)
{
	const char *text = "a rather long line of \xc3\xbcmlauts and words";
	double width = text_strip_measure(TEXT_PLAIN, text);
	g_autofree char *whole = text_strip_elide(TEXT_PLAIN, text, width);
	g_assert_cmpstr(whole, ==, text);
	g_autofree char *cut = text_strip_elide(TEXT_PLAIN, text, width / 2);
	g_assert_true(g_utf8_validate(cut, -1, NULL));
	g_assert_true(g_str_has_suffix(cut, "\xe2\x80\xa6"));
	g_assert_cmpfloat(text_strip_measure(TEXT_PLAIN, cut), <=, width / 2);
	g_auto(GStrv) lines = text_strip_wrap(TEXT_PLAIN, text, width * 0.6, 5);
	g_assert_cmpuint(g_strv_length(lines), ==, 2);
	g_autofree char *joined = g_strjoinv(" ", lines);
	g_assert_cmpstr(joined, ==, text);
}

/* A label far to the right, on the edge of a tile, looks like one near the left. */
static void test_wide_strip(void)
{
	g_autoptr(TextStrip) near = text_strip_new(200, 1), far = text_strip_new(60000, 1);
	const uint32_t x = 49152 - 40;
	text_strip_add(near, &(StripLabel){ 10, 20, 0, TEXT_PLAIN, "label of a tile" });
	text_strip_add(far, &(StripLabel){ x + 10, 20, 0, TEXT_PLAIN, "label of a tile" });
	uint32_t ink = 0;
	for (uint32_t y = 0; y < 30; y++) {
		const uint8_t *expected = text_strip_row(near, y), *row = text_strip_row(far, y);
		g_assert_cmpmem(row + x, 200, expected, 200);
		for (uint32_t i = 0; i < 200; i++)
			ink += expected[i];
	}
	g_assert_cmpuint(ink, >, 255 * 50);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/heatmap/wide-strip", test_wide_strip);
	g_test_add_func("/heatmap/png/cells", test_cells);
	g_test_add_func("/heatmap/png/sizes", test_sizes);
	g_test_add_func("/heatmap/png/wide-enough", test_wide_enough);
	g_test_add_func("/heatmap/png/reproducible", test_reproducible);
	g_test_add_func("/heatmap/png/hole", test_hole);
	g_test_add_func("/heatmap/png/hostile-text", test_hostile_text);
	g_test_add_func("/heatmap/png/limits", test_limits);
	g_test_add_func("/heatmap/png/outline", test_outline);
	g_test_add_func("/heatmap/png/outline-in-picture", test_outline_in_picture);
	g_test_add_func("/heatmap/palettes", test_palettes);
	g_test_add_func("/heatmap/palette-enhanced", test_enhanced);
	g_test_add_func("/heatmap/text-strip", test_text_strip);
	return g_test_run();
}
