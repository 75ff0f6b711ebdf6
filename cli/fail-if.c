/* SPDX-License-Identifier: MIT */
/* One comparison an option: what more could be said is said with several of them. */

#include "cli/fail-if.h"

#include <math.h>
#include <string.h>

#include "store/error.h"

typedef enum { OP_MORE_EQUAL, OP_LESS_EQUAL, OP_UNEQUAL, OP_MORE, OP_LESS, OP_EQUAL, N_OPS } Op;

/* Longer ones first, since they begin with shorter ones. */
static const char *const ops[N_OPS] = { ">=", "<=", "!=", ">", "<", "=" };

typedef struct {
	char *text; /* as the user wrote it */
	int metric;
	Op op;
	double limit;
} Condition;

static void condition_free(gpointer data)
{
	Condition *self = data;

	g_free(self->text);
	g_free(self);
}

static const char *skip_blanks(const char *text)
{
	return text + strspn(text, " \t");
}

static bool read_metric(const char **text, const FailMetric *metrics, int *metric)
{
	size_t len = strcspn(*text, " \t<>=!");

	for (int i = 0; metrics[i].name != NULL; i++) {
		if (strlen(metrics[i].name) != len || strncmp(metrics[i].name, *text, len) != 0)
			continue;
		*metric = i;
		*text = skip_blanks(*text + len);
		return true;
	}
	return false;
}

static bool read_op(const char **text, Op *op)
{
	for (int i = 0; i < N_OPS; i++) {
		if (!g_str_has_prefix(*text, ops[i]))
			continue;
		*op = (Op)i;
		*text = skip_blanks(*text + strlen(ops[i]));
		return true;
	}
	return false;
}

static bool read_limit(const char *text, double *limit)
{
	char *end;

	*limit = g_ascii_strtod(text, &end);
	if (end == text || !isfinite(*limit))
		return false;
	end = (char *)skip_blanks(end);
	return *skip_blanks(*end == '%' ? end + 1 : end) == '\0';
}

static bool fail_syntax(const FailMetric *metrics, const char *text, GError **error)
{
	g_autoptr(GString) names = g_string_new(NULL);

	for (; metrics->name != NULL; metrics++)
		g_string_append_printf(names, "%s%s", names->len > 0 ? ", " : "", metrics->name);
	return fail(error, FLAMEBEAT_ERROR_USAGE,
		    "--fail-if: expected a condition such as '%s > 2' (of %s; > >= < <= = !=), got "
		    "'%s'",
		    metrics[-1].name, names->str, text);
}

bool fail_if_add(FailConditions **conditions, const FailMetric *metrics, const char *text,
		 GError **error)
{
	Condition condition = { 0 };
	const char *rest = skip_blanks(text);

	if (!read_metric(&rest, metrics, &condition.metric) || !read_op(&rest, &condition.op) ||
	    !read_limit(rest, &condition.limit))
		return fail_syntax(metrics, text, error);
	condition.text = g_strdup(text);
	if (*conditions == NULL)
		*conditions = g_ptr_array_new_with_free_func(condition_free);
	g_ptr_array_add(*conditions, g_memdup2(&condition, sizeof(condition)));
	return true;
}

static bool holds(const Condition *self, double value)
{
	switch (self->op) {
	case OP_MORE_EQUAL:
		return value >= self->limit;
	case OP_LESS_EQUAL:
		return value <= self->limit;
	case OP_UNEQUAL:
		return value < self->limit || value > self->limit;
	case OP_MORE:
		return value > self->limit;
	case OP_LESS:
		return value < self->limit;
	default:
		return value >= self->limit && value <= self->limit;
	}
}

bool fail_if_check(const FailConditions *conditions, FailValueFunc value, const void *context,
		   GError **error)
{
	for (guint i = 0; conditions != NULL && i < conditions->len; i++) {
		const Condition *condition = g_ptr_array_index(conditions, i);
		double found = value(context, condition->metric);
		char text[G_ASCII_DTOSTR_BUF_SIZE];

		if (!holds(condition, found))
			continue;
		g_ascii_formatd(text, sizeof(text), "%.4g", found);
		return fail(error, FLAMEBEAT_ERROR_HOLDS, "--fail-if '%s' holds: it is %s",
			    condition->text, text);
	}
	return true;
}
