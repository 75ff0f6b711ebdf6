/* SPDX-License-Identifier: MIT */
#include "render/pprof-writer.h"

#include "render/protobuf.h"
#include "render/text-escape.h"

enum { TYPE_TYPE = 1, TYPE_UNIT = 2 };
enum { SAMPLE_LOCATION = 1, SAMPLE_VALUE = 2, SAMPLE_LABEL = 3 };
enum { LABEL_KEY = 1, LABEL_STRING = 2, LABEL_NUMBER = 3, LABEL_UNIT = 4 };
enum { MAPPING_ID = 1, MAPPING_FILE = 5, MAPPING_HAS_FUNCTIONS = 7 };
enum { LOCATION_ID = 1, LOCATION_MAPPING = 2, LOCATION_LINE = 4 };
enum { LINE_FUNCTION = 1 };
enum { FUNCTION_ID = 1, FUNCTION_NAME = 2, FUNCTION_SYSTEM_NAME = 3 };

/* --- strings ------------------------------------------------------------------------------- */

static uint64_t string_id(PprofWriter *self, Text text)
{
	g_autofree char *valid = NULL;
	uint32_t id;

	if (!g_utf8_validate_len(text.data, text.len, NULL)) {
		valid = g_utf8_make_valid(text.data, (gssize)text.len);
		text = text_from(valid);
	}
	id = string_table_add(&self->strings, text);
	if (id == ROW_NONE)
		g_error("out of memory for names");
	return id;
}

static uint64_t cstring_id(PprofWriter *self, const char *text)
{
	return string_id(self, text_from(text));
}

/* --- fields of the profile ------------------------------------------------------------------ */

static void begin(PprofWriter *self)
{
	g_byte_array_set_size(self->message, 0);
}

/* Writes the message that was put together as `field` of the profile. */
static void write_message(PprofWriter *self, uint32_t field)
{
	g_byte_array_set_size(self->part, 0);
	protobuf_put_message(self->part, field, self->message);
	gzip_writer_write(self->out, self->part->data, self->part->len);
}

void pprof_write_number(PprofWriter *self, uint32_t field, uint64_t value)
{
	g_byte_array_set_size(self->part, 0);
	protobuf_put_number(self->part, field, value);
	gzip_writer_write(self->out, self->part->data, self->part->len);
}

void pprof_write_text(PprofWriter *self, uint32_t field, const char *text)
{
	pprof_write_number(self, field, cstring_id(self, text));
}

void pprof_write_type(PprofWriter *self, uint32_t field, const char *type, const char *unit)
{
	begin(self);
	protobuf_put_number(self->message, TYPE_TYPE, cstring_id(self, type));
	protobuf_put_number(self->message, TYPE_UNIT, cstring_id(self, unit));
	write_message(self, field);
}

/* --- samples ------------------------------------------------------------------------------- */

static void put_locations(PprofWriter *self, uint32_t node)
{
	const CallNode *nodes = self->tree->nodes;

	g_byte_array_set_size(self->list, 0);
	for (; node != 0; node = nodes[node].parent) {
		self->is_used[nodes[node].display] = 1;
		protobuf_put_varint(self->list, (uint64_t)nodes[node].display + 1);
	}
	protobuf_put_message(self->message, SAMPLE_LOCATION, self->list);
}

void pprof_begin_sample(PprofWriter *self, uint32_t node, const uint64_t *values, size_t n_values)
{
	begin(self);
	put_locations(self, node);
	g_byte_array_set_size(self->list, 0);
	for (size_t i = 0; i < n_values; i++)
		protobuf_put_varint(self->list, values[i]);
	protobuf_put_message(self->message, SAMPLE_VALUE, self->list);
}

void pprof_put_text_label(PprofWriter *self, const char *key, Text value)
{
	if (value.len == 0)
		return;
	g_byte_array_set_size(self->list, 0);
	protobuf_put_number(self->list, LABEL_KEY, cstring_id(self, key));
	protobuf_put_number(self->list, LABEL_STRING, string_id(self, value));
	protobuf_put_message(self->message, SAMPLE_LABEL, self->list);
}

/* The unit is there because pprof takes a number 0 without one for no label at all. */
void pprof_put_number_label(PprofWriter *self, const char *key, int32_t value)
{
	if (value == ID_NONE)
		return;
	g_byte_array_set_size(self->list, 0);
	protobuf_put_number(self->list, LABEL_KEY, cstring_id(self, key));
	protobuf_put_number(self->list, LABEL_NUMBER, (uint64_t)(int64_t)value);
	protobuf_put_number(self->list, LABEL_UNIT, cstring_id(self, key));
	protobuf_put_message(self->message, SAMPLE_LABEL, self->list);
}

void pprof_end_sample(PprofWriter *self)
{
	write_message(self, PROFILE_SAMPLE);
}

bool pprof_is_clock(const Caption *caption)
{
	return caption->event != NULL && (g_str_has_prefix(caption->event, "cpu-clock") ||
					  g_str_has_prefix(caption->event, "task-clock"));
}

/* --- functions ------------------------------------------------------------------------------ */

/* Id of the mapping of a DSO, which is written when it is first met; 0: none. */
static uint64_t mapping_id(PprofWriter *self, Text dso)
{
	uint64_t file = string_id(self, dso);
	gpointer key = GSIZE_TO_POINTER(file), id = g_hash_table_lookup(self->mappings, key);

	if (file == 0 || id != NULL)
		return GPOINTER_TO_SIZE(id);
	id = GSIZE_TO_POINTER(g_hash_table_size(self->mappings) + 1);
	g_hash_table_insert(self->mappings, key, id);
	begin(self);
	protobuf_put_number(self->message, MAPPING_ID, GPOINTER_TO_SIZE(id));
	protobuf_put_number(self->message, MAPPING_FILE, file);
	protobuf_put_number(self->message, MAPPING_HAS_FUNCTIONS, 1);
	write_message(self, PROFILE_MAPPING);
	return GPOINTER_TO_SIZE(id);
}

/* A display is a function and its one location. */
static void write_function(PprofWriter *self, uint32_t display)
{
	DisplayFrame frame = frame_names_get(self->tree->names, display);
	uint64_t id = (uint64_t)display + 1, name = string_id(self, frame.name);
	uint64_t mapping = mapping_id(self, frame.dso);

	begin(self);
	protobuf_put_number(self->message, FUNCTION_ID, id);
	protobuf_put_number(self->message, FUNCTION_NAME, name);
	protobuf_put_number(self->message, FUNCTION_SYSTEM_NAME, name);
	write_message(self, PROFILE_FUNCTION);
	g_byte_array_set_size(self->list, 0);
	protobuf_put_number(self->list, LINE_FUNCTION, id);
	begin(self);
	protobuf_put_number(self->message, LOCATION_ID, id);
	protobuf_put_number(self->message, LOCATION_MAPPING, mapping);
	protobuf_put_message(self->message, LOCATION_LINE, self->list);
	write_message(self, PROFILE_LOCATION);
}

/* --- the whole ------------------------------------------------------------------------------ */

void pprof_writer_init(PprofWriter *self, FILE *out, const CallTree *tree)
{
	*self = (PprofWriter){ .out = gzip_writer_new(out),
			       .tree = tree,
			       .message = g_byte_array_new(),
			       .part = g_byte_array_new(),
			       .list = g_byte_array_new(),
			       .mappings = g_hash_table_new(NULL, NULL),
			       .is_used =
				       g_new0(uint8_t, (gsize)frame_names_count(tree->names) + 1) };
	if (!string_table_init(&self->strings))
		g_error("out of memory for names");
}

static void write_comment(PprofWriter *self, const char *label, const char *text)
{
	g_autofree char *comment = NULL;

	if (text == NULL || *text == '\0')
		return;
	comment = g_strdup_printf("%s: %s", label, text);
	pprof_write_text(self, PROFILE_COMMENT, comment);
}

static void write_tail(PprofWriter *self, const Caption *caption)
{
	uint32_t n_displays = frame_names_count(self->tree->names);

	for (uint32_t i = 0; i < n_displays; i++)
		if (self->is_used[i])
			write_function(self, i);
	write_comment(self, "recording", caption->source);
	write_comment(self, "flamebeat " FLAMEBEAT_VERSION, caption->subtitle);
	for (uint32_t i = 0; i < self->strings.ends.n; i++) {
		Text text = string_table_get(&self->strings, i);

		g_byte_array_set_size(self->part, 0);
		protobuf_put_bytes(self->part, PROFILE_STRING, text.data, text.len);
		gzip_writer_write(self->out, self->part->data, self->part->len);
	}
}

bool pprof_writer_finish(PprofWriter *self, const Caption *caption, GError **error)
{
	write_tail(self, caption);
	string_table_clear(&self->strings);
	g_byte_array_unref(self->message);
	g_byte_array_unref(self->part);
	g_byte_array_unref(self->list);
	g_hash_table_unref(self->mappings);
	g_free(self->is_used);
	return gzip_writer_finish(self->out, error);
}
