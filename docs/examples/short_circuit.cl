// The tutorial's kernel in OpenCL C, with a function of libclc: if ((c1 || c2) && c3) S1; else S2;
static uint stir(uint x, uint times) {
  for (uint i = 0; i < times; i++) {
    x ^= x >> 16;
    x *= 0x85ebca6b;
  }
  return x;
}

kernel void short_circuit(global const uint *in, uint mask, uint rounds, global uint *out) {
  uint thread = get_global_id(0), x = stir(thread, 4);
  for (uint round = 0; round < rounds; round++) {
    global const uint *at = in + (x & mask);
    if ((at[0] & 1 || at[1] & 2) && stir(at[2], 4) & 4)
      x += stir(x, 24); // S1
    else
      x ^= x << 5; // S2
    x = rotate(x, round);
  }
  out[thread] = x;
}
