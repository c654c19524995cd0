#include "target.h"

#include <string.h>

// A branch that parts a warp: 149.0 cycles as two arms, 96.8 one behind the other. Special: an
// exponential 43.4, a root 48.1 less the addition before it.
static const lin_latency h200 = {
    .arithmetic = 4, .wide = 8, .special = 40, .shared = 29, .global = 290, .parting = 52};

enum { K = 1024 };

// clang-format off
static const lin_target targets[] = {
    // sm, lock_step, warps, blocks, schedulers, registers of a thread, registers, shared,
    // of it taken from a block, latency
    {  0, true,  64, 32, 4, 255,  64 * K,  64 * K,     0, &h200}, // not known
    { 20, true,  48,  8, 2,  63,  32 * K,  48 * K,     0, &h200}, // Fermi
    { 30, true,  64, 16, 4,  63,  64 * K,  48 * K,     0, &h200}, // Kepler
    { 32, true,  64, 16, 4, 255,  64 * K,  48 * K,     0, &h200},
    { 37, true,  64, 16, 4, 255, 128 * K, 112 * K,     0, &h200},
    { 50, true,  64, 32, 4, 255,  64 * K,  64 * K,     0, &h200}, // Maxwell
    { 52, true,  64, 32, 4, 255,  64 * K,  96 * K,     0, &h200},
    { 53, true,  64, 32, 4, 255,  64 * K,  64 * K,     0, &h200},
    { 60, true,  64, 32, 2, 255,  64 * K,  64 * K,     0, &h200}, // Pascal
    { 61, true,  64, 32, 4, 255,  64 * K,  96 * K,     0, &h200},
    { 62, true,  64, 32, 4, 255,  64 * K,  64 * K,     0, &h200},
    { 70, false, 64, 32, 4, 255,  64 * K,  96 * K,     0, &h200}, // Volta
    { 75, false, 32, 16, 4, 255,  64 * K,  64 * K,     0, &h200}, // Turing
    { 80, false, 64, 32, 4, 255,  64 * K, 164 * K, 1 * K, &h200}, // Ampere
    { 86, false, 48, 16, 4, 255,  64 * K, 100 * K, 1 * K, &h200},
    { 87, false, 48, 16, 4, 255,  64 * K, 164 * K, 1 * K, &h200},
    { 88, false, 48, 16, 4, 255,  64 * K, 100 * K, 1 * K, &h200},
    { 89, false, 48, 24, 4, 255,  64 * K, 100 * K, 1 * K, &h200}, // Ada
    { 90, false, 64, 32, 4, 255,  64 * K, 228 * K, 1 * K, &h200}, // Hopper
    {100, false, 64, 32, 4, 255,  64 * K, 228 * K, 1 * K, &h200}, // Blackwell
    {101, false, 48, 24, 4, 255,  64 * K, 228 * K, 1 * K, &h200},
    {103, false, 64, 32, 4, 255,  64 * K, 228 * K, 1 * K, &h200},
    {110, false, 48, 24, 4, 255,  64 * K, 228 * K, 1 * K, &h200},
    {120, false, 48, 24, 4, 255,  64 * K, 100 * K, 1 * K, &h200},
};
// clang-format on

uint32_t lin_target_number(const char *name, size_t length) {
  uint32_t number = 0;
  size_t at = 3;
  if (length <= at || memcmp(name, "sm_", at) != 0)
    return 0;
  for (; at < length && name[at] >= '0' && name[at] <= '9' && number < 1000; at++)
    number = 10 * number + (uint32_t)(name[at] - '0');
  return number;
}

const lin_target *lin_target_find(uint32_t sm) {
  size_t row = sizeof targets / sizeof *targets - 1;
  while (targets[row].sm > sm)
    row--;
  return &targets[row];
}
