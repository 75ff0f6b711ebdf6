/* SPDX-License-Identifier: MIT */
/* The phase profile as JSON: one object a part of the period, in order of phase. */

#include <inttypes.h>

#include "heatmap/grid.h"
#include "render/formats.h"
#include "render/json-writer.h"

#define SCHEMA "flamebeat/fold/1"

static void write_key(FILE *out, const char *key)
{
	fprintf(out, ",\"%s\":", key);
}

/* Rates, to a thousandth: no locale takes part. */
static void write_rate(FILE *out, const char *key, double rate)
{
	write_key(out, key);
	json_write_ratio(out, (int64_t)(MIN(rate, 1e15) * 1000 + 0.5), 1000);
}

static void write_bin(FILE *out, const Fold *fold, uint32_t i)
{
	const FoldBin *bin = &fold->bins[i];
	fputs(i > 0 ? ",{\"phase\":" : "{\"phase\":", out);
	json_write_ratio(out, (int64_t)i * 1000000 / fold->n_bins, 1000000);
	write_key(out, "offset_ns");
	json_write_i64(out, grid_row_begin(fold->period_ns, fold->n_bins, i));
	write_key(out, "weight");
	json_write_u64(out, bin->weight);
	write_key(out, "covered_ns");
	json_write_u64(out, (uint64_t)bin->covered_ns);
	write_rate(out, "rate", bin->rate);
	write_rate(out, "error", bin->error);
	write_rate(out, "p10", bin->low);
	write_rate(out, "p50", bin->median);
	write_rate(out, "p90", bin->high);
	write_key(out, "periods");
	json_write_u64(out, bin->n_periods);
	putc_unlocked('}', out);
}

bool fold_json(FILE *out, const Fold *fold, const Caption *caption, const HeatmapStyle *style,
	       GError **error)
{
	fprintf(out, "{\"schema\":\"" SCHEMA "\",\"period_ns\":%" PRId64, fold->period_ns);
	write_key(out, "zero_ns");
	json_write_i64(out, fold->zero_ns);
	write_key(out, "unit");
	json_write_cstring(out, caption->unit);
	write_key(out, "event");
	json_write_cstring(out, caption->event);
	write_key(out, "total");
	json_write_u64(out, fold->total);
	write_key(out, "periods");
	json_write_u64(out, fold->n_periods);
	write_rate(out, "rate", fold->rate);
	fputs(",\"bins\":[", out);
	for (uint32_t i = 0; i < fold->n_bins; i++)
		write_bin(out, fold, i);
	fputs("]", out);
	write_key(out, "options");
	json_write_cstring(out, caption->options != NULL ? caption->options : "");
	fputs("}\n", out);
	return true;
}
