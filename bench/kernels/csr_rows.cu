// A sparse matrix times a vector, the matrix in compressed sparse rows, in integers: a thread
// multiplies `rounds` rows, one after the other.
//
// Uneven: rows have 1 to 62 entries, most of them few and some many, as in graphs and in meshes
// with a few hubs. A warp takes as long for its 32 rows as for the longest.
//
//     row ─▶ begin, length ─▶ sum += values[k] * x[columns[k]] ─▶ end? ─▶ y ─▶ next row
//                               ▲                                  │ no
//                               └──────────────────────────────────┘
#include "linearize_device.h"

// Where the input's tables begin.
enum { LENGTHS = 7, COLUMNS = 11003, VALUES = 23011, X = 40009 };

// The product of three numbers from 0 to 63: small ones are common, the mean is 8.
LIN_FUNCTION unsigned row_length(unsigned word) {
  return 1 + ((word & 63) * (word >> 6 & 63) * (word >> 12 & 63) >> 12);
}

KERNEL_BODY(csr_rows) {
  unsigned result = 0;
  for (unsigned round = 0; round < rounds; round++) {
    unsigned row = thread * rounds + round;
    unsigned begin = in[row] >> 8;
    unsigned end = begin + row_length(in[LENGTHS + row]);
    unsigned sum = 0;
    for (unsigned k = begin; k < end; k++) {
      unsigned column = in[COLUMNS + k];
      sum += in[VALUES + k] * in[X + column];
    }
    result = lin_mix(result ^ sum);
  }
  return result;
}
