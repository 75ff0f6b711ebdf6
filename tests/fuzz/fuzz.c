/* SPDX-License-Identifier: MIT */
/* What the fuzz targets share: choices, files in memory, and what is asked of errors. */

#include "tests/fuzz/fuzz.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "store/error.h"

/* A warning of GLib's is a bug of ours: an assertion of one of its functions failed. */
int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	g_log_set_always_fatal(G_LOG_LEVEL_ERROR | G_LOG_LEVEL_CRITICAL | G_LOG_LEVEL_WARNING);
	return 0;
}

FuzzChoices fuzz_choices(const uint8_t *data, size_t size)
{
	return (FuzzChoices){ XXH3_64bits(data, size) };
}

/* splitmix64, public domain. */
uint32_t fuzz_choose(FuzzChoices *self, uint32_t n)
{
	uint64_t z = self->state += 0x9e3779b97f4a7c15ull;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
	return (uint32_t)((z ^ (z >> 31)) % n);
}

const char *fuzz_file(int which, const uint8_t *data, size_t size)
{
	static int fds[FUZZ_FILES] = { -1, -1 };
	static char paths[FUZZ_FILES][32];

	if (fds[which] < 0) {
		fds[which] = memfd_create("fuzz", MFD_CLOEXEC);
		g_snprintf(paths[which], sizeof(paths[which]), "/proc/self/fd/%d", fds[which]);
	}
	g_assert_true(ftruncate(fds[which], 0) == 0);
	g_assert_true(pwrite(fds[which], data, size, 0) == (ssize_t)size);
	return paths[which];
}

bool fuzz_check(bool ok, GError *error)
{
	g_assert_true(ok == (error == NULL));
	if (ok)
		return true;
	g_assert_true(error->domain == FLAMEBEAT_ERROR);
	g_assert_true(
		error->code == FLAMEBEAT_ERROR_FAILED || error->code == FLAMEBEAT_ERROR_USAGE ||
		error->code == FLAMEBEAT_ERROR_DAMAGED || error->code == FLAMEBEAT_ERROR_LIMIT);
	g_assert_true(*error->message != '\0');
	g_error_free(error);
	return false;
}
