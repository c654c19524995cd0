#include "spans.h"

#include <string.h>

static double less(double a, double b) { return a < b ? a : b; }
static double more(double a, double b) { return a > b ? a : b; }

bool lin_spans_new(lin_spans *spans, lin_memory *memory, uint32_t num_groups, size_t num_axes) {
  spans->num_axes = num_axes;
  spans->least_most = LIN_HAVE(memory, double, (size_t)2 * num_groups * num_axes);
  spans->least = LIN_HAVE(memory, double, num_groups);
  spans->most = LIN_HAVE(memory, double, num_groups);
  return !memory->is_out;
}

static double *least_of(const lin_spans *spans, uint32_t group) {
  return spans->least_most + (size_t)2 * group * spans->num_axes;
}

void lin_spans_set(lin_spans *spans, uint32_t group, const double *point) {
  double *least = least_of(spans, group), sum = 0;
  memcpy(least, point, spans->num_axes * sizeof *point);
  memcpy(least + spans->num_axes, point, spans->num_axes * sizeof *point);
  for (size_t i = 0; i < spans->num_axes; i++)
    sum += point[i];
  spans->least[group] = spans->most[group] = sum;
}

static void take_in(lin_spans *spans, uint32_t group, const double *least, const double *most) {
  double *own_least = least_of(spans, group), *own_most = own_least + spans->num_axes;
  double least_sum = 0, most_sum = 0;
  for (size_t i = 0; i < spans->num_axes; i++) {
    least_sum += own_least[i] = less(own_least[i], least[i]);
    most_sum += own_most[i] = more(own_most[i], most[i]);
  }
  spans->least[group] = least_sum;
  spans->most[group] = most_sum;
}

void lin_spans_add(lin_spans *spans, uint32_t group, const double *point) {
  take_in(spans, group, point, point);
}

void lin_spans_unite(lin_spans *spans, uint32_t group, uint32_t other) {
  const double *least = least_of(spans, other);
  take_in(spans, group, least, least + spans->num_axes);
}

double lin_spans_gain(const lin_spans *spans, uint32_t a, uint32_t b) {
  const double *least_a = least_of(spans, a), *most_a = least_a + spans->num_axes;
  const double *least_b = least_of(spans, b), *most_b = least_b + spans->num_axes;
  double sum0 = 0, sum1 = 0, sum2 = 0, sum3 = 0; // which needn't wait for each other
  for (size_t i = 0; i < spans->num_axes; i += 4) {
    sum0 += 2 * less(least_a[i], least_b[i]) - more(most_a[i], most_b[i]);
    sum1 += 2 * less(least_a[i + 1], least_b[i + 1]) - more(most_a[i + 1], most_b[i + 1]);
    sum2 += 2 * less(least_a[i + 2], least_b[i + 2]) - more(most_a[i + 2], most_b[i + 2]);
    sum3 += 2 * less(least_a[i + 3], least_b[i + 3]) - more(most_a[i + 3], most_b[i + 3]);
  }
  return (sum0 + sum1) + (sum2 + sum3);
}
