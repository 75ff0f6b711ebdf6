/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdbool.h>

#include "parse/frame-line.h"

/* What may follow the event on its line (shared reference formats.md, 1.2 and 1.5): the payload of
 * a tracepoint, which is anybody's text, a cgroup, or the one frame of a sample without call
 * chain. */

/*
 * The one frame: after the event two blanks, 16 columns of address, symbol and DSO; after an
 * address of data or a payload it is the last such thing. Registers, branches and instructions
 * behind it are cut off. False: there is none.
 */
bool payload_frame(Text payload, FrameLine *frame);

/* `-F +cgroup`: a path behind the event and its blanks, and nothing but a frame may follow it.
 * Takes it off the payload; an empty text: none is printed. */
Text payload_take_cgroup(Text *payload);
