// The numbers below are mathematics, not measured; a term counts until it no longer changes a sum.
#include "math_special.h"

#include "floats.h"

#include <math.h>

static const long double pi = 3.14159265358979323846264338327950288L;
static const long double root_of_two = 1.41421356237309504880168872420969808L;
static const long double root_of_pi = 1.77245385090551602729816748334114518L;

// ---- sine and cosine of turns ------------------------------------------------------------------

// x less a multiple of 2, from -1 to 1: exact.
static long double in_turn(long double x) { return remainderl(x, 2); }

long double simt_sinpi(long double x) {
  if (!isfinite(x))
    return NAN;
  long double turn = in_turn(x), size = fabsl(turn);
  if (size == 0 || size == 1)
    return copysignl(0, x);
  return copysignl(sinl(pi * (size > 0.5L ? 1 - size : size)), turn);
}

long double simt_cospi(long double x) {
  if (!isfinite(x))
    return NAN;
  long double size = fabsl(in_turn(x));
  return sinl(pi * (0.5L - size));
}

// ---- Bessel functions --------------------------------------------------------------------------

// The sum of (x / 2)^(2k) / (k! (k + order)!): no term is negative. Beyond the limit it is more
// than a double holds.
static long double bessel_sum(long double x, unsigned order) {
  const long double limit = 740;
  if (isnan(x) || fabsl(x) > limit)
    return fabsl(x);
  long double square = x * x / 4, term = 1, sum = 1;
  for (unsigned k = 1; term > sum * 0x1p-70L; k++) {
    term *= square / ((long double)k * (k + order));
    sum += term;
  }
  return sum;
}

static long double at_most_infinite(long double sum, long double x) {
  return fabsl(x) > 740 ? INFINITY : sum;
}

long double simt_bessel_i0(long double x) { return at_most_infinite(bessel_sum(x, 0), x); }

long double simt_bessel_i1(long double x) {
  return copysignl(at_most_infinite(fabsl(x) / 2 * bessel_sum(x, 1), x), x);
}

// ---- the error function ------------------------------------------------------------------------

// For large x the asymptotic series: 1 / (x sqrt(pi)) times the sum of (2k - 1)!! / (-2 x^2)^k.
long double simt_erfcx(long double x) {
  const long double large = 26; // nine terms are 2^-62 of the first there
  if (!(x > large))
    return expl(x * x) * erfcl(x);
  long double term = 1, sum = 1, square = x * x;
  for (unsigned k = 1; k < 10; k++) {
    term *= -(long double)(2 * k - 1) / (2 * square);
    sum += term;
  }
  return sum / (x * root_of_pi);
}

// y > 0 with erfc y = x, for 0 < x < 1. Newton's method on log erfc, which is nearly a parabola, so
// that a guess of the right size is enough.
static long double solve_erfc(long double x) {
  long double wanted = logl(x), y = sqrtl(-wanted);
  for (unsigned i = 0; i < 60; i++) {
    long double scaled = simt_erfcx(y); // erfc y times exp of y^2
    long double step = (logl(scaled) - y * y - wanted) * scaled * root_of_pi / 2;
    y = y + step > 0 ? y + step : y / 2;
    if (fabsl(step) <= 0x1p-60L * y)
      break;
  }
  return y;
}

// For small x erf itself is better conditioned than erfc.
static long double solve_erf(long double x) {
  long double y = x * root_of_pi / 2;
  for (unsigned i = 0; i < 60; i++) {
    long double step = (x - erfl(y)) * expl(y * y) * root_of_pi / 2;
    y += step;
    if (fabsl(step) <= 0x1p-62L * y)
      break;
  }
  return y;
}

long double simt_erfinv(long double x) {
  long double size = fabsl(x);
  if (!(size < 1))
    return size == 1 ? copysignl(INFINITY, x) : NAN;
  if (size == 0)
    return x;
  return copysignl(size < 0.5L ? solve_erf(size) : solve_erfc(1 - size), x);
}

long double simt_erfcinv(long double x) {
  if (!(x >= 0 && x <= 2))
    return NAN;
  if (x == 0 || x == 2)
    return x == 0 ? INFINITY : -INFINITY;
  if (x > 0.5L && x < 1.5L)
    return simt_erfinv(1 - x);
  return x < 1 ? solve_erfc(x) : -solve_erfc(2 - x);
}

long double simt_normcdf(long double x) { return erfcl(-x / root_of_two) / 2; }

long double simt_normcdfinv(long double x) { return -root_of_two * simt_erfcinv(2 * x); }

long double simt_rcbrt(long double x) { return 1 / cbrtl(x); }

long double simt_rsqrt(long double x) { return 1 / sqrtl(x); }

// ------------------------------------------------------------------------------------------------

// A long double's range is that of a double's squares.
long double simt_norm(double a, double b, double c, double d) {
  if (isinf(a) || isinf(b) || isinf(c) || isinf(d))
    return INFINITY;
  const double part[] = {a, b, c, d};
  long double sum = 0;
  for (unsigned i = 0; i < 4; i++)
    sum += (long double)part[i] * (long double)part[i];
  return sqrtl(sum);
}

uint64_t simt_split_exponent(double x, uint64_t *result) {
  int exponent = 0;
  double fraction = frexp(x, &exponent);
  result[1] = isfinite(x) ? (uint32_t)exponent : 0;
  return simt_double_bits(fraction);
}

uint64_t simt_split_fraction(double x, uint64_t *result) {
  double whole = 0, fraction = modf(x, &whole);
  result[1] = simt_double_bits(whole);
  return simt_double_bits(fraction);
}

uint64_t simt_split_float(float x, uint64_t *result) {
  float whole = 0, fraction = modff(x, &whole);
  result[1] = simt_float_bits(whole);
  return simt_float_bits(fraction);
}

uint64_t simt_remainder(double x, double y, uint64_t *result) {
  int quotient = 0;
  double rest = remquo(x, y, &quotient);
  result[1] = (uint32_t)quotient;
  return simt_double_bits(rest);
}
