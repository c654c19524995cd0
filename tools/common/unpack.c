#define _GNU_SOURCE

#include "unpack.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>

// A block of LZ4: the bytes that come out, or less than 0.
typedef int decode_lz4(const char *data, char *result, int size, int result_size);
// A frame of zstd: the bytes that come out, or what is_error says is none.
typedef size_t decode_zstd(void *result, size_t result_size, const void *data, size_t size);
typedef unsigned is_error_zstd(size_t result);

static bool unpack_lz4(void *library, const void *data, size_t size, char *result,
                       size_t result_size, unpack_find *find) {
  decode_lz4 *decode;
  *(void **)&decode = find(library, "LZ4_decompress_safe");
  if (decode == NULL || size > INT_MAX || result_size > INT_MAX)
    return false;
  return decode(data, result, (int)size, (int)result_size) >= 0;
}

static bool unpack_zstd(void *library, const void *data, size_t size, char *result,
                        size_t result_size, unpack_find *find) {
  decode_zstd *decode;
  is_error_zstd *is_error;
  *(void **)&decode = find(library, "ZSTD_decompress");
  *(void **)&is_error = find(library, "ZSTD_isError");
  return decode != NULL && is_error != NULL &&
         is_error(decode(result, result_size, data, size)) == 0;
}

char *unpack(unpack_kind kind, const void *data, size_t size, size_t result_size, unpack_find *find,
             const char **reason) {
  bool is_lz4 = kind == UNPACK_LZ4;
  void *library = dlopen(is_lz4 ? "liblz4.so.1" : "libzstd.so.1", RTLD_LAZY | RTLD_LOCAL);
  if (library == NULL) {
    *reason = is_lz4 ? "its PTX is compressed, and there is no liblz4.so.1"
                     : "its PTX is compressed, and there is no libzstd.so.1";
    return NULL;
  }
  char *result = calloc(1, result_size + 1); // zeros behind what is shorter than it says
  *reason = "out of memory";
  if (result != NULL &&
      !(is_lz4 ? unpack_lz4 : unpack_zstd)(library, data, size, result, result_size, find)) {
    *reason = "its PTX is compressed in a way that isn't understood";
    free(result);
    result = NULL;
  }
  dlclose(library);
  return result;
}
