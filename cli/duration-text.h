/* SPDX-License-Identifier: MIT */
#pragma once

/* A duration as people write it, in three or four digits: "48 ms", "0.7003 s", "5 min". g_free()
 * it. */
char *duration_text(double ns);
