/* SPDX-License-Identifier: MIT */
/* Counting what is not used. */

#include "parse/skips.h"

const char *skip_reason_name(SkipReason reason)
{
	static const char *const names[N_SKIPS] = {
		"no line that perf script prints",
		"a frame before any event line",
		"longer than 1 MiB",
		"a message of perf's",
		"no weight at the end",
	};

	return names[reason];
}

void skips_add(Skips *self, uint64_t line, SkipReason reason)
{
	self->counts[reason]++;
	if (self->first == 0 && reason != SKIP_MESSAGE) {
		self->first = line;
		self->first_reason = reason;
	}
	if (self->n_examples < SKIP_EXAMPLES) {
		self->examples[self->n_examples].line = line;
		self->examples[self->n_examples].reason = reason;
		self->n_examples++;
	}
}

void skips_append(Skips *self, const Skips *next, uint64_t first_line)
{
	for (int i = 0; i < N_SKIPS; i++)
		self->counts[i] += next->counts[i];
	if (self->first == 0 && next->first != 0) {
		self->first = next->first + first_line;
		self->first_reason = next->first_reason;
	}
	for (uint32_t i = 0; i < next->n_examples && self->n_examples < SKIP_EXAMPLES; i++) {
		self->examples[self->n_examples] = next->examples[i];
		self->examples[self->n_examples++].line += first_line;
	}
}

uint64_t skips_total(const Skips *self)
{
	uint64_t total = 0;

	for (int i = 0; i < N_SKIPS; i++)
		total += self->counts[i];
	return total;
}

uint64_t skips_shortfall(const Skips *self)
{
	return skips_total(self) - self->counts[SKIP_MESSAGE];
}

void skips_record(const Skips *self, StoreBuilder *builder, uint32_t *n_recorded)
{
	for (int i = 0; i < N_SKIPS; i++) {
		g_autofree char *key =
			g_strconcat(FACT_SKIPPED, skip_reason_name((SkipReason)i), NULL);

		if (self->counts[i] > 0)
			store_builder_add_count(builder, key, self->counts[i]);
	}
	for (uint32_t i = 0; i < self->n_examples && *n_recorded < SKIP_EXAMPLES; i++) {
		g_autofree char *key = g_strdup_printf(FACT_SKIPPED_LINE "%u", (*n_recorded)++);
		g_autofree char *value = g_strdup_printf(
			"%s:%" G_GUINT64_FORMAT ": %s", self->file, self->examples[i].line,
			skip_reason_name(self->examples[i].reason));

		store_builder_set_fact(builder, key, text_from(value));
	}
}
