/* SPDX-License-Identifier: MIT */
#pragma once

#include "render/heatmap-sheet.h"

/* Adds the legend at sheet->y: the colours with the weights they stand for, what a weight is, and
 * what hatching and outlines mean where the picture has them. */
void heatmap_legend_add(HeatmapSheet *sheet, const Heatmap *heatmap, const Caption *caption,
			const HeatmapStyle *style, const Scale *scale);
