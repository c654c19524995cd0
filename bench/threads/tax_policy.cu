// What a tax law makes of households: a thread takes one household through `rounds` variants of the
// law. Most pay a tax on wages by brackets; some have children, rents or firms, whose rules go on
// for longer; few are so rich that a second computation decides.
//
// Takes any order of threads.
#include "thread.cuh"

struct household {
  float wages, rents, profits, gifts;
  unsigned children, adults;
};

LIN_FUNCTION household number(lin_input in, unsigned thread) {
  unsigned word = in[thread], kind = lin_mix(thread) & 255;
  float u = lin_unit(in[thread + 7919]);
  household h = {};
  h.adults = 1 + (word & 1);
  h.children = kind < 140 ? 0 : 1 + (word >> 1 & 3);
  h.wages = 8000.0f + 60000.0f * u * u + (kind > 250 ? 400000.0f * u : 0.0f);
  h.rents = (word >> 4 & 15) == 0 ? 20000.0f * lin_unit(in[thread + 31]) : 0.0f;
  h.profits = (word >> 8 & 7) == 0 ? 90000.0f * u - 15000.0f : 0.0f;
  h.gifts = (word >> 12 & 3) == 0 ? 0.04f * h.wages : 0.0f;
  return h;
}

LIN_FUNCTION float by_brackets(float income, float shift) {
  float tax = 0.0f, from = 10000.0f + shift, rate = 0.1f;
#pragma unroll 1
  while (income > from && rate < 0.45f) {
    float width = 6000.0f + 60000.0f * rate;
    tax += rate * lin_min(income - from, width);
    from += width;
    rate += 0.05f;
  }
  if (income > from)
    tax += 0.45f * (income - from);
  return tax;
}

APPLICATION(tax_policy) {
  household h = number(in, thread);
  float all_taxes = 0.0f;
#pragma unroll 1
  for (unsigned law = 0; law < rounds; law++) {
    float shift = 250.0f * (float)(law & 15), income = h.wages, credit = 0.0f;
    if (h.profits > 0.0f) {
      // Part of the profits is written off over the years that a machine lasts.
      float value = 0.5f * h.profits, written = 0.0f;
#pragma unroll 1
      for (unsigned year = 0; year < 10; year++) {
        float off = value / (float)(10 - year);
        if (off < 0.2f * value)
          off = 0.2f * value;
        written += off / (1.0f + 0.03f * (float)year);
        value -= off;
      }
      float insurance = 0.15f * lin_min(h.profits, 70000.0f);
      income += h.profits - 0.1f * written - 0.5f * insurance;
      all_taxes += insurance;
    } else if (h.profits < 0.0f) {
      income = lin_max(0.0f, income + lin_max(h.profits, -8000.0f));
    }
    if (h.rents > 0.0f)
      income += h.rents > 600.0f ? 0.7f * h.rents - 200.0f : 0.0f;
    if (h.gifts > 0.0f)
      income -= lin_min(h.gifts, 0.2f * income);
#pragma unroll 1
    for (unsigned child = 0; child < h.children; child++) {
      float help = child < 2 ? 2400.0f : 3000.0f, limit = 60000.0f + 20000.0f * (float)h.adults;
      if (income > limit)
        help = lin_max(0.0f, help - 0.05f * (income - limit));
      float care = 4000.0f / (1.0f + (float)child);
      if (h.wages < 40000.0f)
        care += 0.02f * (40000.0f - h.wages);
      credit += help + 0.3f * care;
    }
    // Two adults are taxed as if each had half.
    float tax = (float)h.adults * by_brackets(income / (float)h.adults, shift);
    if (tax < credit) {
      // What is paid out depends on itself: the benefit counts as income.
      float paid = 0.0f;
#pragma unroll 1
      for (unsigned turn = 0; turn < 20; turn++) {
        float next = 0.8f * (credit - by_brackets(income + paid, shift));
        if (lin_abs(next - paid) < 1.0f)
          break;
        paid = 0.5f * (paid + next);
      }
      tax = -paid;
    } else {
      tax -= credit;
    }
    if (income > 200000.0f) {
      float least = 0.26f * lin_max(0.0f, h.wages + h.rents + h.profits - 80000.0f);
      if (least > tax)
        tax = least;
    }
    all_taxes += tax;
  }
  return lin_bits(all_taxes);
}
