/* SPDX-License-Identifier: MIT */
#pragma once

#include <stddef.h>
#include <stdint.h>

/*
 * Exact statistics of two counts. Own code, since the libraries that have it (GSL) are GPL.
 * Beyond 1e10 things, or a variance of 1e8, distributions that are the same by then take over.
 * All p-values are two-sided: twice the smaller tail, at most 1; swapping the sides changes
 * nothing.
 */

/* A count and what it is out of: for shares the number of samples, for rates any exposure. */
typedef struct {
	double count;
	double exposure; /* above 0 */
} Observed;

/*
 * Fisher's exact test of two shares: of `n_a` things `a` are of a kind, of `n_b` things `b`.
 * R. A. Fisher, Statistical Methods for Research Workers (1934), §21.02.
 */
double fisher_test(uint64_t a, uint64_t n_a, uint64_t b, uint64_t n_b);

/*
 * Exact conditional test of two Poisson rates: given a + b, `a` is binomial with
 * exposure_a / (exposure_a + exposure_b). J. Przyborowski, H. Wilenski, Biometrika 31 (1940), 313.
 */
double poisson_rates_test(Observed a, Observed b);

/* The smallest p-value that either test can have where the counts of both sides together are
 * `n`, so that it is known beforehand which tests are worth making. */
double fisher_least(uint64_t n, uint64_t n_a, uint64_t n_b);
double poisson_rates_least(double n, double exposure_a, double exposure_b);

/*
 * 95 % interval of the ratio of two rates, (a / exposure_a) / (b / exposure_b): Clopper and
 * Pearson's for the binomial share of poisson_rates_test(), turned into a ratio (C. J. Clopper,
 * E. S. Pearson, Biometrika 26 (1934), 404). `*high` is INFINITY where b is 0.
 */
void rate_ratio_interval(Observed a, Observed b, double *low, double *high);

/*
 * The p-value `p` of a test that assumed counting noise alone, where the variance is `factor`
 * times as large, estimated with `freedom` degrees of freedom (quasi-likelihood: the test's
 * normal deviate is divided by the root of the factor and looked up in Student's t;
 * P. McCullagh, J. A. Nelder, Generalized Linear Models (1989), §4.5). factor >= 1.
 */
double p_with_variance(double p, double factor, double freedom);

/*
 * Turns p-values into q-values in place: rejecting where q <= 0.05 keeps the expected share of
 * false rejections at or below 5 %. Y. Benjamini, Y. Hochberg, J. Royal Statistical Society B 57
 * (1995), 289; for tests that depend on each other positively, as a frame and its callees do:
 * Y. Benjamini, D. Yekutieli, Annals of Statistics 29 (2001), 1165.
 */
void false_discovery_rates(double *p, size_t n);

/* I_x(a, b), the regularized incomplete beta function; a, b > 0. */
double incomplete_beta(double a, double b, double x);
