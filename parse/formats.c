/* SPDX-License-Identifier: MIT */
/* The input formats. Stores are opened, not parsed: see load.c. */

#include "parse/format.h"

const Format *const formats[] = {
	&format_perf_data, &format_perf_stream, &format_folded, &format_perf_script, NULL,
};
