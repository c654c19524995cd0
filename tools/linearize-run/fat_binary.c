#define _POSIX_C_SOURCE 200809L // strnlen

#include "fat_binary.h"

#include "common/fat_entries.h"
#include "preload/symbols.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ALIGNMENT = 8 };

bool fat_binary_fits(const void *data, size_t size, int major, int minor) {
  fat_reader r;
  if (!fat_start(&r, data, size))
    return false;
  for (; fat_read(&r); r.at += fat_whole(&r.entry))
    if (r.entry.kind == FAT_CODE && (int)(r.entry.architecture / 10) == major &&
        (int)(r.entry.architecture % 10) <= minor)
      return true;
  return false;
}

// The text of the entry at hand, linearized, or NULL.
static char *linearize_entry(const fat_reader *r, const image *given, size_t *size) {
  const char *reason = NULL;
  char *owned, *result = NULL;
  size_t length;
  const char *text = fat_content(r, symbols_in, &owned, &length, &reason);
  if (text == NULL)
    image_refuse(given, reason);
  else
    result = image_linearize_text(given, text, strnlen(text, length), size);
  free(owned);
  return result;
}

// Puts `length` bytes behind what is there, from `more` or zeros; false: out of memory.
static bool append(unsigned char **bytes, size_t *used, const void *more, size_t length) {
  unsigned char *grown = realloc(*bytes, *used + length + 1);
  if (grown == NULL)
    return false;
  *bytes = grown;
  if (more != NULL)
    memcpy(grown + *used, more, length);
  else
    memset(grown + *used, 0, length);
  *used += length;
  return true;
}

// The entry at hand, with `text` instead of what it has.
static bool append_text(unsigned char **bytes, size_t *used, const fat_reader *r, const char *text,
                        size_t size) {
  fat_entry e = r->entry;
  size_t filling = (ALIGNMENT - size % ALIGNMENT) % ALIGNMENT;
  e.payload = size + filling;
  e.packed = 0;
  e.unpacked = 0;
  e.flags &= ~(uint64_t)(FAT_LZ4 | FAT_ZSTD);
  return append(bytes, used, &e, sizeof e) &&
         append(bytes, used, r->data + r->at + sizeof e, e.size - sizeof e) &&
         append(bytes, used, text, size) && append(bytes, used, NULL, filling);
}

// Whether a driver compiles a .version of PTX: that of its own CUDA, or an older one. 12.6 and 12.7
// have 8.5 and 8.6.
static bool knows_version(unsigned driver, unsigned major, unsigned minor) {
  if (major < 8)
    return driver >= 12000;
  if (major == 8)
    return driver >= 12000 + 10 * (minor <= 5 ? minor : minor + 1);
  return major == 9 && driver >= 13000 + 10 * minor;
}

// Whether the driver can compile the text of the entry at hand for all GPUs here: then machine code
// of the same module isn't needed. Code for sm_90a is for these GPUs alone.
static bool can_compile(const fat_reader *r, const image *given, const char *text) {
  static const char version_word[] = ".version ", target_word[] = ".target sm_";
  const char *version = strstr(text, version_word), *target = strstr(text, target_word);
  if (given->capability == 0 || version == NULL || target == NULL)
    return false;
  char *end;
  const unsigned major = (unsigned)strtoul(version + sizeof version_word - 1, &end, 10);
  const unsigned minor = *end == '.' ? (unsigned)strtoul(end + 1, NULL, 10) : 0;
  const unsigned sm = (unsigned)strtoul(target + sizeof target_word - 1, &end, 10);
  const bool is_special = *end >= 'a' && *end <= 'z';
  return knows_version(given->driver, major, minor) &&
         (is_special ? sm == given->capability : sm <= given->capability) &&
         r->entry.architecture <= given->capability;
}

static void look_for_ptx(const void *data, size_t size) {
  fat_reader r;
  char what[64] = "";
  if (!fat_start(&r, data, size))
    return;
  for (; fat_read(&r); r.at += fat_whole(&r.entry)) {
    if (r.entry.kind == FAT_PTX)
      return;
    snprintf(what, sizeof what, "%s for sm_%" PRIu32,
             r.entry.kind == FAT_CODE ? "machine code" : "LTO-IR", r.entry.architecture);
  }
  if (what[0] != '\0')
    image_lacks_ptx(what);
}

// A fat binary behind `room` bytes, or NULL.
static unsigned char *linearize(const image *given, const void *data, size_t data_size, size_t room,
                                size_t *size) {
  fat_reader r;
  if (!fat_start(&r, data, data_size)) {
    image_refuse(given, "a fat binary of a form that isn't known");
    return NULL;
  }
  look_for_ptx(data, data_size);
  const bool is_used =
      given->needs_ptx == NULL || given->needs_ptx(given->context, data, data_size);
  const bool drops_code = !is_used && given->capability > 0;
  if (!is_used && !drops_code)
    return NULL;
  unsigned char *result = NULL;
  size_t used = 0;
  uint64_t copied = 0; // up to here
  bool is_whole = append(&result, &used, NULL, room), changes = false;
  for (; is_whole && fat_read(&r); r.at += fat_whole(&r.entry)) {
    const bool is_dropped = drops_code && r.entry.kind == FAT_CODE;
    size_t text_size;
    char *text = r.entry.kind == FAT_PTX ? linearize_entry(&r, given, &text_size) : NULL;
    if (text != NULL && drops_code && !can_compile(&r, given, text)) {
      free(text);
      text = NULL;
    }
    if (text == NULL && !is_dropped)
      continue;
    is_whole = append(&result, &used, r.data + copied, r.at - copied) &&
               (text == NULL || append_text(&result, &used, &r, text, text_size));
    copied = r.at + fat_whole(&r.entry);
    changes |= text != NULL;
    free(text);
  }
  if (changes && is_whole)
    is_whole = append(&result, &used, r.data + copied, r.size - copied);
  if (!changes || !is_whole) {
    if (!is_whole)
      image_refuse(given, "out of memory");
    free(result);
    return NULL;
  }
  fat_header h;
  memcpy(&h, result + room, sizeof h);
  h.rest = used - room - h.size;
  memcpy(result + room, &h, sizeof h);
  *size = used;
  return result;
}

static void *linearize_fat_binary(const image *given, size_t *size) {
  return linearize(given, given->data, given->size, 0, size);
}

static void *linearize_wrapped(const image *given, size_t *size) {
  fat_wrapper w;
  memcpy(&w, given->data, sizeof w);
  if (w.data == NULL)
    return NULL;
  unsigned char *result = linearize(given, w.data, 0, sizeof w, size);
  if (result != NULL) {
    w.data = result + sizeof w;
    memcpy(result, &w, sizeof w);
  }
  return result;
}

// ---- images

// What the first bytes say. A text may end after any of them.
static bool starts_with(const unsigned char *data, uint32_t magic) {
  for (int i = 0; i < 4; i++)
    if (data[i] != (magic >> 8 * i & 0xff))
      return false;
  return true;
}

void *image_linearize(const image *given, size_t *size) {
  if (given->data == NULL)
    return NULL;
  const unsigned char *data = given->data;
  bool is_short = given->size != 0 && given->size < 4;
  if (!is_short && starts_with(data, FAT_MAGIC))
    return linearize_fat_binary(given, size);
  if (!is_short && given->size == 0 && starts_with(data, FAT_WRAPPER_MAGIC))
    return linearize_wrapped(given, size);
  size_t most = given->size == 0 ? IMAGE_MOST_BYTES + 1 : given->size;
  return image_linearize_text(given, given->data, strnlen(given->data, most), size);
}
