/* SPDX-License-Identifier: MIT */
/*
 * pprof's format: a gzip'd message `perftools.profiles.Profile`
 * (https://github.com/google/pprof/blob/main/proto/profile.proto, whose field numbers these are). A
 * location is a displayed frame, a mapping a DSO; addresses are left out, since text from perf
 * mixes absolute and relative ones. Samples of one stack, thread and CPU are one, with those as
 * labels.
 */

#include "render/formats.h"

#include "render/gzip-writer.h"
#include "render/protobuf.h"
#include "render/text-escape.h"
#include "slice/sample-table.h"
#include "store/string-table.h"

enum { /* Profile */
       PROFILE_SAMPLE_TYPE = 1,
       PROFILE_SAMPLE = 2,
       PROFILE_MAPPING = 3,
       PROFILE_LOCATION = 4,
       PROFILE_FUNCTION = 5,
       PROFILE_STRING = 6,
       PROFILE_TIME_NANOS = 9,
       PROFILE_DURATION_NANOS = 10,
       PROFILE_PERIOD_TYPE = 11,
       PROFILE_PERIOD = 12,
       PROFILE_COMMENT = 13,
       PROFILE_DEFAULT_SAMPLE_TYPE = 14,
};
enum { TYPE_TYPE = 1, TYPE_UNIT = 2 };
enum { SAMPLE_LOCATION = 1, SAMPLE_VALUE = 2, SAMPLE_LABEL = 3 };
enum { LABEL_KEY = 1, LABEL_STRING = 2, LABEL_NUMBER = 3, LABEL_UNIT = 4 };
enum { MAPPING_ID = 1, MAPPING_FILE = 5, MAPPING_HAS_FUNCTIONS = 7 };
enum { LOCATION_ID = 1, LOCATION_MAPPING = 2, LOCATION_LINE = 4 };
enum { LINE_FUNCTION = 1 };
enum { FUNCTION_ID = 1, FUNCTION_NAME = 2, FUNCTION_SYSTEM_NAME = 3 };

typedef struct {
	GzipWriter *out;
	const Profile *profile;
	const Caption *caption;
	StringTable strings;
	GByteArray *message, *part, *list; /* scratch */
	GHashTable *mappings;		   /* string -> id of the mapping */
	uint8_t *is_used;		   /* by display: it has a location */
	bool is_weighted;		   /* a sample is many, and has no other value */
	bool has_periods;
	bool is_clock; /* periods are ns */
} Writer;

/* --- strings ------------------------------------------------------------------------------- */

static uint64_t string_id(Writer *self, Text text)
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

static uint64_t cstring_id(Writer *self, const char *text)
{
	return string_id(self, text_from(text));
}

static void begin(Writer *self)
{
	g_byte_array_set_size(self->message, 0);
}

/* Writes the message that was put together as `field` of the profile. */
static void write_message(Writer *self, uint32_t field)
{
	g_byte_array_set_size(self->part, 0);
	protobuf_put_message(self->part, field, self->message);
	gzip_writer_write(self->out, self->part->data, self->part->len);
}

static void write_number(Writer *self, uint32_t field, uint64_t value)
{
	g_byte_array_set_size(self->part, 0);
	protobuf_put_number(self->part, field, value);
	gzip_writer_write(self->out, self->part->data, self->part->len);
}

static void write_type(Writer *self, uint32_t field, const char *type, const char *unit)
{
	begin(self);
	protobuf_put_number(self->message, TYPE_TYPE, cstring_id(self, type));
	protobuf_put_number(self->message, TYPE_UNIT, cstring_id(self, unit));
	write_message(self, field);
}

/* --- samples ------------------------------------------------------------------------------- */

static void put_locations(Writer *self, uint32_t node)
{
	const CallNode *nodes = self->profile->tree->nodes;

	g_byte_array_set_size(self->list, 0);
	for (; node != 0; node = nodes[node].parent) {
		self->is_used[nodes[node].display] = 1;
		protobuf_put_varint(self->list, (uint64_t)nodes[node].display + 1);
	}
	protobuf_put_message(self->message, SAMPLE_LOCATION, self->list);
}

static void put_values(Writer *self, const SampleRow *row)
{
	g_byte_array_set_size(self->list, 0);
	protobuf_put_varint(self->list, self->is_weighted ? row->weight : row->n_samples);
	if (self->has_periods)
		protobuf_put_varint(self->list, row->weight);
	protobuf_put_message(self->message, SAMPLE_VALUE, self->list);
}

static void put_text_label(Writer *self, const char *key, Text value)
{
	if (value.len == 0)
		return;
	g_byte_array_set_size(self->list, 0);
	protobuf_put_number(self->list, LABEL_KEY, cstring_id(self, key));
	protobuf_put_number(self->list, LABEL_STRING, string_id(self, value));
	protobuf_put_message(self->message, SAMPLE_LABEL, self->list);
}

/* The unit is there because pprof takes a number 0 without one for no label at all. */
static void put_number_label(Writer *self, const char *key, int32_t value)
{
	if (value == ID_NONE)
		return;
	g_byte_array_set_size(self->list, 0);
	protobuf_put_number(self->list, LABEL_KEY, cstring_id(self, key));
	protobuf_put_number(self->list, LABEL_NUMBER, (uint64_t)(int64_t)value);
	protobuf_put_number(self->list, LABEL_UNIT, cstring_id(self, key));
	protobuf_put_message(self->message, SAMPLE_LABEL, self->list);
}

static void write_sample(Writer *self, const SampleRow *row)
{
	StoreThread thread = store_thread(self->profile->store, row->thread);

	begin(self);
	put_locations(self, row->node);
	put_values(self, row);
	put_text_label(self, "thread", thread.comm);
	put_number_label(self, "pid", thread.pid);
	put_number_label(self, "tid", thread.tid);
	put_number_label(self, "cpu", row->cpu);
	write_message(self, PROFILE_SAMPLE);
}

/* --- functions ------------------------------------------------------------------------------ */

/* Id of the mapping of a DSO, which is written when it is first met; 0: none. */
static uint64_t mapping_id(Writer *self, Text dso)
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
static void write_function(Writer *self, uint32_t display)
{
	DisplayFrame frame = frame_names_get(self->profile->tree->names, display);
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

static const char *event_type(const Writer *self)
{
	if (self->is_clock)
		return "cpu";
	return self->caption->event != NULL ? self->caption->event : "events";
}

static void write_head(Writer *self)
{
	const char *unit = self->is_clock ? "nanoseconds" : "count";

	write_type(self, PROFILE_SAMPLE_TYPE, "samples", "count");
	if (self->has_periods)
		write_type(self, PROFILE_SAMPLE_TYPE, event_type(self), unit);
	if (self->is_clock) {
		write_type(self, PROFILE_PERIOD_TYPE, "cpu", "nanoseconds");
		write_number(self, PROFILE_PERIOD, (uint64_t)self->profile->interval_ns);
	}
	write_number(self, PROFILE_DEFAULT_SAMPLE_TYPE, cstring_id(self, "samples"));
}

/* When it was is only told where that is UTC. */
static void write_times(Writer *self)
{
	const Store *store = self->profile->store;
	const WallClock *wall = selection_wall(self->profile->selection);
	size_t n;
	const TimeRange *ranges = selection_ranges(self->profile->selection, &n);
	int64_t start_ns = n > 0 ? ranges[0].begin_ns : store_start_ns(store);
	int64_t length_ns = store_last_ns(store) - store_start_ns(store) + 1;

	if (store->n_timed == 0)
		return;
	if (n > 0)
		length_ns = 0;
	for (size_t i = 0; i < n; i++)
		length_ns = time_add(length_ns, ranges[i].end_ns - ranges[i].begin_ns);
	if (wall->is_known && g_str_equal(wall->zone, "UTC"))
		write_number(self, PROFILE_TIME_NANOS,
			     (uint64_t)time_add(start_ns, wall->offset_ns));
	write_number(self, PROFILE_DURATION_NANOS, (uint64_t)length_ns);
}

static void write_comment(Writer *self, const char *label, const char *text)
{
	g_autofree char *comment = NULL;

	if (text == NULL || *text == '\0')
		return;
	comment = g_strdup_printf("%s: %s", label, text);
	write_number(self, PROFILE_COMMENT, cstring_id(self, comment));
}

static void write_tail(Writer *self)
{
	uint32_t n_displays = frame_names_count(self->profile->tree->names);

	for (uint32_t i = 0; i < n_displays; i++)
		if (self->is_used[i])
			write_function(self, i);
	write_times(self);
	write_comment(self, "recording", self->caption->source);
	write_comment(self, "flamebeat " FLAMEBEAT_VERSION, self->caption->subtitle);
	for (uint32_t i = 0; i < self->strings.ends.n; i++) {
		Text text = string_table_get(&self->strings, i);

		g_byte_array_set_size(self->part, 0);
		protobuf_put_bytes(self->part, PROFILE_STRING, text.data, text.len);
		gzip_writer_write(self->out, self->part->data, self->part->len);
	}
}

static void look_at_events(Writer *self)
{
	const Store *store = self->profile->store;
	const Column *periods = &store->columns[SECTION_PERIOD];
	const char *event = self->caption->event != NULL ? self->caption->event : "";

	self->is_weighted = store_fact_count(store, FACT_WEIGHTED) != 0;
	self->has_periods = !self->is_weighted && (periods->width > 0 || periods->base > 0);
	self->is_clock = self->has_periods && (g_str_has_prefix(event, "cpu-clock") ||
					       g_str_has_prefix(event, "task-clock"));
}

static void write_all(Writer *self, const SampleTable *table)
{
	look_at_events(self);
	write_head(self);
	for (size_t i = 0; i < table->n_rows; i++)
		write_sample(self, &table->rows[i]);
	write_tail(self);
}

bool profile_pprof(FILE *out, const Profile *profile, const Caption *caption, GError **error)
{
	g_auto(SampleTable) table = { 0 };
	g_autoptr(GByteArray) message = g_byte_array_new(), part = g_byte_array_new();
	g_autoptr(GByteArray) list = g_byte_array_new();
	g_autoptr(GHashTable) mappings = g_hash_table_new(NULL, NULL);
	g_autofree uint8_t *is_used =
		g_new0(uint8_t, (gsize)frame_names_count(profile->tree->names) + 1);
	Writer self = { .profile = profile,
			.caption = caption,
			.message = message,
			.part = part,
			.list = list,
			.mappings = mappings,
			.is_used = is_used };

	if (!sample_table_init(&table, profile, error))
		return false;
	if (!string_table_init(&self.strings))
		g_error("out of memory for names");
	self.out = gzip_writer_new(out);
	write_all(&self, &table);
	string_table_clear(&self.strings);
	return gzip_writer_finish(self.out, error);
}
