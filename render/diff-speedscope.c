/* SPDX-License-Identifier: MIT */
/*
 * Both sides in one file for speedscope (https://www.speedscope.app/file-format-schema.json): a
 * profile each, whose frames are shared, so that a function has one colour in both. Each stack
 * stands once, with its weight.
 */

#include "render/formats.h"
#include "render/json-writer.h"

static void write_frames(FILE *out, const FrameNames *names)
{
	uint32_t n = frame_names_count(names);

	fputs("\"shared\":{\"frames\":[", out);
	for (uint32_t i = 0; i < n; i++) {
		fputs_unlocked(i > 0 ? ",\n{\"name\":" : "\n{\"name\":", out);
		json_write_string(out, frame_names_get(names, i).name);
		putc_unlocked('}', out);
	}
	fputs("]},\n", out);
}

/* Root first; a sample without a stack is an empty one. `stack` is scratch. */
static void write_stack(FILE *out, const CallTree *shape, uint32_t node, GArray *stack)
{
	g_array_set_size(stack, 0);
	for (; node != 0; node = shape->nodes[node].parent)
		g_array_append_val(stack, shape->nodes[node].display);
	putc_unlocked('[', out);
	for (guint i = stack->len; i-- > 0;) {
		json_write_u64(out, g_array_index(stack, uint32_t, i));
		if (i > 0)
			putc_unlocked(',', out);
	}
	putc_unlocked(']', out);
}

/* What ends in a node on one side. */
static uint64_t weight_at(const Diff *diff, uint32_t node, DiffSide side)
{
	return diff->nodes[node].tally[MEASURE_SELF][side].weight;
}

static void write_stacks(FILE *out, const Diff *diff, DiffSide side)
{
	g_autoptr(GArray) stack = g_array_new(FALSE, FALSE, sizeof(uint32_t));
	const char *comma = "\n";

	fputs("\"samples\":[", out);
	for (uint32_t i = 0; i < diff->shape->n_nodes; i++) {
		if (weight_at(diff, i, side) == 0)
			continue;
		fputs_unlocked(comma, out);
		write_stack(out, diff->shape, i, stack);
		comma = ",\n";
	}
}

static void write_weights(FILE *out, const Diff *diff, DiffSide side)
{
	const char *comma = "";

	fputs("],\n\"weights\":[", out);
	for (uint32_t i = 0; i < diff->shape->n_nodes; i++) {
		if (weight_at(diff, i, side) == 0)
			continue;
		fputs_unlocked(comma, out);
		json_write_u64(out, weight_at(diff, i, side));
		comma = ",";
	}
	putc_unlocked(']', out);
}

static void write_profile(FILE *out, const Diff *diff, const DiffStyle *style, DiffSide side)
{
	g_autofree char *name = g_strdup_printf("%s: %s", side == SIDE_NEW ? "new" : "base",
						style->side_names[side]);

	fputs("{\"type\":\"sampled\",\"name\":", out);
	json_write_string(out, text_from(name));
	fputs(",\"unit\":\"none\",\"startValue\":0,\"endValue\":", out);
	json_write_u64(out, diff->totals[side].weight);
	fputs(",\n", out);
	write_stacks(out, diff, side);
	write_weights(out, diff, side);
	putc('}', out);
}

bool diff_speedscope(FILE *out, const Diff *diff, const Caption *caption, const DiffStyle *style,
		     GError **error G_GNUC_UNUSED)
{
	fputs("{\"$schema\":\"https://www.speedscope.app/file-format-schema.json\",\n"
	      "\"exporter\":\"flamebeat " FLAMEBEAT_VERSION "\",\"name\":",
	      out);
	json_write_string(out, text_from(caption->title != NULL ? caption->title : ""));
	fputs(",\"activeProfileIndex\":0,\n", out);
	write_frames(out, diff->shape->names);
	fputs("\"profiles\":[\n", out);
	write_profile(out, diff, style, SIDE_NEW);
	fputs(",\n", out);
	write_profile(out, diff, style, SIDE_BASE);
	fputs("\n]}\n", out);
	return true;
}
