#include "fat_entries.h"

#include <string.h>

bool fat_is(const void *data, size_t size) {
  uint32_t magic;
  if (size < sizeof magic)
    return false;
  memcpy(&magic, data, sizeof magic);
  return magic == FAT_MAGIC;
}

bool fat_start(fat_reader *r, const void *data, size_t size) {
  fat_header h;
  if (size != 0 && size < sizeof h)
    return false;
  memcpy(&h, data, sizeof h);
  *r = (fat_reader){.data = data, .at = h.size};
  if (h.magic != FAT_MAGIC || h.version != 1 || h.size < sizeof h || h.rest > UINT32_MAX)
    return false;
  r->size = h.size + h.rest;
  return size == 0 || r->size <= size;
}

bool fat_read(fat_reader *r) {
  uint64_t left = r->size - r->at;
  if (left < sizeof r->entry)
    return false;
  memcpy(&r->entry, r->data + r->at, sizeof r->entry);
  const fat_entry *e = &r->entry;
  return e->size >= sizeof *e && e->size <= left && e->payload <= left - e->size &&
         e->packed <= e->payload;
}

uint64_t fat_whole(const fat_entry *entry) { return entry->size + entry->payload; }

const char *fat_content(const fat_reader *r, unpack_find *find, char **owned, size_t *length,
                        const char **reason) {
  const fat_entry *e = &r->entry;
  const unsigned char *payload = r->data + r->at + e->size;
  *owned = NULL;
  *length = e->payload;
  if ((e->flags & (FAT_LZ4 | FAT_ZSTD)) == 0)
    return (const char *)payload;
  if (e->unpacked > FAT_MOST_BYTES) {
    *reason = "it has more than 128 MB of PTX";
    return NULL;
  }
  unpack_kind kind = (e->flags & FAT_LZ4) != 0 ? UNPACK_LZ4 : UNPACK_ZSTD;
  *length = e->unpacked;
  *owned = unpack(kind, payload, e->packed, e->unpacked, find, reason);
  return *owned;
}
