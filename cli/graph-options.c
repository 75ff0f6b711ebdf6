/* SPDX-License-Identifier: MIT */
/* The options of drawing. Where flamegraph.pl has one it has the same name here, or an alias. */

#include "cli/graph-options.h"

#include "cli/output-options.h"
#include "cli/output.h"
#include "render/flame-page.h"
#include "store/error.h"

#define DEFAULT_WIDTH	  1200
#define DEFAULT_MIN_WIDTH 0.1

static bool set_layout(void *settings, const char *value, GError **error)
{
	static const char *const names[] = { "flame", "icicle", NULL };
	int choice = option_choice("layout", value, names, error);

	((GraphSettings *)settings)->layout = (Layout)choice;
	((GraphSettings *)settings)->has_layout = true;
	return choice >= 0;
}

static bool set_inverted(void *settings, const char *value, GError **error)
{
	return set_layout(settings, "icicle", error);
}

static bool set_colors(void *settings, const char *value, GError **error)
{
	g_autoptr(GPtrArray) names = g_ptr_array_new();

	((GraphSettings *)settings)->palette = frame_palette_by_name(value);
	for (const FramePalette *palette = frame_palettes; palette->name != NULL; palette++)
		g_ptr_array_add(names, (gpointer)palette->name);
	g_ptr_array_add(names, NULL);
	return ((GraphSettings *)settings)->palette != NULL ||
	       option_choice("colors", value, (const char *const *)names->pdata, error) >= 0;
}

static bool set_bgcolors(void *settings, const char *value, GError **error)
{
	GraphSettings *self = settings;

	self->has_ground = frame_ground_parse(value, &self->ground);
	return self->has_ground ||
	       fail(error, FLAMEBEAT_ERROR_USAGE,
		    "--bgcolors: expected yellow, blue, green, grey or #rrggbb, got '%s'", value);
}

/* Colours are keyed by name anyway. */
static bool set_hash(void *settings, const char *value, GError **error)
{
	return true;
}

static bool replace(char **field, const char *value)
{
	g_free(*field);
	*field = g_strdup(value);
	return true;
}

static bool set_title(void *settings, const char *value, GError **error)
{
	return replace(&((GraphSettings *)settings)->title, value);
}

static bool set_subtitle(void *settings, const char *value, GError **error)
{
	return replace(&((GraphSettings *)settings)->subtitle, value);
}

static bool set_font_type(void *settings, const char *value, GError **error)
{
	return replace(&((GraphSettings *)settings)->font, value);
}

static bool set_count_name(void *settings, const char *value, GError **error)
{
	return replace(&((GraphSettings *)settings)->count_name, value);
}

static bool set_name_type(void *settings, const char *value, GError **error)
{
	return replace(&((GraphSettings *)settings)->name_type, value);
}

static bool set_number(const char *option, const char *value, double min, double max,
		       double *result, GError **error)
{
	char *end;

	*result = g_ascii_strtod(value, &end);
	if (end != value && *end == '\0' && *result >= min && *result <= max)
		return true;
	return fail(error, FLAMEBEAT_ERROR_USAGE, "--%s: expected a number from %g to %g, got '%s'",
		    option, min, max, value);
}

static bool set_width(void *settings, const char *value, GError **error)
{
	return set_number("width", value, 100, 20000, &((GraphSettings *)settings)->width, error);
}

static bool set_height(void *settings, const char *value, GError **error)
{
	return set_number("height", value, 4, 200, &((GraphSettings *)settings)->row_height, error);
}

static bool set_font_size(void *settings, const char *value, GError **error)
{
	return set_number("fontsize", value, 4, 100, &((GraphSettings *)settings)->font_px, error);
}

static bool set_min_width(void *settings, const char *value, GError **error)
{
	GraphSettings *self = settings;
	g_autofree char *number = g_strdup(value);
	size_t len = strlen(number);

	self->is_min_share = len > 0 && number[len - 1] == '%';
	if (self->is_min_share)
		number[len - 1] = '\0';
	return set_number("min-width", number, 0, self->is_min_share ? 100 : 1000, &self->min_width,
			  error);
}

static bool set_scale_factor(void *settings, const char *value, GError **error)
{
	return option_integer("scale-factor", value, 1, 8,
			      &((GraphSettings *)settings)->scale_factor, error);
}

const OptionRow graph_options[] = {
	{ "layout", 0, "flame|icicle", "root at the bottom or at the top (default: flame)",
	  set_layout },
	{ "inverted", 0, NULL, "the same as --layout icicle", set_inverted },
	{ "colors", 0, "NAME", "FlameGraph's palettes, `type` or `safe` (default: hot)",
	  set_colors },
	{ "palette", 0, "NAME", "the same as --colors", set_colors },
	{ "bgcolors", 0, "NAME", "background: yellow, blue, green, grey or #rrggbb", set_bgcolors },
	{ "hash", 0, NULL, "colour by name: always so", set_hash },
	{ "title", 0, "TEXT", "headline (default: the name of the input)", set_title },
	{ "subtitle", 0, "TEXT", "second line (default: what was counted)", set_subtitle },
	{ "width", 0, "PX", "width of the picture (default: 1200, in a browser the window's)",
	  set_width },
	{ "height", 0, "PX", "height of a frame (default: 16)", set_height },
	{ "min-width", 0, "PX|N%", "leave out narrower frames (default: 0.1)", set_min_width },
	{ "minwidth", 0, "PX|N%", "the same as --min-width", set_min_width },
	{ "fonttype", 0, "NAME", "font (default: Verdana)", set_font_type },
	{ "fontsize", 0, "PX", "size of the font of frames (default: 12)", set_font_size },
	{ "countname", 0, "TEXT", "what is counted (default: samples, or the weight's unit)",
	  set_count_name },
	{ "nametype", 0, "TEXT", "what stands before a name (default: Function:)", set_name_type },
	{ "scale-factor", 0, "N", "PNG: N times as many pixels (default: 2)", set_scale_factor },
	{ NULL, 0, NULL, NULL, NULL },
};

void graph_settings_init(GraphSettings *self)
{
	*self = (GraphSettings){ .palette = &frame_palettes[0],
				 .min_width = DEFAULT_MIN_WIDTH,
				 .scale_factor = 2 };
}

void graph_settings_clear(GraphSettings *self)
{
	g_free(self->title);
	g_free(self->subtitle);
	g_free(self->font);
	g_free(self->count_name);
	g_free(self->name_type);
}

TreeStyle graph_style(const GraphSettings *self, const char *path)
{
	Terminal terminal = terminal_probe(path);
	bool is_terminal = output_is_terminal(path);
	double width = self->width > 0 ? self->width : DEFAULT_WIDTH;
	double share = self->min_width / 100 * (width - 2 * PAGE_PAD);

	return (TreeStyle){ .layout = self->layout,
			    .palette = self->palette,
			    .ground = self->has_ground ? &self->ground : NULL,
			    .width = width,
			    .is_fluid = self->width <= 0,
			    .min_width = self->is_min_share ? share : self->min_width,
			    .row_height = self->row_height,
			    .font_px = self->font_px,
			    .font = self->font,
			    .count_name = self->count_name,
			    .name_type = self->name_type,
			    .scale_factor = (uint32_t)self->scale_factor,
			    .is_colour = terminal.is_colour && is_terminal,
			    /* A file is the same in every locale. */
			    .is_utf8 = terminal.is_utf8 || !is_terminal,
			    .min_share = 0.005 };
}
