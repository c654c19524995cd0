#include "arguments.h"

#include "common/names.h"
#include "kernels.h"

#include <stdlib.h>
#include <string.h>

typedef struct maker {
  lin_arena *arena;
  simt_machine *machine;
  tool_arguments *arguments;
  tool_place *place; // [num_named]
  const char *needs; // what the kernel takes
} maker;

static const char *print(lin_arena *arena, const char *form, const char *text) {
  int size = snprintf(NULL, 0, form, text);
  char *result = lin_arena_bytes(arena, (size_t)size + 1);
  snprintf(result, (size_t)size + 1, form, text);
  return result;
}

static tool_data data_of(const maker *m, const char *option, const char *argument) {
  return (tool_data){.arena = m->arena,
                     .argument = print(m->arena, option, argument),
                     .place = m->place,
                     .num_places = m->arguments->num_named};
}

// ---- buffers with names ------------------------------------------------------------------------

static const char *name_before(lin_arena *arena, const char *option, const char *text) {
  size_t length = strcspn(text, "=");
  if (length == 0 || text[length] == '\0')
    tool_die(2, "%s: '%s' is not NAME=DATA", option, text);
  return lin_arena_text(arena, text, length);
}

// All of them before any is filled: what fills one may be the address of another.
static void make_named(maker *m, const tool_options *options) {
  tool_arguments *a = m->arguments;
  a->named = LIN_ARRAY(m->arena, tool_memory, options->num_buffers + 1);
  m->place = LIN_ARRAY(m->arena, tool_place, options->num_buffers + 1);
  for (unsigned i = 0; i < options->num_buffers; i++) {
    const char *text = options->buffer[i], *name = name_before(m->arena, "--buffer", text);
    const char *data = text + strlen(name) + 1;
    tool_data d = data_of(m, "--buffer %s", text);
    const simt_object *object = simt_machine_buffer(m->machine, name, tool_data_size(&d, data));
    a->named[i] = (tool_memory){name, object->address, tool_data_type(&d, data)};
    m->place[i] = (tool_place){name, object->address};
  }
  a->num_named = options->num_buffers;
  for (unsigned i = 0; i < options->num_buffers; i++) {
    const char *text = options->buffer[i];
    tool_data d = data_of(m, "--buffer %s", text);
    simt_object *object = simt_memory_find(&m->machine->global, a->named[i].address, 0);
    tool_data_fill(&d, text + strlen(a->named[i].name) + 1, object->bytes, object->written);
  }
}

// ---- global variables --------------------------------------------------------------------------

static simt_object *find_global(lin_arena *arena, const simt_machine *machine, const char *name) {
  for (uint32_t i = 0; i < machine->program->num_globals; i++) {
    simt_object *object = &machine->global.object[i];
    if (strcmp(object->name, name) == 0 || tool_is_named(tool_title(arena, object->name), name))
      return object;
  }
  return NULL;
}

static void set_global(maker *m, const char *text) {
  const char *name = name_before(m->arena, "--global", text);
  simt_object *object = find_global(m->arena, m->machine, name);
  if (object == NULL)
    tool_die(2, "--global %s: the kernel uses no global variable '%s'", text, name);
  tool_data d = data_of(m, "--global %s", text);
  d.room = object->size;
  const char *data = text + strlen(name) + 1;
  if (tool_data_size(&d, data) > object->size)
    tool_die(2, "--global %s: '%s' has %llu bytes", text, name, (unsigned long long)object->size);
  tool_data_fill(&d, data, object->bytes, object->written);
}

// ---- parameters --------------------------------------------------------------------------------

static const uint8_t *parse_bytes(const tool_data *d, const char *text, uint64_t size) {
  uint8_t *bytes = LIN_ARRAY(d->arena, uint8_t, size),
          *written = LIN_ARRAY(d->arena, uint8_t, size);
  size_t length = strlen(text);
  bool is_data = text[0] == '{' || strncmp(text, "file=", 5) == 0;
  const char *data = text[0] == '{' ? text : print(d->arena, "u8:%s", text);
  uint64_t given = is_data ? tool_data_size(d, data) : length / 2;
  if (!is_data &&
      (strspn(text, "0123456789abcdefABCDEF") != length || length % 2 != 0 || given != size))
    tool_die(2, "%s: not %llu bytes in hexadecimal, {TYPE:VALUE;...} or file=PATH", d->argument,
             (unsigned long long)size);
  if (given != size)
    tool_die(2, "%s: these are %llu bytes, and the structure has %llu", d->argument,
             (unsigned long long)given, (unsigned long long)size);
  if (is_data)
    tool_data_fill(d, data, bytes, written);
  for (uint64_t i = 0; i < size && !is_data; i++) {
    char digits[3] = {text[2 * i], text[2 * i + 1], '\0'};
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

static void make_argument(maker *m, const char *argument, uint32_t i, uint64_t *value) {
  const simt_parameter *parameter = &m->machine->program->parameter[i];
  size_t length = strcspn(argument, ":");
  const char *kind = lin_arena_text(m->arena, argument, length);
  const char *text = argument[length] == ':' ? argument + length + 1 : "";
  tool_data d = data_of(m, "--arg %s", argument);
  if (!fits(parameter, kind))
    tool_die(2, "--arg %s: parameter %u is of another kind; the kernel takes %s", argument, i,
             m->needs);
  if (strcmp(kind, "value") == 0) {
    m->arguments->by_value[i] = parse_bytes(&d, text, parameter->by_value_size);
  } else if (strcmp(kind, "shared") == 0) {
    *value = simt_machine_shared(m->machine, name_of(m->arena, i),
                                 tool_number(d.argument, text, 1 << 20));
  } else if (strcmp(kind, "buf") == 0) {
    simt_object *object =
        simt_machine_buffer(m->machine, name_of(m->arena, i), tool_data_size(&d, text));
    tool_data_fill(&d, text, object->bytes, object->written);
    *value = object->address;
    m->arguments->buffer[i] = (tool_memory){NULL, object->address, tool_data_type(&d, text)};
  } else {
    const tool_scalar *type = tool_scalar_type(&d, kind);
    const bool is_bool = parameter->width == 1; // a byte, of which C++ uses one bit
    if (type->bits != (is_bool ? 8 : parameter->width))
      tool_die(2, "--arg %s: parameter %u has %u bits", argument, i,
               is_bool ? 8 : parameter->width);
    *value = tool_scalar_value(&d, type, text);
    if (is_bool && *value > 1)
      tool_die(2, "--arg %s: parameter %u is a bool, 0 or 1", argument, i);
  }
}

tool_arguments tool_make_arguments(lin_arena *arena, simt_machine *machine,
                                   const tool_options *options, const char *needs) {
  const simt_program *p = machine->program;
  tool_arguments a = {.value = LIN_ARRAY(arena, uint64_t, p->function[0].num_parameters + 1),
                      .by_value = LIN_ARRAY(arena, const uint8_t *, p->num_parameters + 1),
                      .buffer = LIN_ARRAY(arena, tool_memory, p->num_parameters + 1)};
  maker m = {arena, machine, &a, NULL, needs};
  if (options->num_arguments != p->num_parameters)
    tool_die(2, "kernel %s has %u parameters, and there are %u --arg; it takes %s",
             machine->launch.kernel, p->num_parameters, options->num_arguments, needs);
  make_named(&m, options);
  for (unsigned i = 0; i < options->num_globals; i++)
    set_global(&m, options->global[i]);
  for (uint32_t i = 0, at = 0; i < p->num_parameters; at += p->parameter[i++].num_registers)
    make_argument(&m, options->argument[i], i, &a.value[at]);
  return a;
}

// ---- memory, afterwards ------------------------------------------------------------------------

static tool_memory find_by_name(lin_arena *arena, const simt_machine *machine,
                                const tool_arguments *arguments, const char *name) {
  if (name[0] != '\0' && strspn(name, "0123456789") == strlen(name)) {
    unsigned long number = strtoul(name, NULL, 10);
    return number < machine->program->num_parameters ? arguments->buffer[number] : (tool_memory){0};
  }
  for (uint32_t i = 0; i < arguments->num_named; i++)
    if (strcmp(arguments->named[i].name, name) == 0)
      return arguments->named[i];
  for (uint32_t i = machine->program->num_globals; i < machine->global.count; i++)
    if (strcmp(machine->global.object[i].name, name) == 0) // "counters" (counts.h)
      return (tool_memory){name, machine->global.object[i].address, tool_scalar_of(32, false)};
  const simt_object *global = find_global(arena, machine, name);
  if (global == NULL)
    return (tool_memory){0};
  const simt_global *g = &machine->program->global[global - machine->global.object];
  return (tool_memory){name, global->address, tool_scalar_of(g->bits, g->is_float)};
}

tool_memory tool_find_memory(lin_arena *arena, const simt_machine *machine,
                             const tool_arguments *arguments, const char *option, const char *what,
                             const simt_object **object) {
  const char *colon = strrchr(what, ':'), *type = NULL;
  if (colon != NULL && colon > what && colon[-1] != ':') { // std::x has no type
    type = colon + 1;
    what = lin_arena_text(arena, what, (size_t)(colon - what));
  }
  tool_memory memory = find_by_name(arena, machine, arguments, what);
  *object = memory.address == 0 ? NULL : simt_memory_find(&machine->global, memory.address, 0);
  if (*object == NULL && what[strspn(what, "0123456789")] == '\0')
    tool_die(2, "%s: argument %s is no buffer", option, what);
  if (*object == NULL)
    tool_die(2, "%s: there is no buffer '%s', and the kernel uses no global variable of that name",
             option, what);
  tool_data d = {.arena = arena, .argument = option};
  if (type != NULL)
    memory.type = tool_scalar_type(&d, type);
  return memory;
}

void tool_print_memory(FILE *file, const tool_memory *memory, const simt_object *object) {
  uint32_t size = memory->type->bits / 8u;
  fprintf(file, "%s:\n", memory->name == NULL ? object->name : memory->name);
  for (uint64_t i = 0; i < object->size / size; i++) {
    if (memchr(object->written + i * size, 0, size) != NULL)
      fputs(" -", file);
    else
      tool_print_scalar(file, memory->type, simt_bytes_read(object->bytes + i * size, size));
    if (i % 8 == 7 || i + 1 == object->size / size)
      fputc('\n', file);
  }
}
