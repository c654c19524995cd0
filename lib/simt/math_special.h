// Functions of libdevice that the C library has not, and its own taken apart: for
// math_functions.def.
#ifndef LIN_SIMT_MATH_SPECIAL_H
#define LIN_SIMT_MATH_SPECIAL_H

#include <stdint.h>

// Of one number, for results of a double's precision.
long double simt_sinpi(long double x); // sin of pi x
long double simt_cospi(long double x);
long double simt_bessel_i0(long double x); // modified, of the first kind
long double simt_bessel_i1(long double x);
long double simt_erfcx(long double x); // exp of x squared, times erfc x
long double simt_erfinv(long double x);
long double simt_erfcinv(long double x);
long double simt_normcdf(long double x); // the normal distribution
long double simt_normcdfinv(long double x);
long double simt_rcbrt(long double x); // one over the root
long double simt_rsqrt(long double x);

// The square root of the sum of the squares; infinite if one is, even beside NaN.
long double simt_norm(double a, double b, double c, double d);

// Bits of the fraction; result[1] is the exponent, the integral part, or the last 31 bits of the
// quotient, with its sign.
uint64_t simt_split_exponent(double x, uint64_t *result);
uint64_t simt_split_fraction(double x, uint64_t *result);
uint64_t simt_split_float(float x, uint64_t *result);
uint64_t simt_remainder(double x, double y, uint64_t *result);

#endif
