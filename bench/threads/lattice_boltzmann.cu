// Flow through porous rock by the lattice Boltzmann method (three dimensions, 19 velocities): a
// thread takes one cell of a 64 x 64 grid for each layer and follows it `rounds` steps. In rock the
// populations go back where they came from, beside rock some do, elsewhere they relax.
//
// Takes any order of threads.
#include "thread.cuh"

enum { SIZE = 64, VELOCITIES = 19 };

// Velocity 0 rests; 1 to 6 go along an axis; the others along two. Opposite ones stand in pairs.
LIN_FUNCTION int part_of(unsigned velocity, unsigned axis) {
  if (velocity == 0)
    return 0;
  int sign = velocity & 1 ? 1 : -1;
  if (velocity < 7)
    return (velocity - 1) / 2 == axis ? sign : 0;
  unsigned pair = (velocity - 7) / 4, other = (velocity - 7) / 2 % 2;
  if (pair == axis)
    return sign;
  return (pair + 1) % 3 == axis ? (other ? -sign : sign) : 0;
}

LIN_FUNCTION float weight_of(unsigned velocity) {
  return velocity == 0 ? 1.0f / 3.0f : velocity < 7 ? 1.0f / 18.0f : 1.0f / 36.0f;
}

LIN_FUNCTION unsigned opposite(unsigned velocity) {
  return velocity == 0 ? 0 : ((velocity - 1) ^ 1) + 1;
}

LIN_FUNCTION bool is_rock(lin_input in, unsigned x, unsigned y, unsigned z) {
  return lin_noise(in, x % SIZE, y % SIZE, z % SIZE, 8) > 0.55f;
}

APPLICATION(lattice_boltzmann) {
  unsigned x = thread % SIZE, y = thread / SIZE % SIZE, z = thread / SIZE / SIZE;
  float f[VELOCITIES], moment = 0.0f;
#pragma unroll
  for (unsigned v = 0; v < VELOCITIES; v++)
    f[v] = weight_of(v) * (0.9f + 0.2f * lin_unit(in[VELOCITIES * thread + v]));
  bool rock = is_rock(in, x, y, z);
#pragma unroll 1
  for (unsigned step = 0; step < rounds; step++) {
    if (rock) {
#pragma unroll
      for (unsigned v = 1; v < VELOCITIES; v += 2) {
        float kept = f[v];
        f[v] = f[opposite(v)];
        f[opposite(v)] = kept;
      }
    } else {
      float density = 0.0f, ux = 0.0f, uy = 0.0f, uz = 0.0f;
#pragma unroll
      for (unsigned v = 0; v < VELOCITIES; v++) {
        density += f[v];
        ux += f[v] * (float)part_of(v, 0);
        uy += f[v] * (float)part_of(v, 1);
        uz += f[v] * (float)part_of(v, 2);
      }
      ux /= density, uy /= density, uz /= density;
      ux += 0.0005f; // what drives the flow
      float square = ux * ux + uy * uy + uz * uz;
#pragma unroll
      for (unsigned v = 0; v < VELOCITIES; v++) {
        float along =
            (float)part_of(v, 0) * ux + (float)part_of(v, 1) * uy + (float)part_of(v, 2) * uz;
        float rest =
            weight_of(v) * density * (1.0f + 3.0f * along + 4.5f * along * along - 1.5f * square);
        f[v] += 0.8f * (rest - f[v]);
      }
      moment += ux;
    }
    // What flows in from the neighbours of this step is taken from the input; rock sends nothing.
    unsigned v = 1 + step % (VELOCITIES - 1);
    if (!is_rock(in, x - (unsigned)part_of(v, 0), y - (unsigned)part_of(v, 1),
                 z - (unsigned)part_of(v, 2)))
      f[v] = weight_of(v) * (0.9f + 0.2f * lin_unit(in[VELOCITIES * thread + 61 * step]));
    else if (!rock)
      f[v] = f[opposite(v)];
  }
  return lin_bits(moment) ^ lin_bits(f[7]);
}
