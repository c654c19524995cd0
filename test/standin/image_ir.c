// Images of LLVM's IR, and their kernels in the simulator.
#include "standin.h"

#include "simt/decode.h"
#include "simt/grid.h"
#include "llvm/ask/kernels.h"
#include "llvm/ask/target.h"

#include <llvm-c/Analysis.h>
#include <llvm-c/Core.h>
#include <llvm-c/IRReader.h>
#include <llvm-c/Target.h>

#include <stdlib.h>
#include <string.h>

// ---- kernels and their parameters --------------------------------------------------------------

// The type that lies in a buffer of parameters: of what a pointer with `byval` points to, that.
static LLVMTypeRef parameter_type(LLVMValueRef kernel, unsigned number) {
  LLVMAttributeRef byval =
      LLVMGetEnumAttributeAtIndex(kernel, number + 1, LLVMGetEnumAttributeKindForName("byval", 5));
  return byval != NULL ? LLVMGetTypeAttributeValue(byval)
                       : LLVMTypeOf(LLVMGetParam(kernel, number));
}

static void add_kernel(image *i, LLVMValueRef function, LLVMTargetDataRef layout) {
  size_t length;
  const char *name = LLVMGetValueName2(function, &length);
  image_kernel *k = LIN_NEW(&i->arena, image_kernel);
  *k = (image_kernel){.name = lin_arena_text(&i->arena, name, length),
                      .parameters = LLVMCountParams(function),
                      .next = i->kernels};
  k->offset = LIN_ARRAY(&i->arena, uint32_t, k->parameters);
  k->size = LIN_ARRAY(&i->arena, uint32_t, k->parameters);
  for (uint32_t p = 0; p < k->parameters; p++) {
    LLVMTypeRef type = parameter_type(function, p);
    uint32_t alignment = LLVMABIAlignmentOfType(layout, type);
    k->offset[p] = (k->arguments + alignment - 1) / alignment * alignment;
    k->size[p] = (uint32_t)LLVMABISizeOfType(layout, type);
    k->arguments = k->offset[p] + k->size[p];
  }
  i->kernels = k;
}

image *ir_read(const char *text) {
  LLVMContextRef context = LLVMContextCreate();
  LLVMMemoryBufferRef buffer =
      LLVMCreateMemoryBufferWithMemoryRangeCopy(text, strlen(text), "image");
  LLVMModuleRef module;
  char *message = NULL;
  if (LLVMParseIRInContext(context, buffer, &module, &message) ||
      LLVMVerifyModule(module, LLVMReturnStatusAction, &message)) {
    LLVMDisposeMessage(message);
    LLVMContextDispose(context);
    return NULL;
  }
  LLVMDisposeMessage(message);
  image *i = calloc(1, sizeof *i);
  if (i == NULL)
    abort();
  i->module = module;
  LLVMTargetDataRef layout = LLVMGetModuleDataLayout(module);
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f != NULL; f = LLVMGetNextFunction(f))
    if (!LLVMIsDeclaration(f) && lin_ir_is_kernel(f))
      add_kernel(i, f, layout);
  return i;
}

void ir_release(image *i) {
  LLVMContextRef context = LLVMGetModuleContext(i->module);
  LLVMDisposeModule(i->module);
  LLVMContextDispose(context);
}

// ---- global variables --------------------------------------------------------------------------

static uint8_t *copy_bytes(const uint8_t *from, uint64_t size) {
  uint8_t *to = malloc(size + 1);
  if (to == NULL)
    abort();
  return memcpy(to, from, size);
}

// The simulator decodes what a function reaches: so one that reaches this variable alone.
bool ir_global(image *i, const char *name, uint64_t *size, uint8_t **bytes, uint8_t **written) {
  static const char user[] = "stand.in.user";
  LLVMValueRef global = LLVMGetNamedGlobal(i->module, name);
  if (global == NULL || LLVMIsDeclaration(global) ||
      LLVMGetPointerAddressSpace(LLVMTypeOf(global)) == 3)
    return false;
  LLVMContextRef context = LLVMGetModuleContext(i->module);
  LLVMTypeRef nothing = LLVMVoidTypeInContext(context), byte = LLVMInt8TypeInContext(context);
  LLVMValueRef function = LLVMAddFunction(i->module, user, LLVMFunctionType(nothing, NULL, 0, 0));
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(context);
  LLVMPositionBuilderAtEnd(builder, LLVMAppendBasicBlockInContext(context, function, "entry"));
  LLVMSetVolatile(LLVMBuildLoad2(builder, byte, global, "it"), 1);
  LLVMBuildRetVoid(builder);
  LLVMDisposeBuilder(builder);
  lin_arena arena = {0};
  const char *error;
  const simt_program *p = simt_decode(&arena, i->module, user, false, &error);
  LLVMDeleteFunction(function);
  if (p != NULL) {
    *size = p->global[0].variable.size;
    *bytes = copy_bytes(p->global[0].bytes, *size);
    *written = copy_bytes(p->global[0].written, *size);
  }
  lin_arena_release(&arena);
  return p != NULL;
}

// ---- launches ----------------------------------------------------------------------------------

static const simt_program *program_of(image *i, image_kernel *k) {
  const char *error;
  LLVMValueRef kernel = LLVMGetNamedFunction(i->module, k->name);
  if (k->code == NULL)
    k->code = simt_decode(&i->arena, i->module, k->name, !lin_ir_target(kernel)->lock_step, &error);
  if (k->code == NULL)
    fprintf(stderr, "stand-in: %s: %s\n", k->name, error);
  return k->code;
}

static void add_object(lin_arena *arena, simt_memory *to, const gpu_memory *m) {
  to->object = LIN_ROOM(arena, to->object, to->count, &to->capacity);
  to->object[to->count++] = (simt_object){.name = "memory",
                                          .address = m->address,
                                          .size = m->size,
                                          .bytes = m->bytes,
                                          .written = m->written};
}

// The program's variables are those of the module; the rest of the memory stands behind them.
static void lend_memory(image *i, simt_machine *m, const gpu_context *c) {
  for (uint32_t g = 0; g < m->program->num_globals; g++) {
    const image_global *global = image_find_global(i, m->program->global[g].variable.name);
    m->global.object[g].bytes = global->memory->bytes;
    m->global.object[g].written = global->memory->written;
  }
  for (uint32_t at = 0; at < driver_memories; at++)
    if (driver_memory[at]->context == c || driver_memory[at]->is_hosts)
      add_object(m->arena, &m->global, driver_memory[at]);
}

static uint64_t scalar(const uint8_t *bytes, uint32_t size) {
  uint64_t value = 0;
  memcpy(&value, bytes, size < sizeof value ? size : sizeof value);
  return value;
}

// Of the kernel's parameters each is one register, or is passed by value.
static bool run(simt_machine *m, const gpu_launch *l) {
  const simt_program *p = m->program;
  const image_kernel *k = l->function->kernel;
  uint64_t *argument = LIN_ARRAY(m->arena, uint64_t, p->num_parameters + 1);
  const uint8_t **by_value = LIN_ARRAY(m->arena, const uint8_t *, p->num_parameters + 1);
  for (uint32_t i = 0; i < p->num_parameters; i++) {
    by_value[i] = l->arguments + k->offset[i];
    argument[i] = scalar(by_value[i], k->size[i]);
    if (p->parameter[i].num_registers != 1) {
      m->fault = "a parameter of several registers";
      return false;
    }
  }
  return simt_machine_run(m, argument, by_value);
}

uint64_t ir_run(image *i, const gpu_launch *l, int *error) {
  image_kernel *k = l->function->kernel;
  const simt_program *p = program_of(i, k);
  if (p == NULL) {
    *error = LAUNCH_FAILED;
    return 0;
  }
  lin_arena arena = {0};
  simt_launch launch = {.kernel = k->name,
                        .first_block = l->first_block,
                        .num_blocks = l->num_blocks,
                        .shared_bytes = l->shared,
                        .model = SIMT_VOLTA,
                        .limit = 100000000,
                        .jobs = 1,
                        .allow_unwritten = true,
                        .output = stdout};
  memcpy(launch.grid, l->grid, sizeof launch.grid);
  memcpy(launch.block, l->block, sizeof launch.block);
  simt_machine *m = simt_machine_new(&arena, p, &launch);
  lend_memory(i, m, l->function->module->context);
  if (!run(m, l)) {
    fprintf(stderr, "stand-in: %s: %s\n", k->name, m->fault);
    *error = strstr(m->fault, "out of bounds") != NULL ? ILLEGAL_ADDRESS : LAUNCH_FAILED;
  }
  uint64_t time = 1000 + simt_metrics_sum(m->metrics, p, LIN_NONE).warp_instructions;
  lin_arena_release(&arena);
  return time;
}
