/* SPDX-License-Identifier: MIT */
/* A cached store appears whole or not at all: it is written under another name and renamed. */

#include "serve/store-cache.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utime.h>

#include "store/error.h"
#include "store/store-file.h"

#define MAX_AGE_S (30 * 24 * 3600)

bool file_identity_read(FileIdentity *self, const char *path, GError **error)
{
	struct stat info;

	if (stat(path, &info) != 0 || access(path, R_OK) != 0)
		return fail(error, FLAMEBEAT_ERROR_FAILED, "%s: %s", path, g_strerror(errno));
	if (!S_ISREG(info.st_mode))
		return fail(error, FLAMEBEAT_ERROR_FAILED, "%s: not a regular file", path);
	*self = (FileIdentity){
		.device = info.st_dev,
		.inode = info.st_ino,
		.size = (uint64_t)info.st_size,
		.mtime_ns =
			info.st_mtim.tv_sec * G_GINT64_CONSTANT(1000000000) + info.st_mtim.tv_nsec,
	};
	return true;
}

bool file_identity_equal(const FileIdentity *a, const FileIdentity *b)
{
	return a->device == b->device && a->inode == b->inode && a->size == b->size &&
	       a->mtime_ns == b->mtime_ns;
}

void file_identity_add(FileIdentity *self, const FileIdentity *other)
{
	self->device = self->device * 31 + other->device;
	self->inode = self->inode * 31 + other->inode;
	self->size += other->size;
	self->mtime_ns = (int64_t)((uint64_t)self->mtime_ns * 31 + (uint64_t)other->mtime_ns);
}

/* --- where ------------------------------------------------------------------------------- */

static char *cache_folder(void)
{
	return g_build_filename(g_get_user_cache_dir(), "flamebeat", NULL);
}

static char *cache_path(char *const *paths, const FileIdentity *identity)
{
	g_autofree char *folder = cache_folder();
	g_autoptr(GString) words = g_string_new(FLAMEBEAT_VERSION);
	g_autofree char *digest = NULL, *name = NULL;

	for (; *paths != NULL; paths++) {
		g_autofree char *real = realpath(*paths, NULL);

		g_string_append_printf(words, " %s", real != NULL ? real : *paths);
	}
	g_string_append_printf(words,
			       " %" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT
			       " %" G_GINT64_FORMAT,
			       identity->device, identity->inode, identity->size,
			       identity->mtime_ns);
	digest = g_compute_checksum_for_string(G_CHECKSUM_SHA256, words->str, -1);
	name = g_strdup_printf("%.32s.beat", digest);
	return g_build_filename(folder, name, NULL);
}

/* --- writing ----------------------------------------------------------------------------- */

static bool write_store(const Store *store, const char *path)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	FILE *out = fd >= 0 ? fdopen(fd, "wb") : NULL;
	bool ok;

	if (out == NULL) {
		if (fd >= 0)
			close(fd);
		return false;
	}
	ok = store_write(store, out, NULL);
	return (fclose(out) == 0) && ok;
}

static bool keep(const Store *store, const char *path)
{
	g_autofree char *folder = cache_folder();
	g_autofree char *temporary = g_strdup_printf("%s.%08x.tmp", path, g_random_int());

	if (g_mkdir_with_parents(folder, 0700) != 0)
		return false;
	if (write_store(store, temporary) && rename(temporary, path) == 0)
		return true;
	unlink(temporary);
	return false;
}

static bool is_store(const char *path)
{
	char magic[STORE_MAGIC_LEN];
	FILE *file = fopen(path, "rbe");
	bool ok;

	if (file == NULL)
		return false;
	ok = fread(magic, 1, sizeof(magic), file) == sizeof(magic) &&
	     memcmp(magic, STORE_MAGIC, sizeof(magic)) == 0;
	fclose(file);
	return ok;
}

/* The mapped file takes the place of the memory that parsing filled. */
static Store *exchange(Store *store, const char *kept, Notes *notes)
{
	Store *mapped = keep(store, kept) ? store_open(kept, NULL) : NULL;

	if (mapped == NULL) {
		notes_add(notes, "cannot keep a store at %s: the recording stays in memory", kept);
		return store;
	}
	store_free(store);
	return mapped;
}

Store *store_cache_load(char *const *paths, const FileIdentity *identity, ProgressFunc progress,
			void *progress_data, Notes *notes, GError **error)
{
	g_autofree char *kept = cache_path(paths, identity);
	LoadSettings settings = { .progress = progress, .progress_data = progress_data };
	Store *store;

	if (paths[1] == NULL && is_store(paths[0]))
		return store_open(paths[0], error);
	store = store_open(kept, NULL);
	if (store != NULL) {
		utime(kept, NULL);
		return store;
	}
	store = load_recording(paths, &settings, notes, error);
	return store != NULL ? exchange(store, kept, notes) : NULL;
}

void store_cache_prune(void)
{
	g_autofree char *folder = cache_folder();
	g_autoptr(GDir) listing = g_dir_open(folder, 0, NULL);
	const char *name;

	while (listing != NULL && (name = g_dir_read_name(listing)) != NULL) {
		g_autofree char *path = g_build_filename(folder, name, NULL);
		struct stat info;

		if (lstat(path, &info) == 0 && S_ISREG(info.st_mode) &&
		    info.st_mtim.tv_sec + MAX_AGE_S < time(NULL))
			unlink(path);
	}
}
