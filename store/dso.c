/* SPDX-License-Identifier: MIT */
/* Classification by name, first match; the spellings are those that perf 3.2 to 6.18 print. */

#include "store/dso.h"

bool dso_is_unknown(Text dso)
{
	return dso.len == 0 || text_equal(dso, TEXT("[unknown]")) || text_equal(dso, TEXT("???"));
}

Text dso_basename(Text dso)
{
	const char *slash;

	if (text_ends(dso, " (deleted)"))
		dso.len -= strlen(" (deleted)");
	slash = dso.len > 0 ? memrchr(dso.data, '/', dso.len) : NULL;
	return slash != NULL ? text_skip(dso, (size_t)(slash + 1 - dso.data)) : dso;
}

bool dso_is_jit(Text dso)
{
	Text name = dso_basename(dso);

	return (text_starts(name, "perf-") && text_ends(name, ".map")) ||
	       (text_starts(name, "[perf-") && text_ends(name, ".map]")) ||
	       (text_starts(name, "jitted-") && text_ends(name, ".so")) ||
	       text_starts(dso, "[JIT ") || text_equal(dso, TEXT("//anon"));
}

/* `x.ko`, `x.ko.gz`, `x.ko.xz`, `x.ko.zst`. */
static bool is_module(Text name)
{
	return text_ends(name, ".ko") || text_ends(name, ".ko.gz") || text_ends(name, ".ko.xz") ||
	       text_ends(name, ".ko.zst");
}

static bool is_bracketed_other(Text dso)
{
	static const char *const others[] = { "[vdso",	  "[vsyscall", "[stack", "[heap",
					      "[uprobes", "[unknown",  "[anon" };

	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		if (text_starts(dso, others[i]))
			return true;
	return false;
}

bool dso_is_kernel(Text dso)
{
	Text name = dso_basename(dso);

	if (text_starts(dso, "[") && !dso_is_jit(dso))
		return !is_bracketed_other(dso) && text_find(dso, "]") > 0;
	return text_find(name, "vmlinux") >= 0 || is_module(name) || text_starts(name, "bpf_prog_");
}

/* No file of code is as large, and processes of 64 bits are placed above it. */
#define MAX_OFFSET UINT32_MAX

uint64_t dso_offset(Text dso, uint64_t address)
{
	bool has_offsets = !dso_is_unknown(dso) && !dso_is_jit(dso) && !dso_is_kernel(dso) &&
			   !text_starts(dso, "[stack") && !text_starts(dso, "[heap");

	return has_offsets && address <= MAX_OFFSET ? address : 0;
}
