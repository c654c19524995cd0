// The triangles of a surface in a volume: a thread takes one cell of 64 x 64 x 64, looks which of
// its corners lie inside, and computes the triangles in between with their normals, for `rounds`
// surfaces. Cells are cut into six tetrahedra with 0, 1 or 2 triangles each, which needs no table
// of 256 cases. Most cells have none.
//
// Takes any order of threads.
#include "thread.cuh"

enum { SIZE = 64 };

struct point {
  float x, y, z;
};

LIN_FUNCTION point corner_of(unsigned corner) {
  return {(float)(corner & 1), (float)(corner >> 1 & 1), (float)(corner >> 2)};
}

// Where the surface crosses the edge between two corners.
LIN_FUNCTION point crossing(const float *value, unsigned a, unsigned b, float level) {
  float t = (level - value[a]) / (value[b] - value[a]);
  point p = corner_of(a), q = corner_of(b);
  return {p.x + t * (q.x - p.x), p.y + t * (q.y - p.y), p.z + t * (q.z - p.z)};
}

// What a triangle adds to the sum: its area, and the brightness of its normal.
LIN_FUNCTION float triangle(point a, point b, point c) {
  point u = {b.x - a.x, b.y - a.y, b.z - a.z}, v = {c.x - a.x, c.y - a.y, c.z - a.z};
  point n = {u.y * v.z - u.z * v.y, u.z * v.x - u.x * v.z, u.x * v.y - u.y * v.x};
  float area = lin_sqrt(n.x * n.x + n.y * n.y + n.z * n.z);
  if (area < 1e-6f)
    return 0.0f;
  return 0.5f * area + 0.25f * lin_abs(n.z) / area;
}

APPLICATION(marching_cubes) {
  unsigned x = thread % SIZE, y = thread / SIZE % SIZE, z = thread / SIZE / SIZE;
  float value[8], sum = 0.0f;
  unsigned triangles = 0;
#pragma unroll 1
  for (unsigned corner = 0; corner < 8; corner++)
    value[corner] = lin_noise(in, x + (corner & 1), y + (corner >> 1 & 1), z + (corner >> 2), 16);
#pragma unroll 1
  for (unsigned surface = 0; surface < rounds; surface++) {
    float level = ((float)surface + 0.5f) / (float)rounds;
    unsigned inside = 0;
    for (unsigned corner = 0; corner < 8; corner++)
      inside |= (unsigned)(value[corner] < level) << corner;
    if (inside == 0 || inside == 255)
      continue;
    // Around the diagonal from corner 0 to 7: the way there by 1, 3, 2, 6, 4, 5, 1.
#pragma unroll 1
    for (unsigned tetrahedron = 0; tetrahedron < 6; tetrahedron++) {
      unsigned at[4] = {0, 0x546231u >> 4 * tetrahedron & 7, 0x154623u >> 4 * tetrahedron & 7, 7};
      unsigned in_corners[4] = {}, out_corners[4] = {}, num_in = 0, num_out = 0;
      for (unsigned i = 0; i < 4; i++)
        if (inside >> at[i] & 1)
          in_corners[num_in++] = at[i];
        else
          out_corners[num_out++] = at[i];
      if (num_in == 0 || num_out == 0)
        continue;
      if (num_in == 2) {
        point a = crossing(value, in_corners[0], out_corners[0], level);
        point b = crossing(value, in_corners[0], out_corners[1], level);
        point c = crossing(value, in_corners[1], out_corners[0], level);
        point d = crossing(value, in_corners[1], out_corners[1], level);
        sum += triangle(a, b, c) + triangle(b, c, d);
        triangles += 2;
      } else {
        const unsigned *others = num_in == 1 ? out_corners : in_corners;
        unsigned alone = num_in == 1 ? in_corners[0] : out_corners[0];
        sum += triangle(crossing(value, alone, others[0], level),
                        crossing(value, alone, others[1], level),
                        crossing(value, alone, others[2], level));
        triangles++;
      }
    }
  }
  return lin_bits(sum) + triangles;
}
