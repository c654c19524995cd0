#include "standin.h"

#include "exports.h"

#include <stdlib.h>
#include <string.h>

gpu_memory **driver_memory;
uint32_t driver_memories;
static uint32_t capacity;
static uint64_t used;

// ---- where it is

static uint32_t place_of(gpu_address address) {
  uint32_t low = 0, high = driver_memories;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (driver_memory[middle]->address <= address)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

gpu_memory *memory_find(gpu_address address) {
  uint32_t place = place_of(address);
  if (place == 0)
    return NULL;
  gpu_memory *m = driver_memory[place - 1];
  return address - m->address < m->size ? m : NULL;
}

static void insert(gpu_memory *m) {
  if (driver_memories == capacity) {
    capacity = capacity == 0 ? 64 : 2 * capacity;
    driver_memory = realloc(driver_memory, capacity * sizeof(gpu_memory *));
    if (driver_memory == NULL)
      abort();
  }
  uint32_t place = place_of(m->address);
  memmove(&driver_memory[place + 1], &driver_memory[place],
          (driver_memories - place) * sizeof(gpu_memory *));
  driver_memory[place] = m;
  driver_memories++;
}

static uint8_t *allocate(uint64_t size, uint8_t *given) {
  uint8_t *bytes = given != NULL ? given : calloc(1, size + 1);
  if (bytes == NULL)
    abort();
  return bytes;
}

// Addresses that neither the program nor the simulator's global variables have, never used again.
static gpu_address new_address(uint64_t size) {
  static gpu_address end = (gpu_address)1 << 40;
  static const uint64_t step = 4096;
  gpu_address address = end;
  end += (size / step + 2) * step;
  return address;
}

static gpu_memory *make(uint64_t size, uint8_t *bytes, uint8_t *written, bool is_hosts) {
  if (size > driver_settings.memory - used)
    return NULL;
  gpu_memory *m = calloc(1, sizeof *m);
  if (m == NULL)
    abort();
  *m = (gpu_memory){.size = size, .context = driver_current, .is_hosts = is_hosts};
  m->bytes = allocate(size, bytes);
  m->written = allocate(size, written);
  m->address = is_hosts ? (uintptr_t)m->bytes : new_address(size);
  used += size;
  insert(m);
  return m;
}

gpu_memory *memory_new(uint64_t size, uint8_t *bytes, uint8_t *written) {
  return make(size, bytes, written, false);
}

void memory_release(gpu_memory *m) {
  uint32_t place = place_of(m->address) - 1;
  driver_memories--;
  memmove(&driver_memory[place], &driver_memory[place + 1],
          (driver_memories - place) * sizeof(gpu_memory *));
  used -= m->size;
  free(m->bytes);
  free(m->written);
  free(m);
}

// ---- allocating

static int give(gpu_address *at, uint64_t size, bool is_hosts) {
  if (at == NULL || size == 0)
    return INVALID_VALUE;
  gpu_memory *m = make(size, NULL, NULL, is_hosts);
  if (m == NULL)
    return OUT_OF_MEMORY;
  *at = m->address;
  return OK;
}

static int take(gpu_address at) {
  gpu_memory *m = memory_find(at);
  if (at == 0)
    return OK;
  if (m == NULL || m->address != at)
    return INVALID_VALUE;
  driver_wait(context_end(m->context));
  memory_release(m);
  return OK;
}

int cuMemAlloc_v2(gpu_address *at, size_t size) {
  LEAVE_UNLESS_OK(driver_enter_unsafe("cuMemAlloc"));
  return driver_leave(give(at, size, false));
}

int cuMemAllocManaged(gpu_address *at, size_t size, unsigned flags) {
  (void)flags;
  LEAVE_UNLESS_OK(driver_enter_unsafe("cuMemAllocManaged"));
  return driver_leave(give(at, size, true));
}

int cuMemHostAlloc(void **at, size_t size, unsigned flags) {
  (void)flags;
  gpu_address address = 0;
  LEAVE_UNLESS_OK(driver_enter_unsafe("cuMemHostAlloc"));
  int status = give(&address, size, true);
  *at = (void *)(uintptr_t)address;
  return driver_leave(status);
}

int cuMemFree_v2(gpu_address at) {
  LEAVE_UNLESS_OK(driver_enter_unsafe("cuMemFree"));
  return driver_leave(take(at));
}

// There are no pools: it is there at once, and until the stream has come to its end.
int cuMemAllocAsync(gpu_address *at, size_t size, void *stream) {
  LEAVE_UNLESS_OK(driver_enter_context("cuMemAllocAsync"));
  return driver_leave(stream_of(stream) == NULL ? INVALID_HANDLE : give(at, size, false));
}

int cuMemFreeAsync(gpu_address at, void *stream) {
  LEAVE_UNLESS_OK(driver_enter_context("cuMemFreeAsync"));
  return driver_leave(stream_of(stream) == NULL ? INVALID_HANDLE : take(at));
}

int cuMemFreeHost(void *at) {
  LEAVE_UNLESS_OK(driver_enter_unsafe("cuMemFreeHost"));
  return driver_leave(take((uintptr_t)at));
}

int cuMemGetInfo_v2(size_t *left, size_t *all) {
  LEAVE_UNLESS_OK(driver_enter_context("cuMemGetInfo"));
  *left = driver_settings.memory - used;
  *all = driver_settings.memory;
  return driver_leave(OK);
}

int cuMemGetAddressRange_v2(gpu_address *base, size_t *size, gpu_address at) {
  LEAVE_UNLESS_OK(driver_enter_context("cuMemGetAddressRange"));
  const gpu_memory *m = memory_find(at);
  if (m == NULL)
    return driver_leave(INVALID_VALUE);
  if (base != NULL)
    *base = m->address;
  if (size != NULL)
    *size = m->size;
  return driver_leave(OK);
}

// ---- copying

// The bytes of an address of either side; NULL: out of bounds.
static uint8_t *bytes_at(gpu_address address, uint64_t size, uint8_t **written) {
  gpu_memory *m = memory_find(address);
  *written = NULL;
  if (m == NULL) // the program's
    return (uint8_t *)(uintptr_t)address;
  if (m->size - (address - m->address) < size)
    return NULL;
  *written = m->written + (address - m->address);
  return m->bytes + (address - m->address);
}

static int copy(gpu_address to, gpu_address from, uint64_t size) {
  uint8_t *written, *read;
  uint8_t *source = bytes_at(from, size, &read), *destination = bytes_at(to, size, &written);
  if (size > 0 && (source == NULL || destination == NULL))
    return INVALID_VALUE;
  if (size > 0)
    memmove(destination, source, size);
  if (size > 0 && written != NULL)
    memset(written, 1, size);
  return OK;
}

static int fill(gpu_address to, const uint8_t *pattern, uint64_t width, uint64_t count) {
  uint8_t *written, *bytes = bytes_at(to, width * count, &written);
  if (bytes == NULL || (count > 0 && written == NULL))
    return INVALID_VALUE;
  for (uint64_t i = 0; i < width * count; i++)
    bytes[i] = pattern[i % width];
  if (count > 0)
    memset(written, 1, width * count);
  return OK;
}

// What a copy takes: a microsecond, and one for each 10 KB.
static uint64_t time_of(uint64_t size) { return 1000 + size / 10; }

static int copy_in_stream(const char *function, gpu_address to, gpu_address from, uint64_t size,
                          void *handle, bool waits) {
  LEAVE_UNLESS_OK(driver_enter_context(function));
  gpu_stream *s = stream_of(handle);
  if (s == NULL)
    return driver_leave(INVALID_HANDLE);
  if (s->captured != NULL)
    return driver_leave(NOT_SUPPORTED);
  int status = copy(to, from, size);
  uint64_t end = stream_work(s, time_of(size));
  if (waits)
    driver_wait(end);
  return driver_leave(status == OK && waits ? context_status(driver_current) : status);
}

#define COPY(name, to_type, from_type)                                                             \
  int name(to_type to, from_type from, size_t size) {                                              \
    return copy_in_stream(#name, (gpu_address)to, (gpu_address)from, size, NULL, true);            \
  }
#define COPY_ASYNC(name, to_type, from_type)                                                       \
  int name(to_type to, from_type from, size_t size, void *stream) {                                \
    return copy_in_stream(#name, (gpu_address)to, (gpu_address)from, size, stream, false);         \
  }

COPY(cuMemcpy, gpu_address, gpu_address)
COPY(cuMemcpyHtoD_v2, gpu_address, const void *)
COPY(cuMemcpyDtoH_v2, void *, gpu_address)
COPY(cuMemcpyDtoD_v2, gpu_address, gpu_address)
COPY_ASYNC(cuMemcpyAsync, gpu_address, gpu_address)
COPY_ASYNC(cuMemcpyHtoDAsync_v2, gpu_address, const void *)
COPY_ASYNC(cuMemcpyDtoHAsync_v2, void *, gpu_address)
COPY_ASYNC(cuMemcpyDtoDAsync_v2, gpu_address, gpu_address)

static int fill_in_stream(const char *function, gpu_address to, uint32_t value, uint64_t width,
                          uint64_t count, void *handle) {
  LEAVE_UNLESS_OK(driver_enter_context(function));
  gpu_stream *s = stream_of(handle);
  if (s == NULL)
    return driver_leave(INVALID_HANDLE);
  if (s->captured != NULL)
    return driver_leave(NOT_SUPPORTED);
  uint8_t pattern[4];
  memcpy(pattern, &value, sizeof pattern);
  counter_written(to, s);
  int status = fill(to, pattern, width, count);
  stream_work(s, time_of(width * count));
  return driver_leave(status);
}

int cuMemsetD8_v2(gpu_address to, unsigned char value, size_t count) {
  return fill_in_stream("cuMemsetD8", to, value, 1, count, NULL);
}

int cuMemsetD8Async(gpu_address to, unsigned char value, size_t count, void *stream) {
  return fill_in_stream("cuMemsetD8Async", to, value, 1, count, stream);
}

int cuMemsetD32_v2(gpu_address to, unsigned value, size_t count) {
  return fill_in_stream("cuMemsetD32", to, value, 4, count, NULL);
}

int cuMemsetD32Async(gpu_address to, unsigned value, size_t count, void *stream) {
  return fill_in_stream("cuMemsetD32Async", to, value, 4, count, stream);
}
