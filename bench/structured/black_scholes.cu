// Prices of a European call and put by Black and Scholes, with the polynomial of Abramowitz and
// Stegun for the normal distribution: straight-line arithmetic, with one sign to choose.
#include "linearize_device.h"

LIN_FUNCTION float normal_distribution(float x) {
  float k = 1.0f / (1.0f + 0.2316419f * lin_abs(x));
  float tail =
      0.39894228f * lin_exp(-0.5f * x * x) * k *
      (0.31938153f + k * (-0.35656378f + k * (1.7814779f + k * (-1.8212560f + k * 1.3302744f))));
  return x > 0.0f ? 1.0f - tail : tail;
}

KERNEL_BODY(black_scholes) {
  const float rate = 0.02f, volatility = 0.3f;
  float sum = 0.0f;
#pragma unroll 1
  for (unsigned round = 0; round < rounds; round++) {
    unsigned at = 3 * (thread + 977 * round);
    float price = 5.0f + 25.0f * lin_unit(in[at]), strike = 1.0f + 99.0f * lin_unit(in[at + 1]);
    float years = 0.25f + 9.75f * lin_unit(in[at + 2]);
    float deviation = volatility * lin_sqrt(years);
    float d1 =
        (lin_log(price / strike) + (rate + 0.5f * volatility * volatility) * years) / deviation;
    float d2 = d1 - deviation, discounted = strike * lin_exp(-rate * years);
    float call = price * normal_distribution(d1) - discounted * normal_distribution(d2);
    float put =
        discounted * (1.0f - normal_distribution(d2)) - price * (1.0f - normal_distribution(d1));
    sum = 0.5f * sum + call + put;
  }
  return lin_bits(sum);
}
