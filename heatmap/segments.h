/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Stretches of a series of counts that stand out against what is expected. Counts are taken for
 * Poisson's. A stretch of x samples where e are expected scores by the log-likelihood ratio
 * x ln(x / e) - (x - e).
 */

/* Buckets [begin, end). */
typedef struct {
	size_t begin, end;
	double samples, expected;
	double score; /* in nats */
} Segment;

#define SEGMENT_SCALES 40

typedef struct {
	const uint32_t *counts;
	const float *expected; /* 0 where nothing is known: no segment reaches into that */
	size_t n;
	/* By the logarithm (base 2) of a length in buckets: variance over mean of counts of that
	 * length without any spike, at least 1; what a segment must score grows with it. NULL: all
	 * 1. */
	const double *dispersion;
	bool is_lack;	   /* looks for too few instead of too many */
	double min_score;  /* of a segment */
	size_t max_length; /* buckets */
} SegmentSearch;

/* Buckets [begin, end) with their sums and score. */
Segment segment_over(const SegmentSearch *search, size_t begin, size_t end);

/* Whether its score is no chance. */
bool segment_stands_out(const SegmentSearch *search, const Segment *segment);

/*
 * The segments that together explain the counts best (largest sum of scores, less min_score each);
 * ascending, disjoint; appended to `out`, of Segment. Those of too many are split where there are
 * gaps in them (segments-split.h). Linear in buckets.
 */
void segments_find(const SegmentSearch *search, GArray *out);

/* Of `segments`, which it sorts and which may overlap, those of the largest sum of scores, less
 * `price` each, that do not; ascending, appended to `out`. */
void segments_choose(GArray *segments, double price, GArray *out);

/* The score that chance reaches in `n` buckets once in 1 / `alpha` series. */
double segments_min_score(double n, double alpha);
