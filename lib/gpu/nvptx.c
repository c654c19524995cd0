#include "nvptx.h"

#include "costs.h"
#include "graph/graph.h"

#include <stdio.h>
#include <string.h>

// Short names, for the columns of the table.
enum { NOTHING = 0, SIMPLE = LIN_COST_SIMPLE, FEW = LIN_COST_FEW, MANY = LIN_COST_MANY };
enum {
  WRITES = LIN_RELEASES | LIN_MEMORY,
  EVERYTHING = LIN_WAITS | LIN_POLLS | LIN_RELEASES | LIN_CROSS_LANE | LIN_MAY_SPIN | LIN_MEMORY,
};

static const lin_nvptx rows[] = {
#define ROW(name, family, gives, effects, cost, flow, kind, opcode, extra)                         \
  {name, LIN_NVPTX_##family, LIN_GIVES_##gives, effects, cost},
#include "nvptx.def"
};

enum { COUNT = sizeof rows / sizeof *rows };

uint32_t lin_nvptx_count(void) { return COUNT; }

const lin_nvptx *lin_nvptx_row(uint32_t number) { return &rows[number]; }

// LLVM has dots where PTX has _.
static int character(char c) { return c == '_' ? '.' : (unsigned char)c; }

// Compares with a row's name, which may begin with one.
static int compare(char sigil, const char *name, size_t length, const char *row) {
  if (sigil != '\0') {
    if (*row != sigil)
      return sigil - character(*row);
    row++;
  }
  for (size_t i = 0; i < length; i++) {
    int order = character(name[i]) - character(row[i]);
    if (order != 0)
      return order;
  }
  return row[length] == '\0' ? 0 : -1;
}

static uint32_t find(char sigil, const char *name, size_t length) {
  uint32_t low = 0, high = COUNT;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    int order = compare(sigil, name, length, rows[middle].name);
    if (order == 0)
      return middle;
    if (order < 0)
      high = middle;
    else
      low = middle + 1;
  }
  return LIN_NONE;
}

// The length without the last part, or without the number behind a register's last part.
static size_t shorten(char sigil, const char *name, size_t length) {
  size_t end = length;
  while (sigil == '%' && end > 0 && name[end - 1] >= '0' && name[end - 1] <= '9')
    end--;
  if (end < length && end > 0)
    return end;
  while (end > 0 && character(name[end - 1]) != '.')
    end--;
  return end == 0 ? 0 : end - 1;
}

uint32_t lin_nvptx_find(char sigil, const char *name, size_t length, size_t *rest) {
  for (size_t part = length; part > 0; part = shorten(sigil, name, part)) {
    uint32_t found = find(sigil, name, part);
    if (found == LIN_NONE)
      continue;
    if (rest != NULL)
      *rest = length - part;
    return found;
  }
  return LIN_NONE;
}

static const char *behind(const char *name, const char *prefix) {
  size_t length = strlen(prefix);
  return strncmp(name, prefix, length) == 0 ? name + length : NULL;
}

const char *lin_nvptx_behind(const char *intrinsic) { return behind(intrinsic, LIN_NVVM); }

const char *lin_nvptx_behind_register(const char *intrinsic) {
  return behind(intrinsic, LIN_NVVM_REGISTER);
}

const char *lin_nvptx_behind_libdevice(const char *function) { return behind(function, "__nv_"); }

bool lin_nvptx_has_part(const char *opcode, size_t length, const char *part) {
  size_t wanted = strlen(part);
  const char *end = opcode + length;
  for (const char *dot = memchr(opcode, '.', length); dot != NULL;
       dot = memchr(dot + 1, '.', (size_t)(end - dot - 1))) {
    size_t rest = (size_t)(end - dot);
    if (rest >= wanted && memcmp(dot, part, wanted) == 0 && (rest == wanted || dot[wanted] == '.'))
      return true;
  }
  return false;
}

bool lin_nvptx_polls(const lin_nvptx *row, const char *opcode, size_t length) {
  static const char *const seen[] = {".volatile", ".relaxed", ".acquire", ".mmio", ".cg", ".cv"};
  if (strcmp(row->name, "suld") == 0)
    return true;
  if (strcmp(row->name, "ld") != 0)
    return false;
  for (size_t i = 0; i < sizeof seen / sizeof *seen; i++)
    if (lin_nvptx_has_part(opcode, length, seen[i]))
      return true;
  return false;
}

static const lin_nvptx *row_of(char sigil, const char *name) {
  uint32_t found = lin_nvptx_find(sigil, name, strlen(name), NULL);
  return found == LIN_NONE ? NULL : &rows[found];
}

const lin_nvptx *lin_nvptx_register_read(const char *intrinsic) {
  const char *name = lin_nvptx_behind_register(intrinsic);
  static const lin_nvptx unknown = {"%", LIN_NVPTX_REGISTER, LIN_GIVES_THREAD, 0, 0};
  const lin_nvptx *row = name == NULL ? NULL : row_of('%', name);
  return name != NULL && row == NULL ? &unknown : row;
}

const lin_nvptx *lin_nvptx_intrinsic(const char *name) {
  const char *plain = lin_nvptx_behind(name);
  if (lin_nvptx_behind_register(name) != NULL)
    return lin_nvptx_register_read(name);
  return plain == NULL ? NULL : row_of('\0', plain);
}

bool lin_nvptx_stays(const char *name, size_t length) {
  uint32_t found = lin_nvptx_find('%', name, length, NULL);
  return found != LIN_NONE && rows[found].family != LIN_NVPTX_CLOCK &&
         rows[found].gives != LIN_GIVES_WARP;
}

const lin_nvptx *lin_nvptx_callee(const char *name, size_t length) {
  size_t rest = 0;
  uint32_t found = lin_nvptx_find('@', name, length, &rest);
  if (found == LIN_NONE || (rest > 0 && rows[found].family == LIN_NVPTX_RUNTIME))
    return NULL;
  return &rows[found];
}

int lin_nvptx_axis(const lin_nvptx *row) {
  if (row == NULL || row->family < LIN_NVPTX_TID || row->family > LIN_NVPTX_NCTAID)
    return -1;
  return row->name[strlen(row->name) - 1] - 'x';
}

const char *lin_nvptx_reads(lin_nvptx_family family, int axis, char text[LIN_NVPTX_NAME]) {
  uint32_t number = 0;
  while (rows[number].family != family || lin_nvptx_axis(&rows[number]) != axis)
    number++;
  snprintf(text, LIN_NVPTX_NAME, "%s%s", LIN_NVVM_REGISTER, rows[number].name + 1);
  return text;
}
