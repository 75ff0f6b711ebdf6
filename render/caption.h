/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdint.h>

#include "store/time-range.h"

/*
 * What a picture says about where it comes from. Made by the command, drawn by every exporter;
 * strings are borrowed, may hold any bytes, and may be NULL where nothing is known.
 */
typedef struct {
	const char *title;    /* headline: the user's --title, else the recording's name */
	const char *subtitle; /* second line: range, event, rate, CPUs, samples, what was dropped */
	const char *source;   /* file name(s) of the input */
	const char *options;  /* what was asked for, as command-line words: traces the picture */
	const char *unit;     /* of a weight: "samples", … */
	const char *event;
	int64_t zero_ns; /* what is labelled 0, on the recording's clock */
} Caption;
