/* SPDX-License-Identifier: MIT */
/* Swatches with words, one after the other, in as many lines as they need. */

#include "render/legend.h"

#include "render/label.h"

#define WORDS_GAP 5  /* px from a swatch to its words */
#define ENTRY_GAP 14 /* from an entry to the next */

GArray *legend_place(const LegendEntry *entries, uint32_t n, double width)
{
	GArray *items = g_array_new(FALSE, FALSE, sizeof(LegendItem));
	double x = 0, y = LEGEND_SWATCH_HEIGHT;

	for (uint32_t i = 0; i < n; i++) {
		double words_x = x + LEGEND_SWATCH_WIDTH + WORDS_GAP;
		double end = words_x + label_width(text_from(entries[i].words), LABEL_FONT_PX);
		LegendItem item;

		if (x > 0 && end > width) {
			end -= x;
			words_x -= x;
			x = 0;
			y += LEGEND_LINE_STEP;
		}
		item = (LegendItem){ &entries[i], x, y, words_x };
		g_array_append_val(items, item);
		x = end + ENTRY_GAP;
	}
	return items;
}

double legend_height(const GArray *items)
{
	return items->len > 0 ? g_array_index(items, LegendItem, items->len - 1).y + 4 : 0;
}
