// Launches on a GPU for bench/device/choosing, by the driver's functions, as programs do; whether a library is in
// front of them is the environment's business.
//
//   choosing run LIST LAUNCHES ROUNDS [MS]   each kernel of LIST, with each size of input: a line
//                                         `run KERNEL WORDS HASH MS MS ...`, a time for each launch
//   choosing follow LIST LAUNCHES ROUNDS  each kernel with 64 KB, then with 4 MB, in launches of one shape
//   choosing overhead CUBIN               nanoseconds of the CPU for a launch of kernels that do nothing
//   choosing slow CUBIN LAUNCHES          a kernel of which a version takes four times as long: times as above
//
// LIST has lines `KERNEL CUBIN ROUNDS`; where ROUNDS is 0 it is what takes MS, or 0.2 ms, which goes to the file
// ROUNDS if that isn't there, and is read from there if it is: so that all runs do the same work.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { BLOCK = 128, BLOCKS = 2048, MOST_WORDS = 1 << 20, MOST_ROUNDS = 1 << 12, MOST_KERNELS = 256 };
static double wanted_ms = 0.2, most_ms = 250; // of a launch; of all of a kernel and size, but
enum { LEAST_LAUNCHES = 60 };
static const unsigned sizes[] = {1 << 14, 1 << 16, 1 << 20}; // words
enum { SIZES = sizeof sizes / sizeof *sizes };

typedef int launch(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                   void *, void **, void **);

// ---- the driver

static void *library, *events[2];
static launch *launch_kernel;

#define FUNCTION(type, name) ((int(*) type)(uintptr_t)dlsym(library, #name))
#define CALL(type, name, ...)                                                                      \
  do {                                                                                             \
    static int(*called) type;                                                                      \
    if (called == NULL)                                                                            \
      called = FUNCTION(type, name);                                                               \
    int status = called == NULL ? -1 : called(__VA_ARGS__);                                        \
    if (status != 0)                                                                               \
      fprintf(stderr, "choosing: %s: %d\n", #name, status), exit(1);                               \
  } while (0)

static void begin(void) {
  void *context;
  library = dlopen("libcuda.so.1", RTLD_LAZY);
  if (library == NULL)
    fprintf(stderr, "choosing: there is no libcuda.so.1\n"), exit(1);
  launch_kernel = (launch *)(uintptr_t)dlsym(library, "cuLaunchKernel");
  CALL((unsigned), cuInit, 0);
  CALL((void **, int), cuDevicePrimaryCtxRetain, &context, 0);
  CALL((void *), cuCtxSetCurrent, context);
  for (int i = 0; i < 2; i++)
    CALL((void **, unsigned), cuEventCreate, &events[i], 0);
}

static uint64_t allocate(size_t bytes) {
  uint64_t at;
  CALL((uint64_t *, size_t), cuMemAlloc_v2, &at, bytes);
  return at;
}

// ---- kernels

typedef struct kernel {
  char name[64], cubin[256];
  unsigned rounds;
  void *module, *function;
} kernel;

static kernel kernels[MOST_KERNELS];
static int num_kernels;
static uint64_t words, out;

static void read_list(const char *list) {
  FILE *file = fopen(list, "r");
  if (file == NULL)
    fprintf(stderr, "choosing: %s can't be read\n", list), exit(1);
  kernel k;
  while (fscanf(file, "%63s %255s %u", k.name, k.cubin, &k.rounds) == 3 && num_kernels < MOST_KERNELS)
    kernels[num_kernels++] = k;
  fclose(file);
}

static void load(kernel *k) {
  CALL((void **, const char *), cuModuleLoad, &k->module, k->cubin);
  CALL((void **, void *, const char *), cuModuleGetFunction, &k->function, k->module, k->name);
}

// splitmix64 from 1, as linearize-simt's buf:u32:N:random.
static void make_input(void) {
  uint32_t *all = malloc(MOST_WORDS * sizeof *all);
  uint64_t state = 1;
  for (int i = 0; i < MOST_WORDS; i++) {
    uint64_t z = state += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    all[i] = (uint32_t)((z ^ z >> 31) >> 32);
  }
  words = allocate(MOST_WORDS * sizeof *all);
  out = allocate(BLOCKS * BLOCK * sizeof *all);
  CALL((uint64_t, const void *, size_t), cuMemcpyHtoD_v2, words, all, MOST_WORDS * sizeof *all);
  free(all);
}

static double run_once(const kernel *k, unsigned blocks, unsigned size, unsigned rounds) {
  unsigned mask = size - 1, threads = blocks * BLOCK;
  uint64_t order = 0;
  void *arguments[] = {&words, &mask, &rounds, &out, &threads, &order};
  float ms;
  CALL((void *, void *), cuEventRecord, events[0], NULL);
  int status = launch_kernel(k->function, blocks, 1, 1, BLOCK, 1, 1, 0, NULL, arguments, NULL);
  if (status != 0)
    fprintf(stderr, "choosing: %s: %d\n", k->name, status), exit(1);
  CALL((void *, void *), cuEventRecord, events[1], NULL);
  CALL((void *), cuEventSynchronize, events[1]);
  CALL((float *, void *, void *), cuEventElapsedTime, &ms, events[0], events[1]);
  return (double)ms;
}

// Of all words that the last launch wrote.
static uint64_t hash_output(unsigned blocks) {
  static uint32_t got[BLOCKS * BLOCK];
  CALL((void *, uint64_t, size_t), cuMemcpyDtoH_v2, got, out, blocks * BLOCK * sizeof *got);
  uint64_t hash = 0xcbf29ce484222325;
  for (unsigned i = 0; i < blocks * BLOCK; i++)
    hash = (hash ^ got[i]) * 0x100000001b3;
  return hash;
}

// ---- rounds: those of the first size

static void read_rounds(const char *name) {
  char kernel_name[64];
  unsigned rounds;
  FILE *file = fopen(name, "r");
  while (file != NULL && fscanf(file, "%63s %u", kernel_name, &rounds) == 2)
    for (int i = 0; i < num_kernels; i++)
      if (strcmp(kernels[i].name, kernel_name) == 0)
        kernels[i].rounds = rounds;
  if (file != NULL)
    fclose(file);
}

static void write_rounds(const char *name) {
  FILE *file = fopen(name, "w");
  for (int i = 0; i < num_kernels; i++)
    fprintf(file, "%s %u\n", kernels[i].name, kernels[i].rounds);
  fclose(file);
}

// In a shape that isn't measured, and by whatever version is plain there.
static void find_rounds(const char *name) {
  read_rounds(name);
  for (int i = 0; i < num_kernels; i++) {
    kernel *k = &kernels[i];
    for (unsigned rounds = 1; k->rounds == 0; rounds *= 2) {
      run_once(k, BLOCKS - SIZES, sizes[0], rounds);
      if (rounds == MOST_ROUNDS || run_once(k, BLOCKS - SIZES, sizes[0], rounds) >= wanted_ms)
        k->rounds = rounds;
    }
  }
  write_rounds(name);
}

// ---- measuring

static void print_times(const char *what, const kernel *k, unsigned size, const double *ms, int count,
                        unsigned blocks) {
  printf("%s %s %u %016llx", what, k->name, size, (unsigned long long)hash_output(blocks));
  for (int i = 0; i < count; i++)
    printf(" %.5f", ms[i]);
  printf("\n");
}

static void run_all(int launches) {
  double *ms = malloc((size_t)launches * sizeof *ms);
  for (int k = 0; k < num_kernels; k++)
    for (unsigned s = 0; s < SIZES; s++) {
      double sum = 0;
      int done = 0;
      for (; done < launches && (done < LEAST_LAUNCHES || sum < most_ms); done++)
        sum += ms[done] = run_once(&kernels[k], BLOCKS - s, sizes[s], kernels[k].rounds);
      print_times("run", &kernels[k], sizes[s], ms, done, BLOCKS - s);
    }
  free(ms);
}

static void follow_all(int launches) {
  double *ms = malloc(2 * (size_t)launches * sizeof *ms);
  for (int k = 0; k < num_kernels; k++) {
    for (int i = 0; i < 2 * launches; i++)
      ms[i] = run_once(&kernels[k], BLOCKS, sizes[i < launches ? 0 : SIZES - 1], kernels[k].rounds);
    print_times("follow", &kernels[k], 0, ms, 2 * launches, BLOCKS);
  }
  free(ms);
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static void run_slow(const char *cubin, int launches) {
  kernel k = {.name = "slow", .rounds = 10000};
  double *ms = malloc((size_t)launches * sizeof *ms);
  snprintf(k.cubin, sizeof k.cubin, "%s", cubin);
  make_input();
  load(&k);
  for (int i = 0; i < launches; i++)
    ms[i] = run_once(&k, 1, MOST_WORDS, k.rounds);
  print_times("slow", &k, MOST_WORDS, ms, launches, 1);
  free(ms);
}

static int by_size(const void *a, const void *b) {
  double left = *(const double *)a, right = *(const double *)b;
  return left < right ? -1 : left > right;
}

// The median of batches that the driver's queue has room for.
static void overhead(const char *cubin) {
  enum { BATCHES = 41, BATCH = 200 };
  static const char *const names[] = {"other", "empty", "other"};
  enum { KINDS = 3, WITH_EVENTS = 2 };
  void *module, *function, *arguments[] = {NULL};
  CALL((void **, const char *), cuModuleLoad, &module, cubin);
  for (int k = 0; k < KINDS; k++) {
    double ns[BATCHES];
    CALL((void **, void *, const char *), cuModuleGetFunction, &function, module, names[k]);
    for (int batch = 0; batch < BATCHES; batch++) {
      double start = now();
      for (int i = 0; i < BATCH; i++) {
        if (k == WITH_EVENTS)
          CALL((void *, void *), cuEventRecord, events[0], NULL);
        launch_kernel(function, 1, 1, 1, 32, 1, 1, 0, NULL, arguments, NULL);
        if (k == WITH_EVENTS)
          CALL((void *, void *), cuEventRecord, events[1], NULL);
      }
      ns[batch] = (now() - start) / BATCH;
      CALL((void), cuCtxSynchronize, );
    }
    qsort(ns, BATCHES, sizeof *ns, by_size);
    printf("overhead %s %.1f\n", k == WITH_EVENTS ? "events" : names[k], ns[BATCHES / 2]);
  }
}

int main(int argc, char **argv) {
  if (argc < 3 || argc > 6)
    return 2;
  begin();
  if (argc == 3)
    overhead(argv[2]);
  if (argc == 4)
    run_slow(argv[2], atoi(argv[3]));
  if (argc < 5)
    return 0;
  if (argc > 5) {
    wanted_ms = atof(argv[5]);
    most_ms = 400;
  }
  read_list(argv[2]);
  make_input();
  for (int k = 0; k < num_kernels; k++)
    load(&kernels[k]);
  find_rounds(argv[4]);
  double start = now();
  if (strcmp(argv[1], "run") == 0)
    run_all(atoi(argv[3]));
  else
    follow_all(atoi(argv[3]));
  printf("wall %.3f\n", (now() - start) / 1e6);
  return 0;
}
