// Rays through an implicit tree of boxes: the first leaf that is hit ends the ray; a ray that is
// lost ends the thread.
#include "linearize_device.h"

THREAD_KERNEL(bvh_any_hit) {
  unsigned ray = lin_mix(thread), hits = 0;
  for (unsigned round = 0; round < rounds; round++) {
    unsigned stack[16], top = 0, node = 1, visited = 0;
    for (;;) {
      unsigned box = in[node * 5 + (ray & 15)];
      if (++visited > 120) {
        *result = hits * 2 + 1;
        return;
      }
      if (((box ^ ray) & 0x700) != 0) { // the box is hit
        if (node >= 256) {              // a leaf
          unsigned k;
          for (k = 0; k < 4; k++)
            if (((in[node + k * 7] ^ ray) & 0x3f) == 0) {
              hits += 1 + k;
              goto hit;
            }
        } else {
          unsigned near = ray >> (node & 7) & 1;
          if (top < 16)
            stack[top++] = node * 2 + (1 - near);
          node = node * 2 + near;
          continue;
        }
      }
      if (top == 0)
        break;
      node = stack[--top];
    }
    hits += 1000;
  hit:
    ray = lin_mix(ray + hits + visited);
  }
  *result = hits;
}
