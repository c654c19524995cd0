#include "data.h"

#include "common/command_line.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

// ---- scalars -----------------------------------------------------------------------------------

static const tool_scalar types[] = {
    {"u8", 8, false, false, false},   {"i8", 8, false, true, false},
    {"u16", 16, false, false, false}, {"i16", 16, false, true, false},
    {"u32", 32, false, false, false}, {"i32", 32, false, true, false},
    {"u64", 64, false, false, false}, {"i64", 64, false, true, false},
    {"f32", 32, true, false, false},  {"f64", 64, true, false, false},
    {"ptr", 64, false, false, true},
};

const tool_scalar *tool_scalar_type(const tool_data *data, const char *name) {
  for (size_t i = 0; name != NULL && i < sizeof types / sizeof *types; i++)
    if (strcmp(name, types[i].name) == 0)
      return &types[i];
  tool_die(2, "%s: the type is not one of u8 to u64, i8 to i64, f32, f64, ptr", data->argument);
}

const tool_scalar *tool_scalar_of(uint8_t bits, bool is_float) {
  for (size_t i = 0; i < sizeof types / sizeof *types; i++)
    if (types[i].bits == bits && types[i].is_float == is_float)
      return &types[i];
  return &types[0];
}

static uint64_t float_bits(double value, uint8_t bits) {
  return bits == 32 ? simt_float_bits((float)value) : simt_double_bits(value);
}

// NAME or NAME+BYTES.
static uint64_t address_of(const tool_data *data, const char *text) {
  size_t length = strcspn(text, "+");
  for (uint32_t i = 0; i < data->num_places; i++)
    if (strlen(data->place[i].name) == length && strncmp(data->place[i].name, text, length) == 0)
      return data->place[i].address +
             (text[length] == '+' ? tool_number(data->argument, text + length + 1, UINT32_MAX) : 0);
  tool_die(2, "%s: there is no buffer '%.*s'; --buffer %.*s=TYPE:COUNT makes one", data->argument,
           (int)length, text, (int)length, text);
}

uint64_t tool_scalar_value(const tool_data *data, const tool_scalar *type, const char *text) {
  char *end = NULL;
  uint64_t value = 0;
  bool is_number = text != NULL && text[0] != '\0' && strchr("-0123456789", text[0]) != NULL;
  if (text != NULL && type->is_address && !is_number)
    return address_of(data, text);
  if (text != NULL && type->is_float)
    value = float_bits(strtod(text, &end), type->bits);
  else if (text != NULL && text[0] == '-')
    value = (uint64_t)strtoll(text, &end, 0);
  else if (text != NULL)
    value = strtoull(text, &end, 0);
  if (text == NULL || end == text || *end != '\0')
    tool_die(2, "%s: '%s' is no number", data->argument, text == NULL ? "" : text);
  return type->bits == 64 ? value : value & (((uint64_t)1 << type->bits) - 1);
}

void tool_print_scalar(FILE *file, const tool_scalar *type, uint64_t value) {
  unsigned unused = 64u - type->bits;
  if (type->is_float)
    fprintf(file, " %.9g", type->bits == 32 ? (double)simt_float(value) : simt_double(value));
  else if (type->is_signed)
    fprintf(file, " %lld", (long long)((int64_t)(value << unused) >> unused));
  else
    fprintf(file, type->is_address ? " 0x%llx" : " %llu", (unsigned long long)value);
}

// Steele, Lea and Flood, "Fast Splittable Pseudorandom Number Generators" (2014).
static uint64_t random_word(uint64_t *state) {
  uint64_t z = *state += 0x9e3779b97f4a7c15;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
  z = (z ^ z >> 27) * 0x94d049bb133111eb;
  return z ^ z >> 31;
}

static uint64_t random_element(const tool_scalar *type, uint64_t *state, uint64_t below) {
  uint64_t word = random_word(state);
  if (below != 0)
    return type->is_float ? float_bits((double)(word % below), type->bits) : word % below;
  if (type->is_float)
    return float_bits((double)(word >> 40) * 0x1p-24, type->bits);
  return word >> (64 - type->bits);
}

// ---- elements ----------------------------------------------------------------------------------

typedef struct elements {
  const tool_scalar *type;
  uint64_t count;
  const char *how, *rest; // the fill, and what stands behind its colon; NULL: zero
  const char *path;       // of a file, or NULL
  const char *values;     // or NULL
} elements;

// The field up to the next colon, which `*text` then is behind; NULL at the end.
static const char *take_field(const tool_data *data, const char **text) {
  if (*text == NULL)
    return NULL;
  size_t length = strcspn(*text, ":");
  const char *result = lin_arena_text(data->arena, *text, length);
  *text = (*text)[length] == ':' ? *text + length + 1 : NULL;
  return result;
}

static const char *behind(const char *text, const char *prefix) {
  size_t length = strlen(prefix);
  return text != NULL && strncmp(text, prefix, length) == 0 ? text + length : NULL;
}

static FILE *open_file(const tool_data *data, const char *path, uint64_t *size) {
  FILE *file = fopen(path, "rb");
  long end = -1;
  if (file != NULL && fseek(file, 0, SEEK_END) == 0)
    end = ftell(file);
  if (end < 0 || fseek(file, 0, SEEK_SET) != 0)
    tool_die(1, "%s: %s: %s", data->argument, path, strerror(errno));
  if (end == LONG_MAX)
    tool_die(1, "%s: %s is a folder", data->argument, path);
  *size = (uint64_t)end;
  return file;
}

static uint64_t count_values(const char *text) {
  uint64_t count = 1;
  for (; *text != '\0'; text++)
    count += *text == ',';
  return count;
}

// How many elements there are without a count; ends the program if that can't be known.
static uint64_t implied_count(const tool_data *data, const elements *e) {
  uint64_t size = 0, element = e->type->bits / 8u;
  if (e->values != NULL)
    return count_values(e->values);
  if (e->path != NULL)
    fclose(open_file(data, e->path, &size));
  else if (data->room == 0)
    tool_die(2, "%s: no count", data->argument);
  else
    size = data->room;
  if (size % element != 0)
    tool_die(2, "%s: %llu bytes are no whole number of elements of %llu bytes", data->argument,
             (unsigned long long)size, (unsigned long long)element);
  return size / element;
}

static elements parse_elements(const tool_data *data, const char *text) {
  elements e = {.type = tool_scalar_type(data, take_field(data, &text))};
  bool has_count = text != NULL && text[0] >= '0' && text[0] <= '9';
  if (has_count)
    e.count = tool_number(data->argument, take_field(data, &text), (uint64_t)1 << 32);
  e.path = behind(text, "file=");
  e.values = behind(text, "values=");
  if (e.path == NULL && e.values == NULL) {
    e.how = take_field(data, &text);
    e.rest = text;
  }
  if (!has_count)
    e.count = implied_count(data, &e);
  return e;
}

static void fill_from_file(const tool_data *data, const elements *e, uint8_t *bytes) {
  uint64_t size, wanted = e->count * (e->type->bits / 8u);
  FILE *file = open_file(data, e->path, &size);
  if (size != wanted)
    tool_die(2, "%s: %s has %llu bytes, not %llu", data->argument, e->path,
             (unsigned long long)size, (unsigned long long)wanted);
  bool ok = fread(bytes, 1, size, file) == size;
  if (fclose(file) != 0 || !ok)
    tool_die(1, "%s: %s can't be read", data->argument, e->path);
}

// The rest is zero, as in C.
static void fill_with_values(const tool_data *data, const elements *e, uint8_t *bytes) {
  const char *text = e->values;
  uint32_t size = e->type->bits / 8u;
  if (count_values(text) > e->count)
    tool_die(2, "%s: more values than %llu", data->argument, (unsigned long long)e->count);
  for (uint64_t i = 0; text != NULL; i++) {
    size_t length = strcspn(text, ",");
    const char *one = lin_arena_text(data->arena, text, length);
    simt_bytes_write(bytes + i * size, size, tool_scalar_value(data, e->type, one));
    text = text[length] == ',' ? text + length + 1 : NULL;
  }
}

static void fill_by_rule(const tool_data *data, const elements *e, uint8_t *bytes) {
  bool random = e->how != NULL && strcmp(e->how, "random") == 0;
  bool index = e->how != NULL && strcmp(e->how, "index") == 0;
  if (e->how != NULL && !random && !index && strcmp(e->how, "zero") != 0)
    tool_die(2, "%s: '%s' is not zero, random, index, none, values=... or file=PATH",
             data->argument, e->how);
  uint64_t seed = 1, below = 0; // below 0: any
  const char *text = e->rest;
  for (const char *option; (option = take_field(data, &text)) != NULL;)
    if (behind(option, "seed=") != NULL)
      seed = tool_number(data->argument, option + 5, UINT64_MAX);
    else if (behind(option, "below=") != NULL)
      below = tool_number(data->argument, option + 6, UINT64_MAX);
    else
      tool_die(2, "%s: '%s' is not seed=N or below=N", data->argument, option);
  uint32_t size = e->type->bits / 8u;
  for (uint64_t i = 0; (random || index) && i < e->count; i++)
    simt_bytes_write(bytes + i * size, size,
                     random              ? random_element(e->type, &seed, below)
                     : e->type->is_float ? float_bits((double)i, e->type->bits)
                                         : i);
}

// ---- structures --------------------------------------------------------------------------------

static uint64_t align_up(uint64_t value, uint64_t alignment) {
  return (value + alignment - 1) / alignment * alignment;
}

// Lays out the fields up to the brace that ends them, from `at` on; fills `bytes`, unless NULL.
// Returns the size, and the text behind the brace.
static uint64_t lay_out(const tool_data *data, const char **text, uint64_t at, uint8_t *bytes) {
  uint64_t first = at, alignment = 1;
  const char *rest = *text + 1;
  while (*rest != '}') {
    size_t length = strcspn(rest, ";}");
    const char *values = lin_arena_text(data->arena, rest, length);
    const char *name = take_field(data, &values);
    if (values == NULL || rest[length] == '\0')
      tool_die(2, "%s: a structure is {TYPE:VALUE;TYPE:VALUE;...}", data->argument);
    rest += length + (rest[length] == ';');
    if (strcmp(name, "pad") == 0) {
      at += tool_number(data->argument, values, UINT32_MAX);
      continue;
    }
    elements e = {.type = tool_scalar_type(data, name), .values = values};
    uint64_t size = e.type->bits / 8u;
    e.count = count_values(e.values);
    at = align_up(at, size);
    alignment = size > alignment ? size : alignment;
    if (bytes != NULL)
      fill_with_values(data, &e, bytes + at);
    at += e.count * size;
  }
  *text = rest + 1;
  return align_up(at, alignment) - first;
}

static uint64_t lay_out_all(const tool_data *data, const char *text, uint8_t *bytes) {
  uint64_t at = 0;
  for (;;) {
    at += lay_out(data, &text, at, bytes);
    if (*text == '\0')
      return at;
    if (text[0] != ',' || text[1] != '{')
      tool_die(2, "%s: between structures stands a comma", data->argument);
    text++;
  }
}

// ------------------------------------------------------------------------------------------------

const tool_scalar *tool_data_type(const tool_data *data, const char *text) {
  return text[0] == '{' ? &types[0] : tool_scalar_type(data, take_field(data, &text));
}

uint64_t tool_data_size(const tool_data *data, const char *text) {
  if (text[0] == '{')
    return lay_out_all(data, text, NULL);
  elements e = parse_elements(data, text);
  return e.count * (e.type->bits / 8u);
}

void tool_data_fill(const tool_data *data, const char *text, uint8_t *bytes, uint8_t *written) {
  uint64_t size = tool_data_size(data, text);
  if (text[0] == '{') {
    lay_out_all(data, text, bytes);
    memset(written, 1, size);
    return;
  }
  elements e = parse_elements(data, text);
  if (e.how != NULL && strcmp(e.how, "none") == 0)
    return;
  memset(written, 1, size);
  if (e.path != NULL)
    fill_from_file(data, &e, bytes);
  else if (e.values != NULL)
    fill_with_values(data, &e, bytes);
  else
    fill_by_rule(data, &e, bytes);
}
