// Global alignment by Needleman and Wunsch: a thread block aligns two sequences of 128 bases,
// `rounds` times over, along the diagonals of their matrix: a thread has one row, and works while
// its row is on the diagonal. Half of the threads wait.
//
// Takes no order: its threads have places, and barriers between the diagonals.
#include "thread.cuh"

enum { SIDE = LIN_BLOCK, GAP = -2 };

LIN_FUNCTION unsigned base_of(lin_input in, unsigned sequence, unsigned at) {
  return in[sequence * 8 + at / 16] >> 2 * (at % 16) & 3;
}

#ifndef LIN_HOST
BLOCK_APPLICATION(needleman_wunsch) {
  // The last three diagonals, by row; [0] is the matrix's border.
  __shared__ int diagonals[3][SIDE + 1];
  int row = (int)lane + 1, result = 0;
#pragma unroll 1
  for (unsigned round = 0; round < rounds; round++) {
    unsigned pair = 2 * (first / LIN_BLOCK + round);
#pragma unroll 1
    for (int diagonal = 2; diagonal <= 2 * SIDE; diagonal++) {
      int *now = diagonals[diagonal % 3], *before = diagonals[(diagonal + 2) % 3],
          *earlier = diagonals[(diagonal + 1) % 3];
      int column = diagonal - row;
      if (column >= 1 && column <= SIDE) {
        int corner = row == 1      ? GAP * (column - 1)
                     : column == 1 ? GAP * (row - 1)
                                   : earlier[row - 1];
        int up = row == 1 ? GAP * column : before[row - 1];
        int left = column == 1 ? GAP * row : before[row];
        bool equal = base_of(in, pair, lane) == base_of(in, pair + 1, (unsigned)column - 1);
        int best = corner + (equal ? 3 : -1);
        if (up + GAP > best)
          best = up + GAP;
        if (left + GAP > best)
          best = left + GAP;
        now[row] = best;
        if (column == SIDE)
          result = result * 3 + best;
      }
      __syncthreads();
    }
  }
  return (unsigned)result;
}
#else
BLOCK_APPLICATION(needleman_wunsch) {
  int results[SIDE] = {};
  for (unsigned round = 0; round < rounds; round++) {
    unsigned pair = 2 * (first / LIN_BLOCK + round);
    static int matrix[SIDE + 1][SIDE + 1];
    for (int i = 0; i <= SIDE; i++)
      matrix[i][0] = matrix[0][i] = GAP * i;
    for (int i = 1; i <= SIDE; i++)
      for (int j = 1; j <= SIDE; j++) {
        bool equal = base_of(in, pair, unsigned(i) - 1) == base_of(in, pair + 1, unsigned(j) - 1);
        int best = matrix[i - 1][j - 1] + (equal ? 3 : -1);
        int gap = (matrix[i - 1][j] > matrix[i][j - 1] ? matrix[i - 1][j] : matrix[i][j - 1]) + GAP;
        matrix[i][j] = best > gap ? best : gap;
      }
    for (int i = 0; i < SIDE; i++)
      results[i] = results[i] * 3 + matrix[i + 1][SIDE];
  }
  for (unsigned i = 0; i < SIDE; i++)
    out[i] = unsigned(results[i]);
}
#endif
