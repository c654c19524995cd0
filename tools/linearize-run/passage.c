#define _POSIX_C_SOURCE 200809L // strdup, strnlen

#include "passage.h"

#include "driver.h"
#include "fat_binary.h"
#include "nvrtc.h"
#include "preload/symbols.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static _Thread_local unsigned depth; // of calls that are under way

static bool is_set(const char *variable) {
  const char *value = getenv(variable);
  return value != NULL && value[0] != '\0' && strcmp(value, "0") != 0;
}

typedef struct gpus {
  void *get_device, *get_attribute;
  int count;
} gpus;

// False if the driver can't be asked.
static bool find_gpus(void *driver, gpus *all) {
  void *get_count = symbols_beside(driver, "cuDeviceGetCount");
  all->get_device = symbols_beside(driver, "cuDeviceGet");
  all->get_attribute = symbols_beside(driver, "cuDeviceGetAttribute");
  return get_count != NULL && all->get_device != NULL && all->get_attribute != NULL &&
         AS(driver_device_count, get_count)(&all->count) == DRIVER_SUCCESS;
}

static bool ask_gpu(const gpus *all, int number, int *major, int *minor) {
  int device;
  if (AS(driver_device, all->get_device)(&device, number) != DRIVER_SUCCESS)
    return false;
  driver_device_attribute *attribute = AS(driver_device_attribute, all->get_attribute);
  return attribute(major, DRIVER_MAJOR, device) == DRIVER_SUCCESS &&
         attribute(minor, DRIVER_MINOR, device) == DRIVER_SUCCESS;
}

// Whether a GPU of this machine has no machine code there, or the driver is told to compile PTX in
// any case. Who can't be asked may need it.
static bool needs_ptx(void *driver, const void *data, size_t size) {
  gpus all;
  if (is_set("CUDA_FORCE_PTX_JIT") || is_set("CUDA_FORCE_JIT") || !find_gpus(driver, &all))
    return true;
  for (int number = 0, major, minor; number < all.count; number++)
    if (!ask_gpu(&all, number, &major, &minor) || !fat_binary_fits(data, size, major, minor))
      return true;
  return false;
}

// What the driver compiles for, with --jit. Zeros if it can't be asked, or not all is known.
static void find_limits(void *driver, image *given) {
  gpus all;
  int version;
  void *get_version = symbols_beside(driver, "cuDriverGetVersion");
  if (!image_is_compiled() || get_version == NULL || !find_gpus(driver, &all) ||
      AS(driver_version, get_version)(&version) != DRIVER_SUCCESS)
    return;
  unsigned least = 0;
  for (int number = 0, major, minor; number < all.count; number++) {
    if (!ask_gpu(&all, number, &major, &minor))
      return;
    unsigned capability = (unsigned)(10 * major + minor);
    least = least == 0 || capability < least ? capability : least;
  }
  given->capability = least;
  given->driver = (unsigned)version;
}

// An image that the program has from nvrtc.c is what was made, and the original is there.
static void recall(passage *p, const char *text, size_t size) {
  const size_t length = text == NULL ? 0 : strnlen(text, size == 0 ? IMAGE_MOST_BYTES : size);
  p->original = image_is_linearized(text, length) ? nvrtc_original(text, length) : NULL;
  p->made = p->original == NULL ? NULL : strndup(text, length);
  p->size = length + 1;
}

passage passage_enter(void *function, const void *data, size_t size, const char *name) {
  int error = errno;
  passage p = {.name = name};
  if (depth++ == 0) {
    image given = {
        .data = data, .size = size, .name = name, .needs_ptx = needs_ptx, .context = function};
    find_limits(function, &given);
    p.made = image_linearize(&given, &p.size);
    if (p.made == NULL)
      recall(&p, data, size);
  }
  errno = error;
  return p;
}

void passage_refused(const passage *p, int status) {
  int error = errno;
  char reason[64];
  snprintf(reason, sizeof reason, "what was made of it fails with error %d", status);
  image_refuse(&(image){.name = p->name}, reason);
  errno = error;
}

void passage_leave(passage *p) {
  int error = errno;
  depth--;
  free(p->made);
  free(p->original);
  errno = error;
}

// What a file holds, with a zero behind it, or NULL: the driver will say why it can't be read.
static char *read_file(const char *name, size_t *size) {
  int file = name == NULL ? -1 : open(name, O_RDONLY | O_CLOEXEC);
  struct stat about;
  char *data = NULL;
  if (file >= 0 && fstat(file, &about) == 0 && S_ISREG(about.st_mode) && about.st_size > 0)
    data = malloc((size_t)about.st_size + 1);
  *size = data == NULL ? 0 : (size_t)about.st_size;
  size_t used = 0;
  while (data != NULL && used < *size) {
    ssize_t more = read(file, data + used, *size - used);
    if (more <= 0 && !(more < 0 && errno == EINTR)) {
      free(data);
      data = NULL;
    } else if (more > 0) {
      used += (size_t)more;
    }
  }
  if (data != NULL)
    data[used] = '\0';
  if (file >= 0)
    close(file);
  return data;
}

passage passage_enter_file(void *function, const char *name) {
  int error = errno;
  size_t size;
  char *data = depth == 0 ? read_file(name, &size) : NULL;
  errno = error;
  if (data == NULL) {
    depth++;
    return (passage){.name = name};
  }
  passage p = passage_enter(function, data, size, name);
  free(data);
  errno = error;
  return p;
}

bool passage_start(void) { return depth++ == 0; }

void passage_end(void) { depth--; }
