#include "arguments.h"

#include <stdlib.h>
#include <string.h>

typedef struct scalar_type {
  const char *name;
  uint8_t bits;
  bool is_float, is_signed;
} scalar_type;

static const scalar_type types[] = {
    {"u8", 8, false, false},   {"i8", 8, false, true},    {"u16", 16, false, false},
    {"i16", 16, false, true},  {"u32", 32, false, false}, {"i32", 32, false, true},
    {"u64", 64, false, false}, {"i64", 64, false, true},  {"f32", 32, true, false},
    {"f64", 64, true, false},
};

// The field up to the next colon, which `*text` then is behind; NULL at the end.
static const char *field(lin_arena *arena, const char **text) {
  if (*text == NULL)
    return NULL;
  size_t length = strcspn(*text, ":");
  const char *result = lin_arena_text(arena, *text, length);
  *text = (*text)[length] == ':' ? *text + length + 1 : NULL;
  return result;
}

static const scalar_type *find_type(const char *name, const char *argument) {
  for (size_t i = 0; name != NULL && i < sizeof types / sizeof *types; i++)
    if (strcmp(name, types[i].name) == 0)
      return &types[i];
  tool_die(2, "--arg %s: the type is not one of u8 to u64, i8 to i64, f32, f64", argument);
}

static uint64_t float_bits(double value, uint8_t bits) {
  return bits == 32 ? simt_float_bits((float)value) : simt_double_bits(value);
}

static uint64_t parse_scalar(const scalar_type *type, const char *text, const char *argument) {
  char *end = NULL;
  uint64_t value = 0;
  if (text != NULL && type->is_float)
    value = float_bits(strtod(text, &end), type->bits);
  else if (text != NULL && text[0] == '-')
    value = (uint64_t)strtoll(text, &end, 0);
  else if (text != NULL)
    value = strtoull(text, &end, 0);
  if (text == NULL || end == text || *end != '\0')
    tool_die(2, "--arg %s: '%s' is no number", argument, text == NULL ? "" : text);
  return type->bits == 64 ? value : value & (((uint64_t)1 << type->bits) - 1);
}

// Steele, Lea and Flood, "Fast Splittable Pseudorandom Number Generators" (2014).
static uint64_t random_word(uint64_t *state) {
  uint64_t z = *state += 0x9e3779b97f4a7c15;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
  z = (z ^ z >> 27) * 0x94d049bb133111eb;
  return z ^ z >> 31;
}

static uint64_t random_element(const scalar_type *type, uint64_t *state, uint64_t below) {
  uint64_t word = random_word(state);
  if (below != 0)
    return type->is_float ? float_bits((double)(word % below), type->bits) : word % below;
  if (type->is_float)
    return float_bits((double)(word >> 40) * 0x1p-24, type->bits);
  return word >> (64 - type->bits);
}

typedef struct filling {
  const char *how;
  uint64_t seed, below; // below 0: any
} filling;

static void fill(simt_object *buffer, const scalar_type *type, filling f, const char *argument) {
  const char *how = f.how;
  uint32_t size = type->bits / 8u;
  bool random = how != NULL && strcmp(how, "random") == 0;
  bool index = how != NULL && strcmp(how, "index") == 0;
  if (how != NULL && strcmp(how, "none") == 0)
    return;
  if (how != NULL && !random && !index && strcmp(how, "zero") != 0)
    tool_die(2, "--arg %s: '%s' is not zero, random, index or none", argument, how);
  memset(buffer->written, 1, buffer->size);
  for (uint64_t i = 0; (random || index) && i < buffer->size / size; i++)
    simt_bytes_write(buffer->bytes + i * size, size,
                     random           ? random_element(type, &f.seed, f.below)
                     : type->is_float ? float_bits((double)i, type->bits)
                                      : i);
}

static filling parse_filling(lin_arena *arena, const char *text, const char *argument) {
  filling f = {.how = field(arena, &text), .seed = 1};
  for (const char *option = field(arena, &text); option != NULL; option = field(arena, &text))
    if (strncmp(option, "seed=", 5) == 0)
      f.seed = tool_number("--arg", option + 5, UINT64_MAX);
    else if (strncmp(option, "below=", 6) == 0)
      f.below = tool_number("--arg", option + 6, UINT64_MAX);
    else
      tool_die(2, "--arg %s: '%s' is not seed=N or below=N", argument, option);
  return f;
}

static uint64_t make_buffer(lin_arena *arena, simt_machine *machine, const char *text,
                            const char *argument, const char *name) {
  const scalar_type *type = find_type(field(arena, &text), argument);
  const char *count_text = field(arena, &text);
  if (count_text == NULL)
    tool_die(2, "--arg %s: no count", argument);
  uint64_t count = tool_number("--arg", count_text, (uint64_t)1 << 32);
  filling f = parse_filling(arena, text, argument);
  simt_object *buffer = simt_machine_buffer(machine, name, count * (type->bits / 8u));
  fill(buffer, type, f, argument);
  return buffer->address;
}

static const uint8_t *parse_bytes(lin_arena *arena, const char *hex, uint64_t size,
                                  const char *argument) {
  uint8_t *bytes = LIN_ARRAY(arena, uint8_t, size);
  size_t length = strlen(hex);
  if (length / 2 != size || strspn(hex, "0123456789abcdefABCDEF") != length || length % 2 != 0)
    tool_die(2, "--arg %s: not %llu bytes in hexadecimal", argument, (unsigned long long)size);
  for (uint64_t i = 0; i < size; i++) {
    char digits[3] = {hex[2 * i], hex[2 * i + 1], '\0'};
    bytes[i] = (uint8_t)strtoul(digits, NULL, 16);
  }
  return bytes;
}

static const char *name_of(lin_arena *arena, unsigned number) {
  char name[32];
  int length = snprintf(name, sizeof name, "argument %u", number);
  return lin_arena_text(arena, name, (size_t)length);
}

static bool fits(const simt_parameter *parameter, const char *kind) {
  if (strcmp(kind, "value") == 0)
    return parameter->by_value_size > 0;
  if (strcmp(kind, "shared") == 0)
    return parameter->is_shared;
  if (strcmp(kind, "buf") == 0)
    return parameter->is_pointer && !parameter->is_shared && parameter->by_value_size == 0;
  return parameter->width > 0 && parameter->by_value_size == 0;
}

tool_arguments tool_make_arguments(lin_arena *arena, simt_machine *machine,
                                   const tool_options *options) {
  const simt_program *p = machine->program;
  tool_arguments a = {LIN_ARRAY(arena, uint64_t, p->function[0].num_parameters + 1),
                      LIN_ARRAY(arena, const uint8_t *, p->num_parameters + 1),
                      LIN_ARRAY(arena, uint64_t, p->num_parameters + 1)};
  if (options->num_arguments != p->num_parameters)
    tool_die(2, "kernel %s has %u parameters, and there are %u --arg", options->launch.kernel,
             p->num_parameters, options->num_arguments);
  for (uint32_t i = 0, at = 0; i < p->num_parameters; at += p->parameter[i++].num_registers) {
    const simt_parameter *parameter = &p->parameter[i];
    const char *argument = options->argument[i], *text = argument;
    const char *kind = field(arena, &text);
    if (!fits(parameter, kind))
      tool_die(2, "--arg %s: parameter %u is of another kind", argument, i);
    if (strcmp(kind, "value") == 0) {
      a.by_value[i] =
          parse_bytes(arena, text == NULL ? "" : text, parameter->by_value_size, argument);
    } else if (strcmp(kind, "shared") == 0) {
      uint64_t size = tool_number("--arg", text == NULL ? "" : text, 1 << 20);
      a.value[at] = simt_machine_shared(machine, name_of(arena, i), size);
    } else if (strcmp(kind, "buf") == 0) {
      a.value[at] = a.buffer[i] = make_buffer(arena, machine, text, argument, name_of(arena, i));
    } else {
      const scalar_type *type = find_type(kind, argument);
      if (type->bits != parameter->width)
        tool_die(2, "--arg %s: parameter %u has %u bits", argument, i, parameter->width);
      a.value[at] = parse_scalar(type, text, argument);
    }
  }
  return a;
}

static void print_element(FILE *file, const scalar_type *type, uint64_t value) {
  unsigned unused = 64u - type->bits;
  if (type->is_float)
    fprintf(file, " %.9g", type->bits == 32 ? (double)simt_float(value) : simt_double(value));
  else if (type->is_signed)
    fprintf(file, " %lld", (long long)((int64_t)(value << unused) >> unused));
  else
    fprintf(file, " %llu", (unsigned long long)value);
}

void tool_print_buffer(FILE *file, const tool_options *options, unsigned number,
                       const simt_object *buffer) {
  char name[8];
  const char *argument = options->argument[number];
  snprintf(name, sizeof name, "%.*s", (int)strcspn(argument + 4, ":"), argument + 4);
  const scalar_type *type = find_type(name, argument);
  uint32_t size = type->bits / 8u;
  fprintf(file, "argument %u:\n", number);
  for (uint64_t i = 0; i < buffer->size / size; i++) {
    if (memchr(buffer->written + i * size, 0, size) != NULL)
      fputs(" -", file);
    else
      print_element(file, type, simt_bytes_read(buffer->bytes + i * size, size));
    if (i % 8 == 7 || i + 1 == buffer->size / size)
      fputc('\n', file);
  }
}
