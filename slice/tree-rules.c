/* SPDX-License-Identifier: MIT */
/* The options that choose frames, and a byte for each displayed frame that was asked about. */

#include "slice/tree-rules.h"

#include "store/patterns.h"

/* --- options ----------------------------------------------------------------------------- */

static bool set_focus(void *settings, const char *value, GError **error)
{
	return patterns_append(&((TreeRules *)settings)->focus, "focus", value, error);
}

static bool set_root_at(void *settings, const char *value, GError **error)
{
	return patterns_append(&((TreeRules *)settings)->root_at, "root-at", value, error);
}

static bool set_hide(void *settings, const char *value, GError **error)
{
	return patterns_append(&((TreeRules *)settings)->hide, "hide", value, error);
}

static bool set_collapse_recursion(void *settings, const char *value, GError **error)
{
	((TreeRules *)settings)->collapse_recursion = true;
	return true;
}

static bool set_max_depth(void *settings, const char *value, GError **error)
{
	return option_integer("max-depth", value, 1, G_MAXUINT32,
			      &((TreeRules *)settings)->max_depth, error);
}

const OptionRow tree_rule_options[] = {
	{ "focus", 0, "RE", "cut off the callers of the first frame that matches; repeatable",
	  set_focus },
	{ "root-at", 0, "RE", "keep only that frame and what is under it; repeatable",
	  set_root_at },
	{ "hide", 0, "RE", "splice out the frames that match; repeatable", set_hide },
	{ "collapse-recursion", 0, NULL, "a function that calls itself is one frame",
	  set_collapse_recursion },
	{ "max-depth", 0, "N", "at most N frames of a stack, from where merging begins",
	  set_max_depth },
	{ NULL, 0, NULL, NULL, NULL },
};

void tree_rules_clear(TreeRules *self)
{
	g_clear_pointer(&self->focus, g_ptr_array_unref);
	g_clear_pointer(&self->root_at, g_ptr_array_unref);
	g_clear_pointer(&self->hide, g_ptr_array_unref);
}

/* --- verdicts ---------------------------------------------------------------------------- */

#define VERDICT_KNOWN 0x80

struct TreeJudge {
	const FrameNames *names;
	bool has_roots, has_hidden;
	Patterns focus, root_at, hide;
	GByteArray *verdicts; /* by display; 0: not asked yet */
};

TreeJudge *tree_judge_new(const TreeRules *rules, FrameNames *names)
{
	TreeJudge *self = g_new0(TreeJudge, 1);

	self->names = names;
	self->has_roots = rules->focus != NULL || rules->root_at != NULL;
	self->has_hidden = rules->hide != NULL;
	patterns_init(&self->focus, "focus", rules->focus);
	patterns_init(&self->root_at, "root-at", rules->root_at);
	patterns_init(&self->hide, "hide", rules->hide);
	self->verdicts = g_byte_array_new();
	return self;
}

bool tree_judge_finish(TreeJudge *self, GError **error)
{
	Patterns *all[] = { &self->focus, &self->root_at, &self->hide };
	bool ok = true;

	for (size_t i = 0; i < G_N_ELEMENTS(all); i++)
		ok = patterns_finish(all[i], ok ? error : NULL) && ok;
	g_byte_array_unref(self->verdicts);
	g_free(self);
	return ok;
}

bool tree_judge_has_roots(const TreeJudge *self)
{
	return self->has_roots;
}

bool tree_judge_has_hidden(const TreeJudge *self)
{
	return self->has_hidden;
}

static uint8_t judge(TreeJudge *self, Text name)
{
	uint8_t verdict = 0;

	if (patterns_match(&self->focus, name) || patterns_match(&self->root_at, name))
		verdict |= FRAME_IS_ROOT;
	if (patterns_match(&self->hide, name))
		verdict |= FRAME_IS_HIDDEN;
	return verdict;
}

uint8_t tree_judge_display(TreeJudge *self, uint32_t display)
{
	guint n = self->verdicts->len;

	if (display >= n) {
		g_byte_array_set_size(self->verdicts, MAX(2 * n, display + 1));
		memset(self->verdicts->data + n, 0, self->verdicts->len - n);
	}
	if (self->verdicts->data[display] == 0)
		self->verdicts->data[display] =
			VERDICT_KNOWN | judge(self, frame_names_get(self->names, display).name);
	return self->verdicts->data[display] & (uint8_t)~VERDICT_KNOWN;
}
