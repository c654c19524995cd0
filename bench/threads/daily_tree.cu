// A decision tree over daily data: a thread takes one place's weather of `rounds` days and says for
// each day what its farmer should do, by nested questions of different depth; some answers need a
// look at the days before. Each place has a climate.
//
// Takes any order of threads.
#include "thread.cuh"

struct climate {
  float warmth, swing, wetness;
};

struct day {
  float warmth, rain, wind;
};

// The day's weather: the climate's, and chance.
LIN_FUNCTION day weather(lin_input in, climate at, unsigned place, unsigned number) {
  unsigned word = in[place * 366 + number];
  float season = lin_cos_turn((float)(number % 365) / 365.0f);
  day d;
  d.warmth = at.warmth - at.swing * season + (float)(word & 255) * 0.04f - 5.0f;
  d.rain = (float)(word >> 8 & 255) < 255.0f * at.wetness ? (float)(word >> 16 & 255) * 0.1f : 0.0f;
  d.wind = (float)(word >> 24) * 0.08f;
  return d;
}

APPLICATION(daily_tree) {
  climate at = {24.0f * lin_unit(lin_mix(thread)), 4.0f + 10.0f * lin_unit(lin_mix(thread + 7)),
                0.6f * lin_unit(lin_mix(thread + 99))};
  float water = 20.0f, snow = 0.0f, growth = 0.0f;
  unsigned frosts = 0, sprays = 0, waterings = 0;
#pragma unroll 1
  for (unsigned number = 0; number < rounds; number++) {
    day today = weather(in, at, thread, number);
    if (today.warmth < 0.0f) {
      snow += today.rain;
      if (today.wind < 4.0f && snow < 1.0f) {
        // A clear, still night: how deep does the frost go?
        float depth = 0.0f, cold = -today.warmth;
#pragma unroll 1
        for (unsigned layer = 0; layer < 8 && cold > 0.2f; layer++) {
          depth += lin_sqrt(cold);
          cold *= 0.6f;
        }
        frosts += depth > 4.0f;
      }
    } else if (today.rain > 0.0f) {
      water += today.rain;
      if (water > 60.0f) {
        growth -= 0.05f * (water - 60.0f);
        water = 60.0f;
      } else if (today.warmth > 12.0f && today.wind < 8.0f) {
        // Mildew comes if it was warm and wet on most of the days before.
        unsigned wet = 0;
#pragma unroll 1
        for (unsigned back = 1; back <= 7 && back <= number; back++) {
          day before = weather(in, at, thread, number - back);
          wet += before.rain > 0.0f && before.warmth > 12.0f;
        }
        if (wet >= 3) {
          sprays++;
          growth -= 0.2f;
        }
      }
    } else {
      float melted = lin_min(snow, 0.5f * today.warmth);
      snow -= melted;
      water += melted;
      // Evaporation, by Penman's kind of formula.
      float pressure = 0.61f * lin_exp(17.3f * today.warmth / (today.warmth + 237.0f));
      float dried = 0.1f * pressure * (1.0f + 0.5f * today.wind);
      water = lin_max(0.0f, water - dried);
      if (today.warmth > 8.0f && water < 10.0f) {
        waterings++;
        water += 15.0f;
      }
      if (today.warmth > 10.0f)
        growth += 0.02f * lin_sqrt(today.warmth - 10.0f) * (water > 15.0f ? 1.0f : 0.5f);
    }
  }
  return lin_bits(growth) ^ frosts << 20 ^ sprays << 10 ^ waterings;
}
