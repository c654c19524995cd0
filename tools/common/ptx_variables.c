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
  lin_ptx_scan scan;
} work;

static const char *text_of(const work *w, lin_ptx_token token) {
  return lin_arena_text(w->arena, w->ptx->text + token.start, token.end - token.start);
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

// What stands behind =, up to the semicolon. False if that isn't numbers.
static bool read_value(work *w, uint8_t *bytes, uint64_t size, unsigned step) {
  uint64_t at = 0;
  bool is_negative = false, is_known = step > 0;
  unsigned depth = 0;
  for (;;) {
    lin_ptx_token token = lin_ptx_next(&w->scan);
    if (token.kind == LIN_PTX_END || token.first == ';')
      return is_known;
    if (token.first == '{')
      is_known &= depth++ == 0;
    if (token.first == '-')
      is_negative = true;
    if (strchr("{},-", token.first) != NULL)
      continue;
    uint64_t value;
    is_known = is_known && token.kind == LIN_PTX_WORD && read_number(text_of(w, token), &value) &&
               at + step <= size;
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

// A statement behind .global or .const.
static void read_variable(work *w, bool is_extern) {
  unsigned step = 0;
  LLVMValueRef global = NULL;
  for (;;) {
    lin_ptx_token token = lin_ptx_next(&w->scan);
    if (token.first == '.' && step == 0)
      step = bytes_of(text_of(w, token));
    else if (token.kind == LIN_PTX_WORD && global == NULL)
      global = LLVMGetNamedGlobal(w->module, text_of(w, token));
    bool is_end = token.kind == LIN_PTX_END || token.first == ';';
    if (!is_end && token.first != ',' && token.first != '=')
      continue;
    uint64_t size = global == NULL ? 0 : LLVMGetArrayLength2(LLVMGlobalGetValueType(global));
    uint8_t *bytes = LIN_ARRAY(w->arena, uint8_t, size + 1);
    bool is_known = token.first != '=' || read_value(w, bytes, size, step);
    if (global != NULL && !is_extern && is_known)
      define(w, global, bytes, size);
    if (is_end || token.first == '=')
      return;
    global = NULL;
  }
}

static void define_shared(LLVMModuleRef module) {
  for (LLVMValueRef g = LLVMGetFirstGlobal(module); g != NULL; g = LLVMGetNextGlobal(g)) {
    LLVMTypeRef type = LLVMGlobalGetValueType(g);
    if (LLVMGetPointerAddressSpace(LLVMTypeOf(g)) == SHARED && LLVMGetArrayLength2(type) > 0)
      LLVMSetInitializer(g, LLVMGetUndef(type));
  }
}

void tool_define_variables(lin_arena *arena, const lin_ptx_module *ptx, LLVMModuleRef module) {
  work w = {arena, ptx, module, {ptx->text, ptx->length, 0}};
  bool is_extern = false;
  uint32_t function = 0;
  for (;;) {
    while (function < ptx->num_functions && w.scan.at >= ptx->function[function].start)
      w.scan.at = ptx->function[function++].end;
    lin_ptx_token token = lin_ptx_next(&w.scan);
    if (token.kind == LIN_PTX_END)
      break;
    bool is_global = lin_ptx_is(ptx->text, token, ".global");
    if (is_global || lin_ptx_is(ptx->text, token, ".const"))
      read_variable(&w, is_extern);
    is_extern = lin_ptx_is(ptx->text, token, ".extern");
  }
  define_shared(module);
}
