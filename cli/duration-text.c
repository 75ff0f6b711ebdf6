/* SPDX-License-Identifier: MIT */

#include "cli/duration-text.h"

#include <glib.h>
#include <math.h>

char *duration_text(double ns)
{
	static const struct {
		double below_ns, unit_ns;
		const char *unit;
	} units[] = {
		{ 1e6, 1e3, "us" },	  { 1e9, 1e6, "ms" },	     { 600e9, 1e9, "s" },
		{ 36000e9, 60e9, "min" }, { INFINITY, 3600e9, "h" },
	};
	size_t i = 0;

	while (fabs(ns) >= units[i].below_ns)
		i++;
	return g_strdup_printf("%.4g %s", ns / units[i].unit_ns, units[i].unit);
}
