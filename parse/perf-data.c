/* SPDX-License-Identifier: MIT */
/* perf.data itself: recognised, so that it is not taken for text. */

#include "parse/format.h"

#include "store/error.h"

static bool probe(Text head)
{
	return text_starts(head, "PERFILE2") || text_starts(head, "2ELIFREP") ||
	       text_starts(head, "PERFFILE");
}

static bool parse(ParseJob *job, GError **error)
{
	return fail(
		error, FLAMEBEAT_ERROR_FAILED,
		"%s: is a perf.data file; print it first: perf script --header --no-inline -i %s "
		"| flamebeat ... -",
		input_name(job->input), input_name(job->input));
}

const Format format_perf_data = {
	.name = "perf.data",
	.help = "what perf record writes",
	.probe = probe,
	.parse = parse,
};
