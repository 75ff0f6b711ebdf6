/* SPDX-License-Identifier: MIT */
/* perf's messages, by what they begin with or contain; sources: perf 4 to 6.18, bug reports. */

#include "parse/messages.h"

static const char *const beginnings[] = {
	"Warning:",
	"WARNING:",
	"Processed ",
	"Check IO/CPU overload!",
	"[ perf record:",
	"Was the 'perf record' command properly terminated?",
	"addr2line:",
	"Failed to open ",
	"Couldn't find ",
	"Couldn't record ",
	"no symbols found in ",
	"symbol lookup error",
	"'trace' not valid for ",
	"Samples for ",
	"Samples do not have ",
	"Display of symbols requested",
	"corrupted callchain",
	"Can't ",
	"Cannot ",
	"Overlapping map",
	"unwind: ",
	"build-id ",
};

static const char *const parts[] = {
	" out of order events recorded.",
	" instruction trace error type ",
	"Was the 'perf record' command properly terminated?",
};

bool message_is_known(Text line)
{
	for (size_t i = 0; i < sizeof(beginnings) / sizeof(beginnings[0]); i++)
		if (text_starts(line, beginnings[i]))
			return true;
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
		if (text_find(line, parts[i]) >= 0)
			return true;
	return false;
}

bool message_is_of_loss(Text line)
{
	return text_starts(line, "Processed ") && text_find(line, " lost ") >= 0;
}
