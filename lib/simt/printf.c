// vprintf: arguments lie in memory, each aligned to its size, floats as doubles.
#include "machine.h"

#include <stdlib.h>
#include <string.h>

enum { TEXT = 1024 };

typedef struct arguments {
  simt_warp *warp;
  unsigned lane;
  uint64_t address;
  FILE *out;
} arguments;

static bool take(arguments *at, uint32_t size, uint64_t *value) {
  at->address = (at->address + size - 1) / size * size;
  bool ok = simt_access_read(at->warp, at->lane, at->address, size, value);
  at->address += size;
  return ok;
}

// One conversion: `spec` is its text, to which the host's length modifier is added.
static bool convert(arguments *at, const char *flags, size_t num_flags, char conversion,
                    bool is_long) {
  char spec[64], text[TEXT];
  uint64_t value;
  if (num_flags > 40 || memchr(flags, '*', num_flags) != NULL)
    return false;
  bool is_integer = strchr("diuxXoc", conversion) != NULL;
  const char *modifier = is_integer && is_long ? "ll" : "";
  snprintf(spec, sizeof spec, "%%%.*s%s%c", (int)num_flags, flags, modifier, conversion);
  if (!take(at, is_integer && !is_long ? 4 : 8, &value))
    return true;
  // The format is the kernel's; its conversion was taken apart above.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
  if (is_integer && is_long)
    fprintf(at->out, spec, (unsigned long long)value);
  else if (is_integer)
    fprintf(at->out, spec, (unsigned)value);
  else if (strchr("fFeEgGaA", conversion) != NULL)
    fprintf(at->out, spec, simt_double(value));
  else if (conversion == 'p')
    fprintf(at->out, "0x%llx", (unsigned long long)value);
  else if (conversion == 's' && simt_access_text(at->warp, at->lane, value, text, sizeof text))
    fprintf(at->out, spec, text);
#pragma GCC diagnostic pop
  return conversion != 's' || at->warp->worker->fault == NULL;
}

static void print_lane(arguments *at, const char *format) {
  for (const char *p = format; *p != '\0'; p++) {
    if (*p != '%') {
      fputc(*p, at->out);
      continue;
    }
    const char *flags = ++p;
    p += strspn(p, "-+ #0123456789.*");
    size_t num_flags = (size_t)(p - flags);
    bool is_long = *p == 'l' || *p == 'z' || *p == 'j' || *p == 't';
    p += strspn(p, "hlzjt");
    if (*p == '%') {
      fputc('%', at->out);
    } else if (*p == '\0' || strchr("diuxXocfFeEgGaAps", *p) == NULL ||
               !convert(at, flags, num_flags, *p, is_long)) {
      simt_fail(at->warp, at->lane, "an unknown conversion in printf's format \"%s\"", format);
      return;
    }
  }
}

void simt_print(simt_warp *warp, const simt_instruction *in) {
  const simt_group *group = simt_current(warp);
  simt_lanes *r = group->frame->registers;
  FILE *out = warp->machine->launch.output;
  for (uint32_t left = group->mask; left != 0; left &= left - 1) {
    unsigned lane = simt_first_lane(left);
    char format[TEXT];
    if (!simt_access_text(warp, lane, r[in->a][lane], format, sizeof format))
      return;
    arguments at = {warp, lane, r[in->b][lane], out == NULL ? stdout : out};
    print_lane(&at, format);
    r[in->dst][lane] = 0;
  }
}
