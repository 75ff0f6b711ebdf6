/* SPDX-License-Identifier: MIT */
/*
 * Tails of the hypergeometric distribution are summed term by term from the observed count
 * outwards, those of the binomial are incomplete beta functions. The tests are symmetric because
 * the tail is always taken on the side on which the observed count lies.
 */

#include "slice/exact-test.h"

#include <glib.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#define LEVEL		   0.05 /* what is not covered by an interval */
#define MAX_FRACTION_TERMS 100000
#define BISECTIONS	   60

/* Above this variance a tail is that of the normal distribution, to four digits and more; summing
 * it would take long. Above so many things factorials have lost the digits that count. */
#define LARGE_VARIANCE 1e8
#define LARGE_NUMBER   1e10

/* lgamma() leaves the sign in a global. */
static double log_gamma(double x)
{
	int sign;

	return lgamma_r(x, &sign);
}

/* log Gamma(x + y) - log Gamma(x): by Stirling's series where the difference of two large numbers
 * would have no digits left. */
static double log_rising(double x, double y)
{
	if (x < 1e6)
		return log_gamma(x + y) - log_gamma(x);
	return (x + y - 0.5) * log1p(y / x) + y * log(x) - y + 1 / (12 * (x + y)) - 1 / (12 * x);
}

/* P(Z >= z) */
static double normal_tail(double z)
{
	return 0.5 * erfc(z / M_SQRT2);
}

static double log_choose(double n, double k)
{
	return log_gamma(n + 1) - log_gamma(k + 1) - log_gamma(n - k + 1);
}

/* --- incomplete beta ---------------------------------------------------------------------- */

static double away_from_zero(double x)
{
	return fabs(x) < 1e-300 ? 1e-300 : x;
}

/* The continued fraction of DLMF 8.17.22 by Lentz's method (DLMF 3.10(iii)); it converges fast
 * for x < (a + 1) / (a + b + 2). */
static double beta_fraction(double a, double b, double x)
{
	double c = 1, d = 1 / away_from_zero(1 - (a + b) * x / (a + 1));
	double value = d;

	for (int m = 1; m < MAX_FRACTION_TERMS; m++) {
		double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
		double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
		double step;

		d = 1 / away_from_zero(1 + even * d);
		c = away_from_zero(1 + even / c);
		value *= c * d;
		d = 1 / away_from_zero(1 + odd * d);
		c = away_from_zero(1 + odd / c);
		step = c * d;
		value *= step;
		if (fabs(step - 1) < 1e-14)
			break;
	}
	return value;
}

double incomplete_beta(double a, double b, double x)
{
	double front, n = a + b - 1;

	if (x <= 0 || x >= 1)
		return x <= 0 ? 0 : 1;
	/* As the binomial's tail P(X >= a). */
	if (n * x * (1 - x) > LARGE_VARIANCE)
		return normal_tail((a - 0.5 - n * x) / sqrt(n * x * (1 - x)));
	front = exp(log_rising(MAX(a, b), MIN(a, b)) - log_gamma(MIN(a, b)) + a * log(x) +
		    b * log1p(-x));
	if (x < (a + 1) / (a + b + 2))
		return MIN(front * beta_fraction(a, b, x) / a, 1);
	return MAX(1 - front * beta_fraction(b, a, 1 - x) / b, 0);
}

/* The x at which I_x(a, b) is `p`, however small. */
static double beta_quantile(double a, double b, double p)
{
	double low = -700, high = 0; /* of log x */

	for (int i = 0; i < BISECTIONS; i++) {
		double middle = (low + high) / 2;

		if (incomplete_beta(a, b, exp(middle)) < p)
			low = middle;
		else
			high = middle;
	}
	return exp((low + high) / 2);
}

/* x / (1 - x) for the same x, from the end at which it is small. */
static double odds_quantile(double a, double b, double p)
{
	double x = a <= b ? beta_quantile(a, b, p) : beta_quantile(b, a, 1 - p);

	return a <= b ? x / (1 - x) : (1 - x) / x;
}

/* --- Poisson rates ------------------------------------------------------------------------ */

/* P(X >= k) of a binomial with n trials and share x: 1 where k = 0. */
static double binomial_upper(double k, double n, double x)
{
	return k <= 0 ? 1 : incomplete_beta(k, n - k + 1, x);
}

double poisson_rates_test(Observed a, Observed b)
{
	double n = a.count + b.count, exposure = a.exposure + b.exposure;
	bool is_above = a.count * b.exposure > b.count * a.exposure;
	double tail;

	if (n <= 0)
		return 1;
	tail = is_above ? binomial_upper(a.count, n, a.exposure / exposure)
			: binomial_upper(b.count, n, b.exposure / exposure);
	return MIN(2 * tail, 1);
}

double poisson_rates_least(double n, double exposure_a, double exposure_b)
{
	double exposure = exposure_a + exposure_b;

	return MIN(2 * pow(MIN(exposure_a, exposure_b) / exposure, n), 1);
}

void rate_ratio_interval(Observed a, Observed b, double *low, double *high)
{
	double scale = b.exposure / a.exposure;

	*low = a.count > 0 ? odds_quantile(a.count, b.count + 1, LEVEL / 2) * scale : 0;
	*high = b.count > 0 ? scale / odds_quantile(b.count, a.count + 1, LEVEL / 2) : INFINITY;
}

/* --- Fisher ------------------------------------------------------------------------------- */

/* The margins of a table of two by two: `a` is what varies. */
typedef struct {
	double n;	 /* of the kind, both sides */
	double n_a, n_b; /* things on either side */
} Margins;

static double margins_variance(const Margins *m)
{
	double all = m->n_a + m->n_b;

	return m->n * (m->n_a / all) * (m->n_b / all) * (1 - m->n / all);
}

static double hypergeometric(const Margins *m, double a)
{
	return exp(log_choose(m->n_a, a) + log_choose(m->n_b, m->n - a) -
		   log_choose(m->n_a + m->n_b, m->n));
}

/* P(A <= a), where `a` is not above the mean: terms fall from the first. */
static double lower_tail(const Margins *m, double a)
{
	double term = hypergeometric(m, a), sum = term;

	for (; a > 0 && m->n - a < m->n_b; a--) {
		term *= a * (m->n_b - m->n + a) / ((m->n_a - a + 1) * (m->n - a + 1));
		sum += term;
		if (term < sum * 1e-17)
			break;
	}
	return sum;
}

/* Of very many things: normal where the counts are large too, else binomial in the smallest
 * margin, which is a vanishing part of the whole. */
static double large_fisher(double a, double n_a, double b, double n_b)
{
	double n = a + b, others = n_a + n_b - n, all = n_a + n_b;
	double variance = margins_variance(&(Margins){ n, n_a, n_b });
	double least = MIN(MIN(n, others), MIN(n_a, n_b));

	if (variance > LARGE_VARIANCE)
		return MIN(2 * normal_tail((fabs(a - n * n_a / all) - 0.5) / sqrt(variance)), 1);
	if (least == n)
		return poisson_rates_test((Observed){ a, n_a }, (Observed){ b, n_b });
	if (least == others)
		return poisson_rates_test((Observed){ n_a - a, n_a }, (Observed){ n_b - b, n_b });
	if (least == n_a)
		return poisson_rates_test((Observed){ a, n }, (Observed){ n_a - a, others });
	return poisson_rates_test((Observed){ b, n }, (Observed){ n_b - b, others });
}

double fisher_test(uint64_t a, uint64_t n_a, uint64_t b, uint64_t n_b)
{
	double x = (double)a, y = (double)b, tail;
	Margins of_a = { x + y, (double)n_a, (double)n_b };
	Margins of_b = { x + y, (double)n_b, (double)n_a };
	double all = of_a.n_a + of_a.n_b;

	if (n_a == 0 || n_b == 0 || x + y <= 0 || x + y >= all)
		return 1;
	if (all > LARGE_NUMBER || margins_variance(&of_a) > LARGE_VARIANCE)
		return large_fisher(x, of_a.n_a, y, of_a.n_b);
	tail = x * of_a.n_b > y * of_a.n_a ? lower_tail(&of_b, y) : lower_tail(&of_a, x);
	return MIN(2 * tail, 1);
}

double fisher_least(uint64_t n, uint64_t n_a, uint64_t n_b)
{
	double least_a = n > n_b ? (double)(n - n_b) : 0, least_b = n > n_a ? (double)(n - n_a) : 0;
	Margins of_a = { (double)n, (double)n_a, (double)n_b };
	Margins of_b = { (double)n, (double)n_b, (double)n_a };

	if (n == 0 || n_a == 0 || n_b == 0)
		return 1;
	/* Of very many things nearly every test can succeed. */
	if (of_a.n_a + of_a.n_b > LARGE_NUMBER)
		return 0;
	return MIN(2 * MIN(hypergeometric(&of_a, least_a), hypergeometric(&of_b, least_b)), 1);
}

/* --- more variance, many tests ------------------------------------------------------------- */

/* The z > 0 that a normal deviate passes, on either side, with probability `p`. */
static double normal_deviate(double p)
{
	double low = 0, high = 40;

	for (int i = 0; i < BISECTIONS; i++) {
		double middle = (low + high) / 2;

		if (erfc(middle / M_SQRT2) > p)
			low = middle;
		else
			high = middle;
	}
	return low;
}

double p_with_variance(double p, double factor, double freedom)
{
	double t = normal_deviate(p) / sqrt(factor);

	return p >= 1 ? 1 : incomplete_beta(freedom / 2, 0.5, freedom / (freedom + t * t));
}

static int compare_p(const void *left, const void *right, void *p)
{
	double a = ((const double *)p)[*(const size_t *)left];
	double b = ((const double *)p)[*(const size_t *)right];

	return (a > b) - (a < b);
}

void false_discovery_rates(double *p, size_t n)
{
	g_autofree size_t *order = g_new(size_t, n + 1);
	double least = 1;

	for (size_t i = 0; i < n; i++)
		order[i] = i;
	qsort_r(order, n, sizeof(*order), compare_p, p);
	for (size_t rank = n; rank > 0; rank--) {
		double *value = &p[order[rank - 1]];

		least = MIN(least, *value * (double)n / (double)rank);
		*value = least;
	}
}
