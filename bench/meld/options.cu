// A book of options, some by a formula of normal distributions, some with a barrier: calls and puts, up and down.
#include "../refill/common.h"

struct option { float spot, strike, years, volatility, barrier; int kind; };

__device__ float normal(float d) {
  float k = 1.f / (1.f + 0.2316419f * fabsf(d));
  float tail = 0.39894228f * expf(-0.5f * d * d) *
               (k * (0.31938153f + k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f)))));
  return d > 0 ? 1.f - tail : tail;
}

__device__ float price(float spot, float strike, float years, float volatility, float rate, float sign) {
  float root = sqrtf(years), d1 = (logf(spot / strike) + (rate + 0.5f * volatility * volatility) * years) / (volatility * root);
  float d2 = d1 - volatility * root, discount = expf(-rate * years);
  return sign * (spot * normal(sign * d1) - strike * discount * normal(sign * d2));
}

__global__ void options(const option *book, float *out, float rate, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  option o = book[i];
  float value = 0;
#ifdef BY_HAND
  float spot = o.spot, strike = o.strike, sign = o.kind & 1 ? -1.f : 1.f, factor = 1.f;
  bool out_of_it = false;
  if (o.kind >= 2) {
    bool up = o.kind < 4;
    out_of_it = up ? o.spot >= o.barrier : o.spot <= o.barrier;
    spot = o.barrier * o.barrier / o.spot;
    factor = powf(o.barrier / o.spot, 2.f * rate / (o.volatility * o.volatility) - 1.f);
  }
  if (!out_of_it) {
    float whole = price(o.spot, strike, o.years, o.volatility, rate, sign);
    value = o.kind >= 2 ? whole - factor * price(spot, strike, o.years, o.volatility, rate, sign) : whole;
  }
#else
  switch (o.kind) {
  case 0: value = price(o.spot, o.strike, o.years, o.volatility, rate, 1.f); break;
  case 1: value = price(o.spot, o.strike, o.years, o.volatility, rate, -1.f); break;
  case 2:
    if (o.spot < o.barrier)
      value = price(o.spot, o.strike, o.years, o.volatility, rate, 1.f) -
              powf(o.barrier / o.spot, 2.f * rate / (o.volatility * o.volatility) - 1.f) *
                  price(o.barrier * o.barrier / o.spot, o.strike, o.years, o.volatility, rate, 1.f);
    break;
  case 3:
    if (o.spot < o.barrier)
      value = price(o.spot, o.strike, o.years, o.volatility, rate, -1.f) -
              powf(o.barrier / o.spot, 2.f * rate / (o.volatility * o.volatility) - 1.f) *
                  price(o.barrier * o.barrier / o.spot, o.strike, o.years, o.volatility, rate, -1.f);
    break;
  case 4:
    if (o.spot > o.barrier)
      value = price(o.spot, o.strike, o.years, o.volatility, rate, 1.f) -
              powf(o.barrier / o.spot, 2.f * rate / (o.volatility * o.volatility) - 1.f) *
                  price(o.barrier * o.barrier / o.spot, o.strike, o.years, o.volatility, rate, 1.f);
    break;
  default:
    if (o.spot > o.barrier)
      value = price(o.spot, o.strike, o.years, o.volatility, rate, -1.f) -
              powf(o.barrier / o.spot, 2.f * rate / (o.volatility * o.volatility) - 1.f) *
                  price(o.barrier * o.barrier / o.spot, o.strike, o.years, o.volatility, rate, -1.f);
  }
#endif
  out[i] = value;
}

int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 1 << 20, launches = argc > 2 ? atoi(argv[2]) : 24;
  unsigned long long state = 88172645463325252ull;
  std::vector<option> book(n);
  for (option &o : book)
    o = {50 + (next_random(state) & 1023) / 10.f, 50 + (next_random(state) & 1023) / 10.f,
         0.1f + (next_random(state) & 1023) / 256.f, 0.1f + (next_random(state) & 1023) / 2048.f,
         60 + (next_random(state) & 1023) / 12.f, (int)(next_random(state) % 6)};
  float *out;
  CHECK(cudaMalloc(&out, n * sizeof *out));
  const option *b = on_gpu(book);
  report("options", out, n, launches, [&] { options<<<(n + 127) / 128, 128>>>(b, out, 0.03f, n); });
}
