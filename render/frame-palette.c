/* SPDX-License-Identifier: MIT */
/*
 * Colours of frames. A palette picks a hue (from the kind of code, or always the same one) and the
 * hash of the function's name picks the shade within it, so that a function has one colour in
 * every picture of every recording. Palette names and what they mean are FlameGraph's; shades are
 * kept light enough for black text.
 */

#include "render/palette.h"

#include <glib.h>
#include <stdbool.h>
#include <string.h>

/* Channels from `base` to `base + span`; each follows one of three random numbers, so that channels
 * with the same number move together. */
typedef struct {
	uint8_t base[3];
	uint8_t span[3];
	uint8_t source[3];
} Hue;

static const Hue hot = { { 218, 66, 20 }, { 37, 146, 48 }, { 2, 0, 1 } };
static const Hue mem = { { 75, 180, 95 }, { 60, 55, 115 }, { 2, 1, 0 } };
static const Hue io = { { 100, 110, 195 }, { 70, 70, 55 }, { 0, 0, 1 } };
static const Hue red = { { 215, 85, 80 }, { 40, 75, 75 }, { 0, 0, 0 } };
static const Hue green = { { 85, 190, 85 }, { 75, 55, 75 }, { 0, 0, 0 } };
static const Hue blue = { { 105, 125, 205 }, { 70, 70, 50 }, { 0, 0, 0 } };
static const Hue aqua = { { 65, 170, 170 }, { 75, 60, 60 }, { 0, 0, 0 } };
static const Hue yellow = { { 195, 185, 55 }, { 45, 45, 40 }, { 0, 0, 0 } };
static const Hue purple = { { 185, 100, 205 }, { 60, 65, 50 }, { 0, 0, 0 } };
static const Hue orange = { { 225, 115, 25 }, { 30, 65, 45 }, { 0, 0, 0 } };
static const Hue grey = { { 185, 185, 185 }, { 35, 35, 35 }, { 0, 0, 0 } };

/* After Okabe and Ito: told apart with any kind of colour vision, and in lightness. */
static const Hue safe_vermilion = { { 213, 94, 10 }, { 30, 45, 45 }, { 0, 0, 0 } };
static const Hue safe_sky = { { 86, 180, 233 }, { 65, 32, 15 }, { 0, 0, 0 } };
static const Hue safe_green = { { 10, 158, 115 }, { 50, 32, 42 }, { 0, 0, 0 } };
static const Hue safe_yellow = { { 236, 224, 66 }, { 15, 20, 80 }, { 0, 0, 0 } };
static const Hue safe_purple = { { 204, 121, 167 }, { 30, 45, 35 }, { 0, 0, 0 } };

/* The letter of a trailing `_[k]`, `_[j]`, `_[i]` or `_[w]`, else 0. */
static char annotation(Text name)
{
	if (name.len <= 4 || !text_ends(name, "]") || memcmp(name.data + name.len - 4, "_[", 2))
		return '\0';
	return name.data[name.len - 2];
}

/* FNV-1a, then mixed so that every bit of the result depends on every byte. */
static uint32_t name_hash(Text name)
{
	uint32_t hash = 2166136261u;
	for (size_t i = 0; i < name.len; i++)
		hash = (hash ^ (uint8_t)name.data[i]) * 16777619u;
	hash = (hash ^ hash >> 16) * 0x7feb352du;
	hash = (hash ^ hash >> 15) * 0x846ca68bu;
	return hash ^ hash >> 16;
}

/* `-` and `--` stand between parts of a stack in folded files: grey, as flamegraph.pl has them. */
static bool is_separator(Text name)
{
	return text_equal(name, TEXT("-")) || text_equal(name, TEXT("--"));
}

static Rgb shade(const Hue *hue, Text name)
{
	if (is_separator(name))
		return name.len == 1 ? (Rgb){ 200, 200, 200 } : (Rgb){ 160, 160, 160 };
	if (annotation(name) != '\0')
		name.len -= 4;
	uint32_t hash = name_hash(name);
	uint8_t channel[3];
	for (int i = 0; i < 3; i++) {
		uint32_t random = hash >> (8 * hue->source[i]) & 0xff;
		channel[i] = (uint8_t)(hue->base[i] + hue->span[i] * random / 255);
	}
	return (Rgb){ channel[0], channel[1], channel[2] };
}

/* A folded file tells the class of a frame by its annotation alone. */
static FrameClass class_of(Text name, FrameClass class)
{
	switch (annotation(name)) {
	case 'k':
		return FRAME_CLASS_KERNEL;
	case 'j':
		return FRAME_CLASS_JIT;
	case 'i':
		return FRAME_CLASS_INLINED;
	default:
		return class;
	}
}

#define FLAT(hue)                                                                                  \
	static Rgb colour_##hue(Text name, FrameClass class G_GNUC_UNUSED)                         \
	{                                                                                          \
		return shade(&hue, name);                                                          \
	}
FLAT(hot)
FLAT(mem)
FLAT(io)
FLAT(red)
FLAT(green)
FLAT(blue)
FLAT(aqua)
FLAT(yellow)
FLAT(purple)
FLAT(orange)

static Rgb colour_chain(Text name, FrameClass class G_GNUC_UNUSED)
{
	return shade(annotation(name) == 'w' ? &aqua : &blue, name);
}

static Rgb colour_type(Text name, FrameClass class)
{
	static const Hue *const by_class[N_FRAME_CLASSES] = {
		[FRAME_CLASS_KERNEL] = &orange, [FRAME_CLASS_JIT] = &green,
		[FRAME_CLASS_INLINED] = &aqua,	[FRAME_CLASS_USER] = &yellow,
		[FRAME_CLASS_UNKNOWN] = &red,	[FRAME_CLASS_NONE] = &grey,
	};
	return shade(by_class[class_of(name, class)], name);
}

static Rgb colour_safe(Text name, FrameClass class)
{
	static const Hue *const by_class[N_FRAME_CLASSES] = {
		[FRAME_CLASS_KERNEL] = &safe_vermilion, [FRAME_CLASS_JIT] = &safe_green,
		[FRAME_CLASS_INLINED] = &safe_yellow,	[FRAME_CLASS_USER] = &safe_sky,
		[FRAME_CLASS_UNKNOWN] = &safe_purple,	[FRAME_CLASS_NONE] = &grey,
	};
	return shade(by_class[class_of(name, class)], name);
}

/* Code that no compiler at run time made: the kernel's, C++ or a system library's. */
static const Hue *native_hue(Text name, FrameClass class)
{
	if (class == FRAME_CLASS_KERNEL)
		return &orange;
	return text_find(name, "::") >= 0 ? &yellow : &red;
}

static bool is_java_package(Text name)
{
	static const char *const roots[] = { "java/", "javax/", "jdk/", "net/",
					     "org/",  "com/",	"io/",	"sun/" };
	if (text_starts(name, "L"))
		name = text_skip(name, 1);
	for (size_t i = 0; i < G_N_ELEMENTS(roots); i++) {
		if (text_starts(name, roots[i]))
			return true;
	}
	return false;
}

static Rgb colour_java(Text name, FrameClass class)
{
	class = class_of(name, class);
	if (class == FRAME_CLASS_INLINED)
		return shade(&aqua, name);
	if (class == FRAME_CLASS_JIT || is_java_package(name) || text_find(name, ":::") >= 0)
		return shade(&green, name);
	return shade(native_hue(name, class), name);
}

static Rgb colour_js(Text name, FrameClass class)
{
	class = class_of(name, class);
	bool has_path = text_find(name, "/") >= 0;
	if (class == FRAME_CLASS_INLINED)
		return shade(&aqua, name);
	if (class == FRAME_CLASS_JIT)
		return shade(has_path ? &green : &aqua, name); /* aqua: V8's builtins */
	if (class != FRAME_CLASS_KERNEL && text_find(name, ".js:") >= 0)
		return shade(&green, name);
	return shade(native_hue(name, class), name);
}

static Rgb colour_perl(Text name, FrameClass class)
{
	class = class_of(name, class);
	if (class != FRAME_CLASS_KERNEL && text_find(name, "::") < 0 &&
	    (text_find(name, "Perl") >= 0 || text_find(name, ".pl") >= 0))
		return shade(&green, name);
	return shade(native_hue(name, class), name);
}

#define YELLOW_GROUND                                                                              \
	{                                                                                          \
		"yellow", { 0xfb, 0xfa, 0xf4 },                                                    \
		{                                                                                  \
			0xf3, 0xee, 0xce                                                           \
		}                                                                                  \
	}
#define GREEN_GROUND                                                                               \
	{                                                                                          \
		"green", { 0xf7, 0xfb, 0xf7 },                                                     \
		{                                                                                  \
			0xd9, 0xf0, 0xd9                                                           \
		}                                                                                  \
	}
#define BLUE_GROUND                                                                                \
	{                                                                                          \
		"blue", { 0xf6, 0xf7, 0xfc },                                                      \
		{                                                                                  \
			0xdb, 0xde, 0xf5                                                           \
		}                                                                                  \
	}
#define GREY_GROUND                                                                                \
	{                                                                                          \
		"grey", { 0xfb, 0xfb, 0xfb },                                                      \
		{                                                                                  \
			0xe8, 0xe8, 0xe8                                                           \
		}                                                                                  \
	}

const FrameGround frame_grounds[] = {
	YELLOW_GROUND, GREEN_GROUND, BLUE_GROUND, GREY_GROUND, { .name = NULL },
};

static bool parse_hex(const char *text, Rgb *colour)
{
	uint8_t *channels[] = { &colour->r, &colour->g, &colour->b };

	if (strlen(text) != 6 || strspn(text, "0123456789abcdefABCDEF") != 6)
		return false;
	for (int i = 0; i < 3; i++)
		*channels[i] = (uint8_t)(g_ascii_xdigit_value(text[2 * i]) << 4 |
					 g_ascii_xdigit_value(text[2 * i + 1]));
	return true;
}

bool frame_ground_parse(const char *text, FrameGround *ground)
{
	for (const FrameGround *row = frame_grounds; row->name != NULL; row++) {
		if (strcmp(row->name, text) == 0) {
			*ground = *row;
			return true;
		}
	}
	*ground = (FrameGround){ 0 };
	if (*text != '#' || !parse_hex(text + 1, &ground->top))
		return false;
	ground->bottom = ground->top;
	return true;
}

const FramePalette frame_palettes[] = {
	{ "hot", "red to yellow", colour_hot, YELLOW_GROUND },
	{ "type", "by kind of code: kernel orange, user yellow, JIT green, inlined aqua",
	  colour_type, GREY_GROUND },
	{ "safe", "by kind of code, for any colour vision", colour_safe, GREY_GROUND },
	{ "java", "kernel orange, Java green, inlined aqua, C++ yellow, system red", colour_java,
	  YELLOW_GROUND },
	{ "js", "kernel orange, JavaScript green, builtins aqua, C++ yellow, system red", colour_js,
	  YELLOW_GROUND },
	{ "perl", "kernel orange, Perl green, C++ yellow, system red", colour_perl, YELLOW_GROUND },
	{ "mem", "greens, for memory", colour_mem, GREEN_GROUND },
	{ "io", "blues, for I/O", colour_io, BLUE_GROUND },
	{ "wakeup", "aquas, for wakeups", colour_aqua, BLUE_GROUND },
	{ "chain", "blue, and aqua for wakers (_[w])", colour_chain, BLUE_GROUND },
	{ "red", "reds", colour_red, GREY_GROUND },
	{ "green", "greens", colour_green, GREY_GROUND },
	{ "blue", "blues", colour_blue, GREY_GROUND },
	{ "aqua", "aquas", colour_aqua, GREY_GROUND },
	{ "yellow", "yellows", colour_yellow, GREY_GROUND },
	{ "purple", "purples", colour_purple, GREY_GROUND },
	{ "orange", "oranges", colour_orange, GREY_GROUND },
	{ .name = NULL },
};

const FramePalette *frame_palette_by_name(const char *name)
{
	for (const FramePalette *palette = frame_palettes; palette->name != NULL; palette++) {
		if (strcmp(palette->name, name) == 0)
			return palette;
	}
	return NULL;
}
