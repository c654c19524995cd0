#include "state.h"

#include <string.h>

unsigned lin_lift_space_of(const char *text, lin_ptx_token word) {
  static const struct {
    const char *word;
    unsigned space;
  } spaces[] = {{".global", LIN_LIFT_GLOBAL},
                {".shared", LIN_LIFT_SHARED},
                {".const", LIN_LIFT_CONST},
                {".local", LIN_LIFT_LOCAL}};
  for (size_t i = 0; i < sizeof spaces / sizeof *spaces; i++)
    if (lin_ptx_is(text, word, spaces[i].word))
      return spaces[i].space;
  return 0;
}

static uint32_t bytes_of_type(const char *text, lin_ptx_token type) {
  uint32_t bits = 0;
  for (uint32_t at = type.start; at < type.end; at++)
    if (text[at] >= '0' && text[at] <= '9')
      bits = bits * 10 + (uint32_t)(text[at] - '0');
  return bits / 8;
}

// .align 4 .b8 name[16][4] = { ... };   .f32 a, b;
bool lin_lift_read_variable(lin_arena *arena, lin_ptx_scan *scan, unsigned space,
                            lin_lift_variables *into) {
  lin_lift_variable v = {.space = space};
  uint32_t elements = 1, bytes = 0;
  bool is_named = false;
  for (;;) {
    lin_ptx_token token = lin_ptx_next(scan);
    if (token.kind == LIN_PTX_END || token.kind == LIN_PTX_BAD)
      return false;
    if (token.first == ';' || token.first == ',' || token.first == '=') {
      if (!is_named)
        return false;
      into->variable = LIN_ROOM(arena, into->variable, into->count, &into->capacity);
      v.bytes = (uint64_t)v.bytes * bytes;
      into->variable[into->count++] = v;
      is_named = false;
      if (token.first == '=')
        while (token.first != ';' && token.kind != LIN_PTX_END)
          token = lin_ptx_next(scan);
      if (token.first == ';')
        return true;
      continue;
    }
    if (token.first == '[') {
      token = lin_ptx_next(scan);
      if (token.first == ']') {
        v.bytes = 0;
        continue;
      }
      uint32_t count = lin_ptx_number(scan->text, token);
      if (count == UINT32_MAX || lin_ptx_next(scan).first != ']')
        return false;
      v.bytes *= count;
    } else if (lin_ptx_is(scan->text, token, ".align")) {
      v.align = lin_ptx_number(scan->text, lin_ptx_next(scan));
    } else if (token.first == '.') {
      bool is_vector = scan->text[token.start + 1] == 'v' && token.end - token.start <= 3;
      if (is_vector)
        elements = bytes_of_type(scan->text, token) * 8;
      bool is_type = strchr("busf", scan->text[token.start + 1]) != NULL;
      if (is_vector || !is_type)
        continue;
      bytes = bytes_of_type(scan->text, token);
      if (bytes == 0)
        continue;
      v.type = token.start;
      v.type_end = token.end;
    } else if (token.kind == LIN_PTX_WORD) {
      v.start = token.start;
      v.end = token.end;
      v.bytes = elements;
      is_named = true;
    } else {
      return false;
    }
  }
}

static LLVMValueRef declare(lin_lift *lift, lin_lift_variable *v) {
  LLVMTypeRef bytes = LLVMArrayType2(LLVMInt8TypeInContext(lift->context), v->bytes);
  const char *name = lin_arena_text(lift->arena, lift->ptx->text + v->start, v->end - v->start);
  LLVMValueRef global = LLVMGetNamedGlobal(lift->module, name);
  if (global == NULL) // declared once more by a definition
    global = LLVMAddGlobalInAddressSpace(lift->module, bytes, name, v->space);
  LLVMSetAlignment(global, v->align != 0 ? v->align : 8);
  return global;
}

void lin_lift_declare_variables(lin_lift *lift) {
  const lin_ptx_module *ptx = lift->ptx;
  lin_ptx_scan scan = {ptx->text, ptx->length, 0};
  uint32_t function = 0;
  for (;;) {
    while (function < ptx->num_functions && scan.at >= ptx->function[function].start) {
      scan.at = ptx->function[function].end;
      function++;
    }
    lin_ptx_token token = lin_ptx_next(&scan);
    if (token.kind == LIN_PTX_END)
      break;
    unsigned space = token.first == '.' ? lin_lift_space_of(ptx->text, token) : 0;
    if (space == 0)
      continue;
    uint32_t before = lift->variables.count;
    lin_ptx_scan own = scan;
    if (!lin_lift_read_variable(lift->arena, &own, space, &lift->variables)) {
      lift->variables.count = before;
      continue; // its name stands for itself
    }
    scan = own;
  }
  lift->names = lin_ptx_names_new(lift->arena);
  for (uint32_t i = 0; i < lift->variables.count; i++) {
    lin_lift_variable *v = &lift->variables.variable[i];
    if (memchr(ptx->text + v->start, '%', v->end - v->start) != NULL)
      continue; // LLVM has no such symbols: its name stands for itself
    v->value = declare(lift, v);
    lin_ptx_name *name =
        lin_ptx_names_entry(lift->names, 0, ptx->text + v->start, v->end - v->start);
    name->meant = LIN_PTX_VARIABLE;
    name->value = i;
  }
}

bool lin_lift_declare_locals(lin_lifting *l) {
  const char *text = l->body->module->text;
  lin_ptx_scan scan = {text, l->place->end, l->place->body};
  for (;;) {
    lin_ptx_token token = lin_ptx_next(&scan);
    if (token.kind == LIN_PTX_END)
      break;
    unsigned space = token.first == '.' ? lin_lift_space_of(text, token) : 0;
    if (space != 0 && !lin_lift_read_variable(l->arena, &scan, space, &l->locals))
      return lin_lift_refuse(l, token.start, "a variable that isn't declared as usual");
  }
  for (uint32_t i = 0; i < l->locals.count; i++) {
    lin_lift_variable *v = &l->locals.variable[i];
    if (v->space != LIN_LIFT_LOCAL) {
      v->value = declare(l->lift, v);
      continue;
    }
    LLVMTypeRef bytes = LLVMArrayType2(LLVMInt8TypeInContext(l->lift->context), v->bytes);
    LLVMValueRef slot = LLVMBuildAlloca(l->entry, bytes, "");
    LLVMSetAlignment(slot, v->align != 0 ? v->align : 8);
    LLVMTypeRef pointer = LLVMPointerTypeInContext(l->lift->context, LIN_LIFT_LOCAL);
    v->value = LLVMBuildAddrSpaceCast(l->entry, slot, pointer, "");
  }
  return true;
}

const lin_lift_variable *lin_lift_find_variable(const lin_lifting *l, uint32_t start,
                                                uint32_t end) {
  const char *text = l->body->module->text;
  for (uint32_t i = 0; i < l->locals.count; i++) {
    const lin_lift_variable *v = &l->locals.variable[i];
    if (v->end - v->start == end - start && memcmp(text + v->start, text + start, end - start) == 0)
      return v;
  }
  const lin_ptx_name *name = lin_ptx_names_find(l->lift->names, 0, text + start, end - start);
  return name == NULL ? NULL : &l->lift->variables.variable[name->value];
}
