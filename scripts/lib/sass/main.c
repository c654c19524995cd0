// Runs a kernel of bench/kernels' shape: words, mask, rounds, out, threads.
//     PROGRAM GRID BLOCK WORDS ROUNDS THREADS OUT
// Prints warp instructions and threads active.

static uint32_t *random_words(size_t count) {
  uint32_t *words = malloc(count * sizeof *words);
  uint64_t state = 1;
  for (size_t i = 0; i < count; i++) {
    uint64_t z = state += UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
    words[i] = (uint32_t)((z ^ z >> 31) >> 32);
  }
  return words;
}

static void set(uint32_t at, const void *value, size_t size) { memcpy(bank0 + at, value, size); }

int main(int argc, char **argv) {
  if (argc != 7)
    return 2;
  grid_size = (uint32_t)atoi(argv[1]), block_size = (uint32_t)atoi(argv[2]);
  uint32_t words = (uint32_t)atoi(argv[3]), rounds = (uint32_t)atoi(argv[4]);
  uint32_t threads = (uint32_t)atoi(argv[5]), mask = words - 1, one = 1, stack = 1 << 14;
  uint32_t *input = random_words(words), *out = calloc(threads + 1, 4);
  const uint32_t p = 0x210;
  set(0, &block_size, 4), set(4, &one, 4), set(8, &one, 4);
  set(12, &grid_size, 4), set(16, &one, 4), set(20, &one, 4), set(0x28, &stack, 4);
  set(p, &input, 8), set(p + 8, &mask, 4), set(p + 12, &rounds, 4);
  set(p + 16, &out, 8), set(p + 24, &threads, 4);
  static warp w;
  for (int l = 0; l < LANES; l++)
    w.local[l] = malloc(1 << 14);
  w.shared = the_shared;
  for (uint32_t b = 0; b < grid_size; b++)
    for (uint32_t t = 0; t < block_size; t += LANES) {
      w.thread = t, w.block = b;
      w.live = block_size - t >= LANES ? UINT32_MAX : (1u << (block_size - t)) - 1;
      w.num_others = 0;
      activate(&w, w.live);
      run(&w);
    }
  uint64_t all = 0, active = 0;
  for (uint32_t i = 0; i < NUM_INSTRUCTIONS; i++)
    all += issued[i] * block_length[i], active += lanes[i] * block_length[i];
  printf("%llu %.4f\n", (unsigned long long)all, (double)active / (double)all);
  if (getenv("EACH"))
    for (uint32_t i = 0; i < NUM_INSTRUCTIONS; i++)
      if (block_length[i] && issued[i])
        printf("%u +%u %llu %.2f\n", i, block_length[i], (unsigned long long)issued[i],
               (double)lanes[i] / (double)issued[i]);
  FILE *file = fopen(argv[6], "wb");
  fwrite(out, 4, threads, file);
  fclose(file);
}
