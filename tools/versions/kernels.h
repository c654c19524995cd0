// The kernels that a program launches, their versions, and for each shape of a launch the trial of
// which one is best.
//
//     handle ──▶ table ──▶ kernel ─────▶ table ──▶ shape      grid, block, shared memory, sizes
//                (open      versions:               trial, what is chosen, launches until
//                addressing) functions              anybody asks it
//
// Finding a kernel and a shape that are known takes no lock: entries are written once, and
// published by one atomic store. All else is done by whoever has the one lock, which nobody ever
// waits for that launches: who doesn't get it launches what was chosen before. So a program can't
// be kept from going on by what another of its threads is doing here.
//
// What a handle stands for ends with its module (kernels_forget). A library's kernel is a handle of
// all contexts: the table has it once as that, and once for each context.
#ifndef LIN_TOOLS_VERSIONS_KERNELS_H
#define LIN_TOOLS_VERSIONS_KERNELS_H

#include "making.h"
#include "parameters.h"
#include "preload/gpu.h"
#include "preload/launch.h"
#include "versions/trial.h"

#include <pthread.h>
#include <stdatomic.h>

// What is kept has a bound; launches of what comes after that are left alone.
enum {
  KERNELS_MOST = 1 << 13,   // handles
  KERNELS_MOST_SHAPES = 96, // of a kernel; from 32 on, grids of about the same size are one
  KERNELS_EXACT_SHAPES = 32,
};

typedef struct shape {
  struct shape *next;
  unsigned grid[3], block[3], shared;
  uint64_t sizes; // of arguments, 0: they don't count
  bool is_class;  // of all grids between half of this one and it
  // Read and written by all threads:
  atomic_int quiet;              // launches that take `best` and ask nobody
  atomic_uint best;              // the version
  atomic_uint failed;            // versions that couldn't be launched, a bit for each
  atomic_uint uncounted;         // launches that nobody asked about for other reasons
  atomic_ullong until;           // launches, when `quiet` has come to 0
  atomic_ullong usual;           // ns that a launch takes, at most; 0: nobody knows
  atomic_ullong once;            // ns that an order of threads takes to make; 0: nobody knows
  struct orders *_Atomic orders; // NULL: none was wanted yet
  // By who has the lock:
  int granted;         // what `quiet` was set to last
  uint64_t launches;   // until then
  uint32_t timed;      // whose times nobody knows yet
  uint64_t overlapped; // that others were under way with
  bool is_overlap_said;
  uint32_t asked_among; // how often of these
  uint32_t unpaid;      // launches that were made to run alone before any such time was known
  lin_times shares;     // of the GPU's time, that launches of the best version take among others
  uint32_t written[LIN_VERSIONS_MOST]; // times of each version that are in the kernel's file
  lin_trial trial;                     // the last, for it is as long as there are versions
} shape;

typedef struct kernel {
  const gpu *gpu;
  void *key; // by which it is found
  void *handle, *context, *module, *library;
  int device;
  uint32_t versions;                 // 1: nothing to choose
  void *function[LIN_VERSIONS_MOST]; // 0: the handle
  const char *name[LIN_VERSIONS_MOST];
  uint32_t prepared, banned;           // versions, a bit for each
  uint32_t takes_order, takes_counter; // those that take an order; a counter;
  uint32_t takes_line;                 // either of them, of a line
  bool ends;                           // whatever else is launched (versions/format.h)
  struct counters *_Atomic counters;   // NULL: none was wanted yet
  void *inspector;                     // that orders are made by, or NULL
  int inspector_threads;               // the most of a block, once a version of these is prepared
  parameters parameters;               // of the plain one
  int most_threads[LIN_VERSIONS_MOST]; // of a block, once prepared
  int cache;                           // its cache configuration, -1: never set
  making *making;                      // of versions that the program was built without, or NULL
  bool waits;                          // for these
  uint8_t checked[LIN_VERSIONS_MOST];  // launches of each (check.h); 0: that couldn't be checked
  struct kernel *before;               // that waited for them, or NULL
  uint64_t hash;
  const char *symbol, *compiler, *gpu_name;
  char *texts;                                                // that names point into
  struct remembered *remembered;                              // of earlier runs, or NULL
  struct shape *_Atomic shapes;                               // all,
  struct shape *_Atomic shape_table[2 * KERNELS_MOST_SHAPES]; // and by what they are
  atomic_uint num_shapes;
  struct kernel *next; // all that have versions
} kernel;

extern pthread_mutex_t kernels_lock;
extern lin_ledger kernels_ledger; // of all trials, by who has the lock

// The kernel of a launch. NULL: it is left alone. Looks at its module if it was never seen, for
// which it needs the lock. O(1).
kernel *kernels_find(const launch *l);
// The same of a handle that isn't launched yet; `function` is any of the driver's. Waits for the
// lock.
kernel *kernels_find_now(void *function, void *handle);

// The launch's shape; NULL: there are too many. O(1), as far as the table's hashes differ.
shape *kernels_shape(kernel *k, const launch *l, uint64_t sizes);

// How many threads a launch of the shape has; 0: 2^32 or more, or a class, which has no one number.
// A line has y and z of 1.
uint64_t kernels_threads(const shape *s, bool *is_line);

// Fills in what the kernel's module says of it, for who adds it to the table. False: nothing that
// could be used. By who has the lock. O(versions).
bool kernels_describe(kernel *k, void *function);

// What has to be done before a version is launched first: it is loaded, and gets the attributes of
// the plain one. False: it can't stand in for it. By who has the lock.
bool kernels_prepare(kernel *k, uint32_t version);

// The version isn't launched any more: it can't stand in for the plain one. By who has the lock.
void kernels_ban(kernel *k, uint32_t version);

// Frees a kernel that nobody finds any more, and what it has on the GPU, unless its context ends.
void kernels_release(kernel *k, bool ends_context);

// The kernel waits for versions, and a time of it is known. If they are there, all that is known of
// it begins anew with them; `k` stays where it is, for good. In its context, by who has the lock.
void kernels_wait(kernel *k);

// What all launches of the kernel took, in ns. By who has the lock. O(shapes).
uint64_t kernels_time(const kernel *k);

// All kernels that have versions, by who has the lock.
kernel *kernels_first(void);

enum { KERNELS_MOST_CONTEXTS = 16 };

// What ends, and with it what handles stand for: those that are NULL, or negative, don't.
typedef struct ending {
  const void *module, *library, *context;
  int device;                                 // its primary context
  const void *modules[KERNELS_MOST_CONTEXTS]; // a library's, one for each context
} ending;

// All that is known of it is forgotten.
void kernels_forget(ending e);

// Adds the modules of a library that ends, in the contexts in which kernels were launched:
// functions that stand for its kernels are of these.
void kernels_find_modules(ending *e, void *function, void *library);

#endif
