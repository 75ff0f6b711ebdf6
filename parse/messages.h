/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdbool.h>

#include "store/text.h"

/* Whether `line` is one of the messages that perf prints on standard error, which end up among
 * its output by `2>&1`. */
bool message_is_known(Text line);

/* `Processed 1234 samples and lost 5.67%!` */
bool message_is_of_loss(Text line);
