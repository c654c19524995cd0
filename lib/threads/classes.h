// Threads of equal vectors are one class: a million threads have few different vectors, and what is
// slow is done on those.
//
//     vector of thread    0:A 1:B 2:A 3:A 4:C        classes in the order of their first threads
//     thread[]            0 2 3 | 1 | 4              each class's threads, rising
//     begin[]             0       3   4   5
#ifndef LIN_THREADS_CLASSES_H
#define LIN_THREADS_CLASSES_H

#include "memory.h"
#include "vectors.h"

typedef struct lin_classes {
  uint32_t count;
  uint32_t *begin;  // [count + 1]
  uint32_t *thread; // [num_threads]
} lin_classes;

// Vectors are equal if they are in the `num_columns` blocks of `column`. Expected O(num_threads *
// num_columns): by a hash, and what it finds is compared.
bool lin_classes_find(lin_classes *classes, lin_memory *memory, const lin_vectors *vectors,
                      const uint32_t *column, size_t num_columns);

// The vector of all threads of a class, in the columns in which they are equal.
static inline const uint32_t *lin_class_vector(const lin_classes *classes,
                                               const lin_vectors *vectors, uint32_t c) {
  return lin_vector(vectors, classes->thread[classes->begin[c]]);
}

#endif
