//     .global .align 4 .u32 table[4] = {1, 2, 0x10, -1};
//             type, name, = , elements
#include "ptx_variables.h"

#include <llvm-c/Core.h>

#include <stdlib.h>
#include <string.h>

enum { SHARED = 3, CONSTANT = 4 }; // NVPTX's address spaces

typedef struct work {
  lin_arena *arena;
  const lin_ptx_module *ptx;
  LLVMModuleRef module;
} work;

static const char *text_of(const work *w, uint32_t start, uint32_t end) {
  return lin_arena_text(w->arena, w->ptx->text + start, end - start);
}

// The bytes of a type like .u32, or 0.
static unsigned bytes_of(const char *type) {
  if (type[1] == '\0' || strchr("busf", type[1]) == NULL)
    return 0;
  char *end;
  unsigned long bits = strtoul(type + 2, &end, 10);
  return *end == '\0' && bits % 8 == 0 && bits <= 64 ? (unsigned)bits / 8 : 0;
}

// 7, 0x7f, 0f3f800000: the bits of a float.
static bool read_number(const char *text, uint64_t *value) {
  char *end;
  bool is_float = text[0] == '0' && text[1] != '\0' && strchr("fFdD", text[1]) != NULL;
  *value = is_float ? strtoull(text + 2, &end, 16) : strtoull(text, &end, 0);
  return end > text + (is_float ? 2 : 0) && (*end == '\0' || strcmp(end, "U") == 0);
}

// What stands behind the = at `start`, up to the semicolon. False if that isn't numbers.
static bool read_value(const work *w, uint32_t start, uint8_t *bytes, uint64_t size,
                       unsigned step) {
  uint64_t at = 0;
  bool is_negative = false, is_known = step > 0;
  unsigned depth = 0;
  for (lin_ptx_scan scan = {w->ptx->text, w->ptx->length, start + 1};;) {
    lin_ptx_token token = lin_ptx_next(&scan);
    if (token.kind == LIN_PTX_END || token.first == ';')
      return is_known;
    if (token.first == '{')
      is_known &= depth++ == 0;
    if (token.first == '-')
      is_negative = true;
    if (strchr("{},-", token.first) != NULL)
      continue;
    uint64_t value;
    is_known = is_known && token.kind == LIN_PTX_WORD &&
               read_number(text_of(w, token.start, token.end), &value) && at + step <= size;
    if (!is_known)
      continue;
    value = is_negative ? 0 - value : value;
    for (unsigned i = 0; i < step; i++)
      bytes[at++] = (uint8_t)(value >> 8 * i);
    is_negative = false;
  }
}

static void define(work *w, LLVMValueRef global, const uint8_t *bytes, uint64_t size) {
  LLVMContextRef context = LLVMGetModuleContext(w->module);
  LLVMSetInitializer(global, LLVMConstStringInContext2(context, (const char *)bytes, size, true));
  LLVMSetGlobalConstant(global, LLVMGetPointerAddressSpace(LLVMTypeOf(global)) == CONSTANT);
}

static void define_variable(work *w, const lin_ptx_variable *v) {
  const unsigned step = v->type_end == v->type ? 0 : bytes_of(text_of(w, v->type, v->type_end));
  LLVMValueRef global = LLVMGetNamedGlobal(w->module, text_of(w, v->start, v->end));
  uint64_t size = global == NULL ? 0 : LLVMGetArrayLength2(LLVMGlobalGetValueType(global));
  uint8_t *bytes = LIN_ARRAY(w->arena, uint8_t, size + 1);
  if (global != NULL && (v->value == 0 || read_value(w, v->value, bytes, size, step)))
    define(w, global, bytes, size);
}

static void define_shared(LLVMModuleRef module) {
  for (LLVMValueRef g = LLVMGetFirstGlobal(module); g != NULL; g = LLVMGetNextGlobal(g)) {
    LLVMTypeRef type = LLVMGlobalGetValueType(g);
    if (LLVMGetPointerAddressSpace(LLVMTypeOf(g)) == SHARED && LLVMGetArrayLength2(type) > 0)
      LLVMSetInitializer(g, LLVMGetUndef(type));
  }
}

void tool_define_variables(lin_arena *arena, const lin_ptx_module *ptx, LLVMModuleRef module) {
  work w = {arena, ptx, module};
  for (uint32_t i = 0; i < ptx->variables.count; i++) {
    const lin_ptx_variable *v = &ptx->variables.variable[i];
    if (!v->is_extern && (v->space == LIN_PTX_GLOBAL || v->space == LIN_PTX_CONST))
      define_variable(&w, v);
  }
  define_shared(module);
}
