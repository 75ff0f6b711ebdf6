/* SPDX-License-Identifier: MIT */
/*
 * Entries are only ever added, so that an id once given out keeps its meaning; one whose file has
 * gone says so. One thread reads; whoever waits is woken when it is done.
 */

#include "serve/library.h"

#include <jansson.h>
#include <string.h>
#include <sys/stat.h>

#include "serve/rings.h"
#include "serve/store-cache.h"
#include "store/error.h"

#define MAX_ENTRIES	 10000
#define PATIENCE_US	 (300 * G_TIME_SPAN_MILLISECOND)
#define ID_SIZE		 16
#define MAX_ERROR_LENGTH 2000

typedef struct {
	char id[ID_SIZE + 1];
	char *name;
	char **paths;	       /* one, or those of a ring */
	FileIdentity identity; /* of what `store` or `error` came from */
	RecordingState state;  /* UNKNOWN: not asked for yet */
	Store *store;
	char *error;
	struct Library *library;
	gint percent; /* read so far, as far as known; atomic */
} Entry;

struct Library {
	GMutex lock;
	GCond changed;
	char **paths;
	GPtrArray *entries; /* of Entry, in the order listed; guarded by lock */
	GThreadPool *reader;
	gint is_stopping; /* atomic */
};

static void entry_forget(Entry *self)
{
	g_clear_pointer(&self->store, store_free);
	g_clear_pointer(&self->error, g_free);
}

static void entry_free(void *data)
{
	Entry *self = data;

	entry_forget(self);
	g_free(self->name);
	g_strfreev(self->paths);
	g_free(self);
}

/* --- entries ----------------------------------------------------------------------------- */

/* The same path has the same id whenever the server is started: addresses can be kept. */
static void make_id(char *id, const char *path)
{
	g_autofree char *absolute = g_canonicalize_filename(path, NULL);
	g_autofree char *digest = g_compute_checksum_for_string(G_CHECKSUM_SHA256, absolute, -1);

	g_strlcpy(id, digest, ID_SIZE + 1);
}

static Entry *find(Library *self, const char *id)
{
	for (guint i = 0; i < self->entries->len; i++) {
		Entry *entry = g_ptr_array_index(self->entries, i);

		if (g_str_equal(entry->id, id))
			return entry;
	}
	return NULL;
}

/* `key` is what the id is made of. One that is known takes the new paths: a ring grows. */
static void add_entry(Library *self, const char *key, const char *name, char *const *paths)
{
	char id[ID_SIZE + 1];
	Entry *entry;

	make_id(id, key);
	entry = find(self, id);
	if (entry == NULL && self->entries->len >= MAX_ENTRIES)
		return;
	if (entry == NULL) {
		entry = g_new0(Entry, 1);
		g_strlcpy(entry->id, id, sizeof(id));
		entry->library = self;
		entry->name = g_strdup(name);
		g_ptr_array_add(self->entries, entry);
	}
	if (entry->state == RECORDING_READING)
		return;
	g_strfreev(entry->paths);
	entry->paths = g_strdupv((char **)paths);
}

static void add_file(Library *self, const char *path)
{
	g_autofree char *name = g_path_get_basename(path);
	char *const paths[] = { (char *)path, NULL };

	add_entry(self, path, name, paths);
}

static void add_rings(Library *self, const char *folder, const GPtrArray *files)
{
	g_autoptr(GPtrArray) rings = rings_find(files);

	for (guint i = 0; i < rings->len; i++) {
		const Ring *ring = g_ptr_array_index(rings, i);
		/* No file has this path: a name has no slash. */
		g_autofree char *key = g_strconcat(folder, "//", ring->name, "/ring", NULL);
		g_autofree char *name = g_strconcat(ring->name, " as one", NULL);

		add_entry(self, key, name, ring->paths);
	}
}

static int compare_names(gconstpointer a, gconstpointer b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Files of a folder, hidden ones and folders in it not. */
static void add_folder(Library *self, const char *folder)
{
	g_autoptr(GDir) listing = g_dir_open(folder, 0, NULL);
	g_autoptr(GPtrArray) found = g_ptr_array_new_with_free_func(g_free);
	const char *name;

	while (listing != NULL && (name = g_dir_read_name(listing)) != NULL) {
		g_autofree char *path = g_build_filename(folder, name, NULL);
		struct stat info;

		if (name[0] != '.' && lstat(path, &info) == 0 && !S_ISDIR(info.st_mode))
			g_ptr_array_add(found, g_steal_pointer(&path));
	}
	g_ptr_array_sort(found, compare_names);
	for (guint i = 0; i < found->len; i++)
		add_file(self, g_ptr_array_index(found, i));
	add_rings(self, folder, found);
}

static void list_again(Library *self)
{
	for (char **path = self->paths; *path != NULL; path++) {
		if (g_file_test(*path, G_FILE_TEST_IS_DIR))
			add_folder(self, *path);
		else
			add_file(self, *path);
	}
}

/* --- reading ----------------------------------------------------------------------------- */

static bool is_given(const Library *self, const char *path)
{
	return g_strv_contains((const char *const *)self->paths, path);
}

/* A link within a folder could lead anywhere: only one that was named itself is followed. */
static bool identify(const Library *self, const char *path, FileIdentity *identity, GError **error)
{
	struct stat info;

	if (!is_given(self, path) && lstat(path, &info) == 0 && S_ISLNK(info.st_mode))
		return fail(error, FLAMEBEAT_ERROR_FAILED,
			    "%s: a symbolic link; give its target on the command line", path);
	return file_identity_read(identity, path, error);
}

/* Of all files of the entry together. */
static bool identify_all(const Library *self, const Entry *entry, FileIdentity *identity,
			 GError **error)
{
	*identity = (FileIdentity){ 0 };
	for (char **path = entry->paths; *path != NULL; path++) {
		FileIdentity one;

		if (!identify(self, *path, &one, error))
			return false;
		file_identity_add(identity, &one);
	}
	return true;
}

static bool tell_progress(void *data, const Progress *progress)
{
	Entry *entry = data;

	if (progress->n_total > 0)
		g_atomic_int_set(&entry->percent, (gint)(100.0 * (double)progress->n_bytes /
							 (double)progress->n_total));
	return g_atomic_int_get(&entry->library->is_stopping) == 0;
}

static void read_entry(void *data, void *context)
{
	Library *self = context;
	Entry *entry = data;
	g_autoptr(Notes) notes = notes_new();
	g_autoptr(GError) error = NULL;
	Store *store;

	store = store_cache_load(entry->paths, &entry->identity, tell_progress, entry, notes,
				 &error);
	g_mutex_lock(&self->lock);
	entry->store = store;
	entry->error = store == NULL ? g_strndup(error->message, MAX_ERROR_LENGTH) : NULL;
	entry->state = store != NULL ? RECORDING_READY : RECORDING_FAILED;
	g_cond_broadcast(&self->changed);
	g_mutex_unlock(&self->lock);
}

/* Looks whether `entry` is still what was read, and begins to read it where it is not. */
static void refresh(Library *self, Entry *entry)
{
	g_autoptr(GError) error = NULL;
	FileIdentity now = { 0 };
	bool is_there = identify_all(self, entry, &now, &error);

	if (entry->state == RECORDING_READING)
		return;
	if (entry->state != RECORDING_UNKNOWN && is_there &&
	    file_identity_equal(&now, &entry->identity))
		return;
	entry_forget(entry);
	entry->identity = now;
	g_atomic_int_set(&entry->percent, 0);
	entry->state = is_there ? RECORDING_READING : RECORDING_FAILED;
	if (is_there)
		g_thread_pool_push(self->reader, entry, NULL);
	else
		entry->error = g_strdup(error->message);
}

static char *make_version(const FileIdentity *identity)
{
	return g_strdup_printf("%" G_GINT64_MODIFIER "x-%" G_GINT64_MODIFIER "x-%" G_GINT64_MODIFIER
			       "x-%" G_GINT64_MODIFIER "x",
			       identity->device, identity->inode, identity->size,
			       identity->mtime_ns);
}

void library_open(Library *self, const char *id, OpenRecording *recording)
{
	gint64 deadline = g_get_monotonic_time() + PATIENCE_US;
	Entry *entry;

	*recording = (OpenRecording){ .state = RECORDING_UNKNOWN };
	g_mutex_lock(&self->lock);
	entry = find(self, id);
	if (entry != NULL) {
		refresh(self, entry);
		while (entry->state == RECORDING_READING &&
		       g_cond_wait_until(&self->changed, &self->lock, deadline))
			;
		recording->state = entry->state;
		recording->paths = g_strdupv(entry->paths);
		recording->version = make_version(&entry->identity);
		recording->store = entry->store != NULL ? store_ref(entry->store) : NULL;
		recording->error = g_strdup(entry->error);
	}
	g_mutex_unlock(&self->lock);
}

void open_recording_clear(OpenRecording *self)
{
	g_clear_pointer(&self->paths, g_strfreev);
	g_clear_pointer(&self->version, g_free);
	g_clear_pointer(&self->store, store_free);
	g_clear_pointer(&self->error, g_free);
}

/* --- the list ---------------------------------------------------------------------------- */

static json_t *text_json(const char *text)
{
	g_autofree char *valid = g_utf8_make_valid(text, -1);

	return json_string(valid);
}

/* Not asked for yet, but it can be told already that it cannot be read. */
static json_t *entry_json(const Library *self, const Entry *entry)
{
	static const char *const states[] = { "listed", "reading", "failed", "ready" };
	g_autoptr(GError) error = NULL;
	FileIdentity now = { 0 };
	bool is_there = identify_all(self, entry, &now, &error);
	const char *reason = is_there ? entry->error : error->message;
	json_t *row = json_object(), *paths = json_array();

	for (char **path = entry->paths; *path != NULL; path++)
		json_array_append_new(paths, text_json(*path));
	json_object_set_new(row, "id", json_string(entry->id));
	json_object_set_new(row, "name", text_json(entry->name));
	json_object_set_new(row, "paths", paths);
	json_object_set_new(row, "state", json_string(is_there ? states[entry->state] : "failed"));
	json_object_set_new(row, "error", reason != NULL ? text_json(reason) : json_null());
	json_object_set_new(row, "percent", json_integer(g_atomic_int_get(&entry->percent)));
	json_object_set_new(row, "bytes", json_integer((json_int_t)now.size));
	return row;
}

char *library_list(Library *self, const char *const *commands)
{
	json_t *rows = json_array(), *list = json_object(), *names = json_array();
	char *text;

	g_mutex_lock(&self->lock);
	list_again(self);
	for (guint i = 0; i < self->entries->len; i++)
		json_array_append_new(rows, entry_json(self, g_ptr_array_index(self->entries, i)));
	g_mutex_unlock(&self->lock);
	json_object_set_new(list, "schema", json_string("flamebeat/recordings/1"));
	for (; *commands != NULL; commands++)
		json_array_append_new(names, json_string(*commands));
	json_object_set_new(list, "commands", names);
	json_object_set_new(list, "recordings", rows);
	text = json_dumps(list, JSON_COMPACT);
	json_decref(list);
	return text;
}

Library *library_new(char *const *paths, GError **error)
{
	Library *self;

	for (char *const *path = paths; *path != NULL; path++)
		if (!g_file_test(*path, G_FILE_TEST_EXISTS)) {
			fail(error, FLAMEBEAT_ERROR_FAILED, "%s: no such file or folder", *path);
			return NULL;
		}
	self = g_new0(Library, 1);
	g_mutex_init(&self->lock);
	g_cond_init(&self->changed);
	self->paths = g_strdupv((char **)paths);
	self->entries = g_ptr_array_new_with_free_func(entry_free);
	self->reader = g_thread_pool_new(read_entry, self, 1, FALSE, NULL);
	store_cache_prune();
	list_again(self);
	return self;
}

void library_free(Library *self)
{
	if (self == NULL)
		return;
	g_atomic_int_set(&self->is_stopping, 1);
	g_thread_pool_free(self->reader, TRUE, TRUE);
	g_ptr_array_unref(self->entries);
	g_strfreev(self->paths);
	g_cond_clear(&self->changed);
	g_mutex_clear(&self->lock);
	g_free(self);
}
