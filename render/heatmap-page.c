/* SPDX-License-Identifier: MIT */
/*
 * The data is one JSON object, its length before it in 32 bits, and the streams that it lists, all
 * deflated as one (docs/page-format.md); browsers unpack that themselves.
 */

#include "render/heatmap-page.h"

#include <inttypes.h>
#include <string.h>
#include <zlib.h>

#include <gio/gio.h>

#include "render/json-writer.h"
#include "render/text-escape.h"
#include "slice/group.h"
#include "store/error.h"
#include "web-static/page-resource.h"

#define SCHEMA	 "flamebeat/page/1"
#define CHUNK	 (48 * 1024) /* a multiple of 3, so that base64 needs no padding within */
#define LINK	 "<link rel=\"stylesheet\" href=\"style.css\">"
#define ICON	 "<link rel=\"icon\" href=\"icon.svg\">"
#define SCRIPT	 "<script type=\"module\" src=\"main.js\"></script>"
#define BODY_END "</body>"
#define POLICY	 "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "

/* --- base64 of deflate, as it comes ------------------------------------------------------ */

typedef struct {
	FILE *out;
	z_stream stream;
	uint8_t packed[CHUNK];
	gint state, save; /* of base64 */
} Packer;

static bool packer_init(Packer *self, FILE *out)
{
	memset(self, 0, sizeof(*self));
	self->out = out;
	return deflateInit(&self->stream, Z_BEST_COMPRESSION) == Z_OK;
}

static void write_packed(Packer *self, size_t n)
{
	g_autofree char *text = g_malloc(n * 4 / 3 + n * 4 / (3 * 72) + 16);
	gsize len = g_base64_encode_step(self->packed, n, FALSE, text, &self->state, &self->save);

	fwrite(text, 1, len, self->out);
}

static void pack(Packer *self, const void *data, size_t size, int flush)
{
	self->stream.next_in = (Bytef *)data;
	self->stream.avail_in = (uInt)size;
	do {
		self->stream.next_out = self->packed;
		self->stream.avail_out = sizeof(self->packed);
		deflate(&self->stream, flush);
		write_packed(self, sizeof(self->packed) - self->stream.avail_out);
	} while (self->stream.avail_out == 0);
}

static void packer_finish(Packer *self)
{
	char text[8];

	pack(self, NULL, 0, Z_FINISH);
	fwrite(text, 1, g_base64_encode_close(FALSE, text, &self->state, &self->save), self->out);
	deflateEnd(&self->stream);
}

/* Any size, in pieces that zlib can count. */
static void pack_bytes(Packer *self, const void *data, size_t size)
{
	const uint8_t *bytes = data;

	for (size_t n; size > 0; bytes += n, size -= n) {
		n = MIN(size, (size_t)1 << 30);
		pack(self, bytes, n, Z_NO_FLUSH);
	}
}

/* --- the JSON ---------------------------------------------------------------------------- */

static void write_comma(FILE *out, bool is_first)
{
	if (!is_first)
		putc_unlocked(',', out);
}

static void write_names(FILE *out, const Blocks *blocks)
{
	fputs(",\"names\":[", out);
	for (uint32_t i = 0; i < blocks->n_displays; i++) {
		write_comma(out, i == 0);
		json_write_string(out, frame_names_get(blocks->names, blocks->displays[i]).name);
	}
	fputs("],\"kinds\":[", out);
	for (uint32_t i = 0; i < blocks->n_displays; i++) {
		write_comma(out, i == 0);
		json_write_u64(out, frame_names_get(blocks->names, blocks->displays[i]).class);
	}
	putc_unlocked(']', out);
}

static void write_id(FILE *out, const char *key, int32_t id)
{
	fprintf(out, ",\"%s\":", key);
	if (id == ID_NONE)
		fputs("null", out);
	else
		json_write_i64(out, id);
}

/* First frames by every grouping that a thread decides, and what filters look at. */
static void write_threads(FILE *out, const PageData *data)
{
	static const struct {
		const char *key;
		GroupBy by;
		bool keep_blanks;
	} groupings[] = {
		{ "comm", GROUP_BY_COMM, false }, { "pid", GROUP_BY_PID, false },
		{ "tid", GROUP_BY_TID, false },	  { "process", GROUP_BY_PROCESS, false },
		{ "pool", GROUP_BY_POOL, false }, { "process_name", GROUP_BY_PROCESS, true },
	};
	const Blocks *blocks = data->blocks;

	fputs(",\"threads\":{\"list\":[", out);
	for (uint32_t i = 0; i < blocks->n_threads; i++) {
		StoreThread thread = store_thread(data->store, blocks->threads[i]);

		write_comma(out, i == 0);
		fputs("{\"comm\":", out);
		json_write_string(out, thread.comm);
		write_id(out, "pid", thread.pid);
		write_id(out, "tid", thread.tid);
		putc_unlocked('}', out);
	}
	fputs("],\"groups\":{", out);
	for (size_t g = 0; g < G_N_ELEMENTS(groupings); g++) {
		g_autoptr(Groups) groups =
			groups_new(data->store, groupings[g].by, groupings[g].keep_blanks);
		const uint32_t *by_thread = groups_grouping(groups).by_thread;

		fprintf(out, "%s\"%s\":[", g > 0 ? "," : "", groupings[g].key);
		for (uint32_t i = 0; i < blocks->n_threads; i++) {
			write_comma(out, i == 0);
			json_write_string(out, groups_name(groups, by_thread[blocks->threads[i]]));
		}
		putc_unlocked(']', out);
	}
	fputs("}}", out);
}

static void write_events(FILE *out, const Blocks *blocks)
{
	fputs(",\"events\":[", out);
	for (guint i = 0; i < blocks->events->len; i++) {
		const BlockEvent *event = g_ptr_array_index(blocks->events, i);

		write_comma(out, i == 0);
		fputs("{\"name\":", out);
		json_write_cstring(out, event->name);
		fprintf(out, ",\"samples\":%" PRIu64 ",\"blocks\":%" PRIu64 "}", event->n_samples,
			event->n_blocks);
	}
	putc_unlocked(']', out);
}

/* The streams in the order they follow. */
static GPtrArray *list_streams(const Blocks *blocks)
{
	GPtrArray *streams = g_ptr_array_new();

	g_ptr_array_add(streams, blocks->node_parents);
	g_ptr_array_add(streams, blocks->node_displays);
	g_ptr_array_add(streams, blocks->stack_nodes);
	g_ptr_array_add(streams, blocks->stack_threads);
	g_ptr_array_add(streams, blocks->pair_threads);
	for (guint i = 0; i < blocks->events->len; i++) {
		const BlockEvent *event = g_ptr_array_index(blocks->events, i);

		g_ptr_array_add(streams, event->gaps);
		g_ptr_array_add(streams, event->counts);
		g_ptr_array_add(streams, event->low);
		g_ptr_array_add(streams, event->high);
		g_ptr_array_add(streams, event->who);
	}
	return streams;
}

static void write_string(FILE *out, const char *key, const char *value)
{
	fprintf(out, ",\"%s\":", key);
	json_write_cstring(out, value != NULL ? value : "");
}

static void write_recording(FILE *out, const PageData *data)
{
	const Store *store = data->store;
	const WallClock *wall = selection_wall(data->selection);
	Text host = store_fact(store, "hostname");
	int64_t zero = selection_zero_ns(data->selection);

	fprintf(out,
		",\"zero_ns\":\"%" PRId64 "\",\"start\":%" PRId64 ",\"end\":%" PRId64
		",\"samples\":%" PRIu64 ",\"cpus\":%" PRIu64 ",\"sample_freq\":%" PRIu64
		",\"lost\":%" PRIu64,
		zero, store_start_ns(store) - zero, store_last_ns(store) + 1 - zero,
		store->n_samples, store_fact_count(store, "nrcpus online"),
		store_fact_count(store, "sample_freq"), store_fact_count(store, FACT_LOST));
	fputs(",\"hostname\":", out);
	json_write_string(out, host);
	if (wall->is_known)
		fprintf(out, ",\"wall_zero_ns\":\"%" PRId64 "\"", zero + wall->offset_ns);
}

static char *make_json(const PageData *data, const Caption *caption, const GPtrArray *streams,
		       size_t *size)
{
	const Blocks *blocks = data->blocks;
	char *text = NULL;
	FILE *out = open_memstream(&text, size);

	if (out == NULL)
		return NULL;
	fprintf(out, "{\"schema\":\"" SCHEMA "\",\"block_ns\":%" PRId64 ",\"first_block\":%" PRId64,
		blocks->block_ns, blocks->first_block);
	fprintf(out, ",\"n_pairs\":%u,\"n_stacks\":%u,\"n_nodes\":%u", blocks->n_pairs,
		blocks->n_stacks, blocks->n_nodes);
	write_string(out, "title", caption->title);
	write_string(out, "subtitle", caption->subtitle);
	write_string(out, "source", caption->source);
	write_string(out, "options", caption->options);
	write_recording(out, data);
	write_events(out, blocks);
	write_threads(out, data);
	write_names(out, blocks);
	fputs(",\"streams\":[", out);
	for (guint i = 0; i < streams->len; i++) {
		write_comma(out, i == 0);
		json_write_u64(out, ((const GByteArray *)g_ptr_array_index(streams, i))->len);
	}
	fputs("]}", out);
	return fclose(out) == 0 ? text : NULL;
}

/* --- the page ---------------------------------------------------------------------------- */

static bool write_data(FILE *out, const PageData *data, const Caption *caption, GError **error)
{
	g_autoptr(GPtrArray) streams = list_streams(data->blocks);
	g_autofree Packer *packer = g_new(Packer, 1);
	size_t size = 0;
	char *json = make_json(data, caption, streams, &size);
	uint32_t length = GUINT32_TO_LE((uint32_t)size);

	if (json == NULL || !packer_init(packer, out)) {
		free(json);
		return fail(error, FLAMEBEAT_ERROR_FAILED, "out of memory");
	}
	fputs("<script type=\"application/octet-stream\" id=\"data\">", out);
	pack_bytes(packer, &length, sizeof(length));
	pack_bytes(packer, json, size);
	for (guint i = 0; i < streams->len; i++) {
		const GByteArray *stream = g_ptr_array_index(streams, i);

		pack_bytes(packer, stream->data, stream->len);
	}
	packer_finish(packer);
	fputs("</script>\n", out);
	free(json);
	return true;
}

static const char *resource_text(const char *name, gsize *size)
{
	g_autofree char *path = g_strconcat("/flamebeat/page/", name, NULL);
	GBytes *bytes = g_resource_lookup_data(page_resource_get_resource(), path,
					       G_RESOURCE_LOOKUP_FLAGS_NONE, NULL);
	const char *text;

	g_assert(bytes != NULL);
	text = g_bytes_get_data(bytes, size);
	g_bytes_unref(bytes); /* the resource keeps them */
	return text;
}

/* 'sha256-…' of an inline element, for the policy. */
static void write_hash(FILE *out, const char *text, gsize size)
{
	g_autoptr(GChecksum) checksum = g_checksum_new(G_CHECKSUM_SHA256);
	uint8_t digest[32];
	gsize len = sizeof(digest);
	g_autofree char *base64 = NULL;

	g_checksum_update(checksum, (const guchar *)text, (gssize)size);
	g_checksum_get_digest(checksum, digest, &len);
	base64 = g_base64_encode(digest, len);
	fprintf(out, "'sha256-%s'", base64);
}

/* Up to `mark` in `*at`, which is moved behind it. */
static void write_until(FILE *out, const char **at, const char *mark)
{
	const char *end = strstr(*at, mark);

	g_assert(end != NULL);
	fwrite(*at, 1, (size_t)(end - *at), out);
	*at = end + strlen(mark);
}

bool heatmap_page(FILE *out, const PageData *data, const Caption *caption, GError **error)
{
	gsize style_size, script_size, page_size;
	const char *style = resource_text("style.css", &style_size);
	const char *script = resource_text("page.js", &script_size);
	const char *at = resource_text("index.html", &page_size);

	write_until(out, &at, ICON);
	fputs(POLICY "img-src blob: data:; script-src ", out);
	write_hash(out, script, script_size);
	fputs("; style-src ", out);
	write_hash(out, style, style_size);
	fputs("\">\n<meta name=\"generator\" content=\"flamebeat " FLAMEBEAT_VERSION "\">\n<style>",
	      out);
	fwrite(style, 1, style_size, out);
	fputs("</style>", out);
	write_until(out, &at, LINK);
	write_until(out, &at, SCRIPT);
	write_until(out, &at, BODY_END);
	if (!write_data(out, data, caption, error))
		return false;
	fputs("<script>", out);
	fwrite(script, 1, script_size, out);
	fputs("</script>\n" BODY_END, out);
	fputs(at, out);
	return true;
}
