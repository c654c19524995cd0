// Prices of European options by Black and Scholes: a thread computes `rounds` calls and puts. All
// threads do the same; nothing can be gained.
//
// Takes any order of threads.
#include "thread.cuh"

// The normal distribution, by a polynomial; both tails at once.
LIN_FUNCTION float normal(float x) {
  float k = 1.0f / (1.0f + 0.2316419f * lin_abs(x));
  float tail =
      0.39894228f * lin_exp(-0.5f * x * x) * k *
      (0.31938153f + k * (-0.35656378f + k * (1.7814779f + k * (-1.8212560f + k * 1.3302744f))));
  return x > 0.0f ? 1.0f - tail : tail;
}

APPLICATION(option_prices) {
  const float rate = 0.02f;
  float sum = 0.0f;
#pragma unroll 1
  for (unsigned option = 0; option < rounds; option++) {
    unsigned at = 4 * (thread * rounds + option);
    float price = 5.0f + 25.0f * lin_unit(in[at]), strike = 5.0f + 30.0f * lin_unit(in[at + 1]);
    float years = 0.25f + 9.75f * lin_unit(in[at + 2]), spread = 0.1f + 0.4f * lin_unit(in[at + 3]);
    float deviation = spread * lin_sqrt(years);
    float high = (lin_log(price / strike) + (rate + 0.5f * spread * spread) * years) / deviation;
    float low = high - deviation, worth = strike * lin_exp(-rate * years);
    float call = price * normal(high) - worth * normal(low);
    sum += call + (call - price + worth);
  }
  return lin_bits(sum);
}
