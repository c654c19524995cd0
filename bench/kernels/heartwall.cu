// Tracking of a heart's wall through a film, after the paper's heartwall: a thread follows one
// point of the wall from frame to frame, by correlating its template with a window around the last
// place.
//
// Unstructured: a pixel takes part in a correlation by a short circuit over bounds, mask and noise;
// a candidate is given up in the middle of its sums (goto out of two loops), and the whole search
// when a place is good enough; inner and outer wall share the update of the template, which is
// skipped from several checks; a point that was lost goes through one of three recoveries that run
// into one another.
//
//     frame ─▶ search ─▶ candidate ─▶ pixels ─▶ score ─▶ candidate
//       ▲        │           ▲          └▶ hopeless ─┘      │ good enough
//       │        └▶ lost ─▶ recover 1 ▶ 2 ▶ 3               ▼
//       └── update ◀──────────────────────┘◀── inner │ outer, refine
#include "linearize_device.h"

enum { SIZE = 5, REACH = 3, IMAGE = 128 };

struct point {
  int row, column;
  float score;
};

LIN_FUNCTION float pixel_at(lin_input in, unsigned frame, int row, int column) {
  return lin_unit(in[frame * 4099 + (unsigned)row * IMAGE + (unsigned)column]);
}

LIN_FUNCTION bool in_image(int row, int column) {
  return row >= 0 && row < IMAGE && column >= 0 && column < IMAGE;
}

// The mean and the deviation of the part of a template that its mask shows.
LIN_FUNCTION void moments(const float *pattern, unsigned mask, float *mean, float *deviation) {
  float sum = 0.0f, squares = 0.0f, count = 0.0f;
  for (int i = 0; i < SIZE * SIZE; i++) {
    if (!(mask >> i & 1))
      continue;
    sum += pattern[i];
    squares += pattern[i] * pattern[i];
    count += 1.0f;
  }
  count = lin_max(count, 1.0f);
  *mean = sum / count;
  *deviation = lin_sqrt(lin_max(squares / count - *mean * *mean, 1e-4f));
}

// Normalised correlation of the template with the frame at one place; gives up, with -2, as soon as
// the place can't beat `best`.
LIN_FUNCTION float correlate(lin_input in, unsigned frame, const float *pattern, unsigned mask,
                             float mean, float deviation, int row, int column, float best) {
  float sum = 0.0f, squares = 0.0f, product = 0.0f, count = 0.0f;
  int missing = 0;
#pragma unroll 1
  for (int r = 0; r < SIZE; r++) {
#pragma unroll
    for (int c = 0; c < SIZE; c++) {
      int i = r * SIZE + c, y = row + r - SIZE / 2, x = column + c - SIZE / 2;
      if ((in_image(y, x) && (mask >> i & 1)) || (r == SIZE / 2 && c == SIZE / 2)) {
        float value = pixel_at(in, frame, y & (IMAGE - 1), x & (IMAGE - 1));
        if (value > 0.985f || (value < 0.015f && (in[(unsigned)i] & 1))) {
          // Speckle counts as missing, and too much of it ends the candidate.
          if (++missing > 3)
            return -2.0f;
          continue;
        }
        float difference = pattern[i] - mean;
        sum += value;
        squares += value * value;
        product += value * difference;
        count += 1.0f;
      }
    }
    if (r == 2 && count > 8.0f && product < 0.1f * best * deviation * count - 0.9f)
      return -2.0f;
  }
  if (count < 6.0f)
    return -2.0f;
  float average = sum / count;
  float spread = lin_sqrt(lin_max(squares / count - average * average, 1e-4f));
  return product / (count * deviation * spread);
}

// The sub-pixel place of a maximum from three scores: a parabola's top, unless it is flat or
// outside.
LIN_FUNCTION float refine(float before, float at, float after) {
  float curve = before - 2.0f * at + after;
  if (before < -1.0f || after < -1.0f || curve > -1e-3f)
    return 0.0f;
  float top = 0.5f * (before - after) / curve;
  return top < -0.5f || top > 0.5f ? 0.0f : top;
}

KERNEL_BODY(heartwall) {
  float pattern[SIZE * SIZE], mean, deviation, drift = 0.0f;
  unsigned word = in[thread], mask = in[word] | 0x00421084u, lost = 0, checksum = 0;
  bool inner = word & 1;
  point at = {(int)(word >> 1 & (IMAGE - 1)), (int)(word >> 9 & (IMAGE - 1)), 0.0f};
  int speed_row = 0, speed_column = 0;

#pragma unroll 1
  for (int i = 0; i < SIZE * SIZE; i++)
    pattern[i] =
        pixel_at(in, 0, (at.row + i / SIZE) & (IMAGE - 1), (at.column + i % SIZE) & (IMAGE - 1));

#pragma unroll 1
  for (unsigned frame = 1; frame <= rounds; frame++) {
    moments(pattern, mask, &mean, &deviation);
    point best = {at.row, at.column, -1.0f};
    int dr, dc;
    float before, after, shift;

#pragma unroll 1
    for (dr = -REACH; dr <= REACH; dr++) {
#pragma unroll 1
      for (dc = -REACH; dc <= REACH; dc++) {
        int row = at.row + speed_row + dr, column = at.column + speed_column + dc;
        if (!in_image(row, column))
          continue;
        // The wall moves along its normal: an inner point rarely outwards, an outer one rarely in.
        if (inner ? dr + dc > REACH && (in[(unsigned)row] & 3)
                  : dr + dc < -REACH && (in[(unsigned)column] & 3))
          continue;
        float score = correlate(in, frame, pattern, mask, mean, deviation, row, column, best.score);
        if (score < -1.0f)
          continue;
        if (score > best.score) {
          best = {row, column, score};
          if (score > 0.75f)
            goto found;
        } else if (best.score > 0.6f && score < -0.5f) {
          break;
        }
      }
    }

    if (best.score < 0.30f) {
      // Lost. Look along the old direction, then around the start, then just wait.
      lost++;
      if (speed_row == 0 && speed_column == 0)
        goto around;
      {
        int row = at.row + 2 * speed_row, column = at.column + 2 * speed_column;
        if (!in_image(row, column) || (lost & 3) == 3)
          goto wait;
        best.score = correlate(in, frame, pattern, mask, mean, deviation, row, column, -1.0f);
        if (best.score > 0.25f) {
          best.row = row;
          best.column = column;
          goto found;
        }
      }
    around: {
      unsigned jump = in[word + frame];
      int row = (at.row + (int)(jump & 7) - 4) & (IMAGE - 1);
      int column = (at.column + (int)(jump >> 3 & 7) - 4) & (IMAGE - 1);
      if (lin_abs(pixel_at(in, frame, row, column) - mean) < deviation) {
        best = {row, column, 0.2f};
        goto accept;
      }
    }
    wait:
      speed_row = 0;
      speed_column = 0;
      drift *= 0.5f;
      checksum += in[lost];
      if (lost > 6)
        break;
      continue;
    }

  found:
    // An inner point moves between rows, an outer one between columns.
    dr = inner;
    dc = !inner;
    before = correlate(in, frame, pattern, mask, mean, deviation, best.row - dr, best.column - dc,
                       -1.0f);
    after = correlate(in, frame, pattern, mask, mean, deviation, best.row + dr, best.column + dc,
                      -1.0f);
    shift = refine(before, best.score, after);
    if (inner) {
      if (shift != 0.0f && (in[checksum] & 3) == 0)
        goto skip;
      drift += shift;
    } else {
      drift += 0.5f * shift;
      if (lin_abs(shift) > 0.4f)
        goto skip;
    }
  accept:
    // The template follows slowly, where the frame is not much off.
#pragma unroll 1
    for (int i = 0; i < SIZE * SIZE; i++) {
      int row = best.row + i / SIZE - SIZE / 2, column = best.column + i % SIZE - SIZE / 2;
      if (!in_image(row, column))
        continue;
      float value = pixel_at(in, frame, row, column);
      if (lin_abs(value - pattern[i]) > 0.6f && (in[(unsigned)(row + column)] & 1)) {
        mask &= ~(1u << i) | 0x1000u;
        continue;
      }
      if ((mask >> i & 1) == 0 && value > 0.5f)
        mask |= 1u << i;
      pattern[i] = 0.8f * pattern[i] + 0.2f * value;
    }
  skip:
    speed_row = (best.row - at.row) / 2;
    speed_column = (best.column - at.column) / 2;
    at = best;
    checksum = lin_mix(checksum ^ (unsigned)(at.row * IMAGE + at.column)) + lin_bits(drift);
  }
  return checksum ^ lin_bits(at.score) ^ lost;
}
