#include "fit.h"

#include <lapacke.h>
#include <math.h>

enum { MOST_THREADS = 1 << 20 };

// The column of the unknown with this number: 1, an input, the thread's number within those
// learned.
static double value_of(const lin_fit_data *data, size_t first, size_t thread, size_t unknown) {
  if (unknown == 0)
    return 1;
  if (unknown <= data->num_inputs)
    return data->input[thread * data->num_inputs + unknown - 1];
  return (double)thread - (double)first;
}

// Columns are scaled to 1 at most, so that what is small beside others isn't taken for rounding
// errors.
static void fill_columns(const lin_fit_data *data, size_t first, size_t count, double *column,
                         double *scale) {
  for (size_t u = 0; u < data->num_inputs + 2; u++) {
    for (size_t i = 0; i < count; i++) {
      column[u * count + i] = value_of(data, first, first + i, u);
      scale[u] = fmax(scale[u], fabs(column[u * count + i]));
    }
    for (size_t i = 0; i < count && scale[u] > 0; i++)
      column[u * count + i] /= scale[u];
  }
}

lin_fit lin_fit_learn(lin_memory *memory, const lin_fit_data *data, size_t first, size_t count) {
  size_t unknowns = data->num_inputs + 2, height = count > unknowns ? count : unknowns;
  if (count > MOST_THREADS || unknowns > MOST_THREADS)
    return NULL;
  lin_fit fit = LIN_HAVE(memory, double, data->num_blocks *unknowns + 1);
  double *column = LIN_HAVE(memory, double, unknowns *count);
  double *scale = LIN_HAVE(memory, double, unknowns);
  double *singular = LIN_HAVE(memory, double, unknowns);
  double *solution = LIN_HAVE(memory, double, height * data->num_blocks + 1);
  if (memory->is_out)
    return NULL;
  fill_columns(data, first, count, column, scale);
  for (size_t b = 0; b < data->num_blocks; b++)
    for (size_t i = 0; i < count; i++)
      solution[b * height + i] = data->entries[(first + i) * data->num_blocks + b];
  lapack_int rank;
  if (data->num_blocks > 0 &&
      LAPACKE_dgelsd(LAPACK_COL_MAJOR, (lapack_int)count, (lapack_int)unknowns,
                     (lapack_int)data->num_blocks, column, (lapack_int)count, solution,
                     (lapack_int)height, singular, 1e-10, &rank) != 0)
    return NULL;
  for (size_t b = 0; b < data->num_blocks; b++) {
    double *c = fit + b * unknowns;
    for (size_t u = 0; u < unknowns; u++)
      c[u] = scale[u] > 0 ? solution[b * height + u] / scale[u] : 0;
    c[0] -= c[unknowns - 1] * (double)first;
  }
  return fit;
}

double lin_fit_tell(lin_fit fit, const lin_fit_data *data, size_t thread, size_t block) {
  const double *c = fit + block * (data->num_inputs + 2);
  double sum = 0;
  for (size_t u = 0; u < data->num_inputs + 2; u++)
    sum += c[u] * value_of(data, 0, thread, u);
  return sum;
}

void lin_fit_errors(lin_fit fit, const lin_fit_data *data, size_t first, size_t count,
                    double *error) {
  for (size_t b = 0; b < data->num_blocks; b++) {
    double squares = 0, sum = 0, others = 0;
    for (size_t t = 0; t < data->num_threads; t++) {
      if (t >= first && t - first < count)
        continue;
      double real = data->entries[t * data->num_blocks + b];
      double off = lin_fit_tell(fit, data, t, b) - real;
      squares += off * off;
      sum += real;
      others++;
    }
    double root = others > 0 ? sqrt(squares / others) : 0;
    bool is_exact = root < 1e-6; // of an entry: rounding
    error[b] = is_exact ? 0 : root * others / sum;
  }
}
