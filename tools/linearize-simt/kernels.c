#define _POSIX_C_SOURCE 200809L // open_memstream
#include "kernels.h"

#include "common/command_line.h"
#include "common/names.h"
#include "llvm/ask/kernels.h"
#include "llvm/ask/target.h"

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>

#include <stdlib.h>
#include <string.h>

// ---- names -------------------------------------------------------------------------------------

const char *tool_title(lin_arena *arena, const char *symbol) {
  char *title = tool_demangle(symbol);
  const char *copy = title == NULL ? symbol : lin_arena_text(arena, title, strlen(title));
  free(title);
  return copy;
}

static const char *symbol_of(LLVMValueRef value) {
  size_t length;
  return LLVMGetValueName2(value, &length);
}

// ---- which are kernels -------------------------------------------------------------------------

typedef struct kernels {
  LLVMValueRef *function;
  uint32_t count, capacity;
} kernels;

static void add(lin_arena *arena, kernels *k, LLVMValueRef function) {
  k->function = LIN_ROOM(arena, k->function, k->count, &k->capacity);
  k->function[k->count++] = function;
}

// The kernels; all functions that are defined, if none says that it is one.
static kernels all_kernels(lin_arena *arena, LLVMModuleRef module) {
  kernels k = {0}, others = {0};
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f != NULL; f = LLVMGetNextFunction(f))
    if (!LLVMIsDeclaration(f))
      add(arena, lin_ir_is_kernel(f) ? &k : &others, f);
  return k.count > 0 ? k : others;
}

static _Noreturn void die_with_list(lin_arena *arena, LLVMModuleRef module, const char *file,
                                    const char *why) {
  tool_list_kernels(stdout, arena, module);
  tool_die(2, "%s: %s; above are its kernels, with what each needs", file, why);
}

static _Noreturn void die_of_several(lin_arena *arena, const char *file, const char *name,
                                     const kernels *named) {
  for (uint32_t i = 0; i < named->count; i++)
    printf("%s\n", tool_title(arena, symbol_of(named->function[i])));
  tool_die(2, "%s: --kernel %s: there are %u of that name; write one as above", file, name,
           named->count);
}

LLVMValueRef tool_find_kernel(lin_arena *arena, const char *file, LLVMModuleRef module,
                              const char *name) {
  kernels all = all_kernels(arena, module), named = {0};
  LLVMValueRef function = name == NULL ? NULL : LLVMGetNamedFunction(module, name);
  if (function != NULL && !LLVMIsDeclaration(function))
    return function;
  if (all.count == 0)
    tool_die(1, "%s: no function is defined there", file);
  if (name == NULL && all.count == 1)
    return all.function[0];
  if (name == NULL)
    die_with_list(arena, module, file, "no --kernel");
  for (uint32_t i = 0; i < all.count; i++)
    if (tool_is_named(tool_title(arena, symbol_of(all.function[i])), name))
      add(arena, &named, all.function[i]);
  if (named.count > 1)
    die_of_several(arena, file, name, &named);
  if (named.count == 0)
    tool_die(
        1,
        "%s: kernel %s: no such function is defined there; without --kernel its kernels are listed",
        file, name);
  return named.function[0];
}

simt_model tool_model_of(LLVMValueRef kernel) {
  return lin_ir_target(kernel)->lock_step ? SIMT_IPDOM : SIMT_VOLTA;
}

// ---- what they need ----------------------------------------------------------------------------

// How an argument says the scalar `type`.
static const char *scalar_name(LLVMTypeRef type) {
  switch (LLVMGetTypeKind(type)) {
  case LLVMFloatTypeKind:
    return "f32";
  case LLVMDoubleTypeKind:
    return "f64";
  case LLVMHalfTypeKind:
  case LLVMBFloatTypeKind:
    return "u16";
  case LLVMPointerTypeKind:
    return "ptr";
  case LLVMIntegerTypeKind: {
    unsigned width = LLVMGetIntTypeWidth(type);
    return width <= 8 ? "u8" : width <= 16 ? "u16" : width <= 32 ? "u32" : "u64";
  }
  default:
    return "?";
  }
}

// Types of C++ as arguments say them.
static const char *const c_types[][2] = {
    {"float", "f32"},        {"double", "f64"},
    {"int", "i32"},          {"unsigned int", "u32"},
    {"char", "i8"},          {"signed char", "i8"},
    {"unsigned char", "u8"}, {"bool", "u8"},
    {"short", "i16"},        {"unsigned short", "u16"},
    {"long", "i64"},         {"unsigned long", "u64"},
    {"long long", "i64"},    {"unsigned long long", "u64"},
};

// What the pointer at `text`, a parameter in a title, points to; TYPE if that is no number.
static const char *pointee(const char *text) {
  size_t end = strcspn(text, ",)");
  const char *star = memchr(text, '*', end);
  if (star != NULL && memchr(star + 1, '*', end - (size_t)(star + 1 - text)) != NULL)
    return "ptr";
  for (size_t i = 0; i < sizeof c_types / sizeof *c_types; i++) {
    size_t length = strlen(c_types[i][0]);
    if (strncmp(text, c_types[i][0], length) == 0 &&
        (text[length] == '*' || strncmp(text + length, " const", 6) == 0 ||
         strncmp(text + length, " volatile", 9) == 0))
      return c_types[i][1];
  }
  return "TYPE";
}

// The parameter behind `text` in a title; its end if there is no more.
static const char *next_parameter(const char *text) {
  unsigned depth = 0;
  for (; *text != '\0' && (depth > 0 || *text != ','); text++) {
    depth += strchr("<([", *text) != NULL;
    depth -= strchr(">)]", *text) != NULL && depth > 0;
  }
  return text + strspn(text, ", ");
}

typedef struct part {
  LLVMTypeRef type;
  unsigned next;
} part;

// A structure's scalars in order, as value:{...} wants them.
static void print_fields(FILE *file, LLVMTypeRef type) {
  enum { NESTING = 16 };
  part stack[NESTING] = {{type, 0}};
  const char *between = "";
  for (unsigned depth = 1; depth > 0;) {
    part *top = &stack[depth - 1];
    bool is_struct = LLVMGetTypeKind(top->type) == LLVMStructTypeKind;
    unsigned count = is_struct ? LLVMCountStructElementTypes(top->type)
                               : (unsigned)LLVMGetArrayLength2(top->type);
    if (top->next == count) {
      depth--;
      continue;
    }
    LLVMTypeRef element =
        is_struct ? LLVMStructGetTypeAtIndex(top->type, top->next) : LLVMGetElementType(top->type);
    top->next++;
    LLVMTypeKind kind = LLVMGetTypeKind(element);
    if ((kind == LLVMStructTypeKind || kind == LLVMArrayTypeKind) && depth < NESTING) {
      stack[depth++] = (part){element, 0};
      continue;
    }
    const char *name = scalar_name(element);
    fprintf(file, "%s%s:%s", between, name, strcmp(name, "ptr") == 0 ? "NAME" : "VALUE");
    between = ";";
  }
}

static void print_parameter(FILE *file, LLVMValueRef kernel, unsigned index, const char *text) {
  LLVMTypeRef type = LLVMTypeOf(LLVMGetParam(kernel, index));
  LLVMAttributeRef byval =
      LLVMGetEnumAttributeAtIndex(kernel, index + 1, LLVMGetEnumAttributeKindForName("byval", 5));
  if (byval != NULL) {
    fputs("'value:{", file);
    print_fields(file, LLVMGetTypeAttributeValue(byval));
    fputs("}'", file);
  } else if (LLVMGetTypeKind(type) != LLVMPointerTypeKind) {
    fprintf(file, "%s:VALUE", scalar_name(type));
  } else if (LLVMGetPointerAddressSpace(type) == 3) {
    fputs("shared:BYTES", file);
  } else {
    fprintf(file, "buf:%s:COUNT", pointee(text));
  }
}

void tool_print_parameters(FILE *file, lin_arena *arena, LLVMValueRef kernel) {
  const char *title = tool_title(arena, symbol_of(kernel));
  const char *text = title + tool_parameters_of(title);
  text += *text == '(';
  for (unsigned i = 0; i < LLVMCountParams(kernel); i++) {
    fprintf(file, "%s--arg ", i == 0 ? "" : " ");
    print_parameter(file, kernel, i, text);
    text = next_parameter(text);
  }
}

void tool_list_kernels(FILE *file, lin_arena *arena, LLVMModuleRef module) {
  kernels k = all_kernels(arena, module);
  for (uint32_t i = 0; i < k.count; i++) {
    const char *title = tool_title(arena, symbol_of(k.function[i]));
    const char *quote = strpbrk(title, "(<& ") == NULL ? "" : "'";
    fprintf(file, "--kernel %s%s%s ", quote, title, quote);
    tool_print_parameters(file, arena, k.function[i]);
    fputc('\n', file);
  }
}
