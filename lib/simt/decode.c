// 1. A function's blocks are put into order; unreachable ones drop out.
// 2. Its instructions are decoded in that order, in which a value comes before its uses but for
//    phis. Phis get their registers first.
// 3. Phis become copies on the edges.
// 4. Functions that it calls are decoded after it.
#include "decode.h"

#include "decode_parts.h"

#include "graph/order.h"
#include "reshape.h"
#include "llvm/ask/inputs.h"
#include "llvm/read/read.h"

#include <llvm-c/Core.h>

#include <stdio.h>
#include <string.h>

// ---- what ends a block -------------------------------------------------------------------------

static uint64_t case_value(LLVMValueRef terminator, unsigned successor) {
  return LLVMConstIntGetZExtValue(lin_ir_case(terminator, successor));
}

// `peeled` is the case that has a branch of its own, or 0.
static void decode_switch(simt_decoder *d, LLVMValueRef terminator, uint32_t peeled) {
  simt_value value = simt_decode_operand_at(d, terminator, 0);
  uint32_t first = d->num_cases, count = LLVMGetNumSuccessors(terminator);
  for (uint32_t i = 1; i < count; i++) {
    if (i == peeled)
      continue;
    d->f->case_value = LIN_ROOM(d->arena, d->f->case_value, d->num_cases, &d->capacity_case);
    d->f->case_value[d->num_cases++] = case_value(terminator, i);
  }
  simt_decode_emit(d, (simt_instruction){.opcode = SIMT_SWITCH, .a = value.reg[0], .b = first});
}

static void decode_peeled_case(simt_decoder *d, LLVMValueRef terminator, uint32_t peeled) {
  d->at = terminator;
  simt_value value = simt_decode_operand_at(d, terminator, 0);
  uint8_t bits = simt_decode_bits(d, LLVMTypeOf(LLVMGetOperand(terminator, 0)));
  simt_register wanted = simt_decode_constant(d, case_value(terminator, peeled));
  simt_decode_emit(d, (simt_instruction){
                          .opcode = SIMT_BRANCH,
                          .a = simt_decode_arithmetic(d, SIMT_EQ, bits, value.reg[0], wanted, 0)});
}

static void decode_return(simt_decoder *d, LLVMValueRef terminator) {
  simt_value value = {0};
  if (LLVMGetNumOperands(terminator) > 0)
    value = simt_decode_operand_at(d, terminator, 0);
  simt_decode_emit(d, (simt_instruction){.opcode = SIMT_RETURN,
                                         .extra = value.count,
                                         .b = simt_decode_operands(d, value.reg, value.count)});
}

static void decode_terminator(simt_decoder *d, LLVMValueRef terminator, uint32_t peeled) {
  d->at = terminator;
  switch (LLVMGetInstructionOpcode(terminator)) {
  case LLVMBr:
    if (LLVMGetNumSuccessors(terminator) == 1)
      simt_decode_emit(d, (simt_instruction){.opcode = SIMT_GOTO});
    else
      simt_decode_emit(
          d, (simt_instruction){.opcode = SIMT_BRANCH,
                                .a = simt_decode_operand(d, LLVMGetCondition(terminator)).reg[0]});
    break;
  case LLVMSwitch:
    decode_switch(d, terminator, peeled);
    break;
  case LLVMRet:
    decode_return(d, terminator);
    break;
  case LLVMUnreachable:
    simt_decode_emit(d, (simt_instruction){.opcode = SIMT_TRAP});
    break;
  default:
    simt_decode_fail(d, "an unknown terminator");
  }
}

// ---- phis --------------------------------------------------------------------------------------

static LLVMValueRef phi_or_null(LLVMValueRef at) {
  return at != NULL && LLVMGetInstructionOpcode(at) == LLVMPHI ? at : NULL;
}

static LLVMValueRef first_phi(const simt_decoder *d, lin_block block) {
  return d->is_rest[block] ? NULL : phi_or_null(LLVMGetFirstInstruction(d->block[block]));
}

static LLVMValueRef next_phi(LLVMValueRef phi) { return phi_or_null(LLVMGetNextInstruction(phi)); }

static void define_phis(simt_decoder *d) {
  for (lin_block b = 0; b < d->f->graph->num_blocks; b++)
    for (LLVMValueRef at = first_phi(d, b); at != NULL && d->twin[b] == LIN_NONE;
         at = next_phi(at)) {
      d->at = at;
      simt_decode_define(d, at);
    }
}

// With several edges from one block a phi has an entry for each of them, all of one value.
static LLVMValueRef incoming(LLVMValueRef phi, LLVMBasicBlockRef from) {
  for (unsigned i = 0; i < LLVMCountIncoming(phi); i++)
    if (LLVMGetIncomingBlock(phi, i) == from)
      return LLVMGetIncomingValue(phi, i);
  return NULL;
}

static bool copies_overlap(const simt_copy *copy, uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    for (uint32_t j = i + 1; j < count; j++)
      if (copy[j].from == copy[i].to)
        return true;
  return false;
}

static bool is_known_flag(LLVMValueRef phi, LLVMValueRef from) {
  LLVMTypeRef type = LLVMTypeOf(phi);
  return LLVMGetTypeKind(type) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) == 1 &&
         LLVMIsAConstantInt(from);
}

static void decode_copies(simt_decoder *d) {
  simt_function *f = d->f;
  const lin_graph *graph = f->graph;
  uint32_t capacity = 0, count = 0;
  f->first_copy = LIN_ARRAY(d->arena, uint32_t, graph->num_edges + 1);
  f->copies_overlap = LIN_ARRAY(d->arena, bool, graph->num_edges + 1);
  f->known_flags = LIN_ARRAY(d->arena, uint32_t, graph->num_blocks);
  for (lin_edge e = 0; e < graph->num_edges; e++) {
    f->first_copy[e] = count;
    uint32_t known_flags = 0;
    for (LLVMValueRef at = first_phi(d, graph->destination[e]); at != NULL; at = next_phi(at)) {
      d->at = at;
      simt_value to = simt_decode_operand(d, at);
      LLVMValueRef operand = incoming(at, d->block[graph->source[e]]);
      simt_value from = simt_decode_operand(d, operand);
      known_flags += is_known_flag(at, operand);
      for (uint32_t i = 0; i < to.count; i++) {
        f->copy = LIN_ROOM(d->arena, f->copy, count, &capacity);
        if (to.reg[i] != from.reg[i])
          f->copy[count++] = (simt_copy){to.reg[i], from.reg[i]};
      }
    }
    uint32_t here = count - f->first_copy[e], *flags = &f->known_flags[graph->source[e]];
    *flags = known_flags > *flags ? known_flags : *flags;
    f->copies_overlap[e] = copies_overlap(f->copy + f->first_copy[e], here);
    f->max_copies = here > f->max_copies ? here : f->max_copies;
  }
  f->first_copy[graph->num_edges] = count;
}

// ---- functions ---------------------------------------------------------------------------------

// Registers are no values of one definition: a copy of a block writes what the block writes.
static void copy_code(simt_decoder *d, lin_block twin) {
  simt_function *f = d->f;
  for (uint32_t pc = f->first_code[twin]; pc < f->first_code[twin + 1]; pc++) {
    simt_instruction in = f->code[pc];
    if (in.opcode == SIMT_CALL) {
      f->call = LIN_ROOM(d->arena, f->call, d->num_calls, &d->capacity_call);
      f->call[d->num_calls] = f->call[in.extra];
      f->call[d->num_calls].next_pc = f->num_code + 1;
      in.extra = d->num_calls++;
    }
    f->code = LIN_ROOM(d->arena, f->code, f->num_code, &d->capacity_code);
    f->code[f->num_code++] = in;
  }
}

// A negated condition is read negated; the addresses that only use an extended index extend it
// themselves.
static bool is_free(LLVMValueRef at) {
  if (LLVMGetInstructionOpcode(at) == LLVMXor) {
    LLVMTypeRef type = LLVMTypeOf(at);
    return LLVMGetTypeKind(type) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) == 1 &&
           (LLVMIsAConstantInt(LLVMGetOperand(at, 0)) || LLVMIsAConstantInt(LLVMGetOperand(at, 1)));
  }
  if (LLVMGetInstructionOpcode(at) != LLVMSExt)
    return false;
  for (LLVMUseRef use = LLVMGetFirstUse(at); use != NULL; use = LLVMGetNextUse(use))
    if (LLVMIsAGetElementPtrInst(LLVMGetUser(use)) == NULL)
      return false;
  return true;
}

// Nor is a branch to a block that follows one.
static void free_branches(simt_function *f) {
  for (lin_block b = 0; b < f->graph->num_blocks; b++) {
    simt_instruction *end = &f->code[f->first_code[b + 1] - 1];
    if (end->opcode == SIMT_GOTO &&
        lin_in_degree(f->graph, f->graph->destination[f->graph->first_edge[b]]) == 1)
      end->flags |= SIMT_IS_FREE;
  }
}

static void set_flags(simt_decoder *d, uint32_t first, LLVMValueRef at) {
  uint8_t flags = (uint8_t)((is_free(at) ? SIMT_IS_FREE : 0) |
                            (LLVMGetMetadata(at, d->guard_kind) != NULL ? SIMT_IS_GUARD : 0));
  for (uint32_t i = first; i < d->f->num_code; i++)
    d->f->code[i].flags |= flags;
}

// Of scalars and vectors.
static void mark_input(simt_decoder *d, uint32_t first, LLVMValueRef at) {
  LLVMTypeRef type = LLVMTypeOf(at);
  LLVMTypeKind kind = LLVMGetTypeKind(type);
  if (kind == LLVMStructTypeKind || kind == LLVMArrayTypeKind ||
      lin_numbers_find(&d->inputs, at) == LIN_NONE)
    return;
  if (kind == LLVMVectorTypeKind)
    type = LLVMGetElementType(type);
  for (uint32_t i = first; i < d->f->num_code; i++)
    if (d->f->code[i].opcode == SIMT_LOAD) {
      d->f->code[i].flags |= SIMT_IS_INPUT;
      d->f->code[i].c = simt_decode_is_float(type);
    }
}

static void find_inputs(simt_decoder *d, LLVMValueRef kernel) {
  lin_ir_inputs inputs = lin_ir_find_inputs(d->arena, kernel);
  for (uint32_t i = 0; i < inputs.count; i++)
    lin_numbers_add(d->arena, &d->inputs, inputs.load[i], i);
}

// Turns an error in the instruction at hand, whose code begins at `first`, into code that fails
// where a thread comes to it. The error stays if the instruction's type has no registers.
static void postpone_error(simt_decoder *d, uint32_t first) {
  if (d->error == NULL)
    return;
  simt_function *f = d->f;
  const char *reason = d->error + strlen("function : ") + strlen(f->title);
  d->error = NULL;
  f->num_code = first;
  if (lin_numbers_find(&d->values, d->at) == LIN_NONE)
    simt_decode_define(d, d->at);
  f->unknown = LIN_ROOM(d->arena, f->unknown, d->num_unknown, &d->capacity_unknown);
  f->unknown[d->num_unknown] = reason;
  simt_decode_emit(d, (simt_instruction){.opcode = SIMT_UNKNOWN, .extra = d->num_unknown++});
}

static void decode_code(simt_decoder *d) {
  simt_function *f = d->f;
  f->first_code = LIN_ARRAY(d->arena, uint32_t, f->graph->num_blocks + 1);
  for (lin_block b = 0; b < f->graph->num_blocks; b++) {
    f->first_code[b] = f->num_code;
    if (d->twin[b] != LIN_NONE) {
      copy_code(d, d->twin[b]);
      continue;
    }
    LLVMValueRef end = LLVMGetBasicBlockTerminator(d->block[b]);
    for (LLVMValueRef at = d->is_rest[b] ? end : LLVMGetFirstInstruction(d->block[b]); at != end;
         at = LLVMGetNextInstruction(at)) {
      d->at = at;
      uint32_t first = f->num_code;
      bool had_error = d->error != NULL;
      if (!had_error && LLVMGetInstructionOpcode(at) != LLVMPHI)
        simt_decode_instruction(d, at);
      if (!had_error)
        postpone_error(d, first);
      mark_input(d, first, at);
      set_flags(d, first, at);
    }
    if (d->error != NULL)
      continue;
    uint32_t first = f->num_code;
    if (d->peeled[b] != 0 && !d->is_rest[b])
      decode_peeled_case(d, end, d->peeled[b]);
    else
      decode_terminator(d, end, d->peeled[b]);
    set_flags(d, first, end);
  }
  f->first_code[f->graph->num_blocks] = f->num_code;
  if (d->error == NULL)
    free_branches(f);
}

static void begin_function(simt_decoder *d, uint32_t number) {
  d->program->function[number] = (simt_function){0};
  d->f = &d->program->function[number];
  d->at = NULL;
  d->values = (lin_numbers){0};
  d->num_values = d->num_operands = d->num_cases = d->num_calls = d->num_unknown = 0;
  d->capacity_code = d->capacity_operand = d->capacity_case = d->capacity_call = 0;
  d->capacity_constant = d->capacity_local = d->capacity_unknown = 0;
  size_t length;
  const char *name = LLVMGetValueName2(d->function[number], &length);
  d->f->name = d->f->title = lin_arena_text(d->arena, name, length);
}

// The block that has its own name is the module's.
static void find_originals(simt_decoder *d, const lin_ir_function *read, const lin_block *origin) {
  const lin_graph *graph = d->f->graph;
  lin_block *own = LIN_ARRAY(d->arena, lin_block, read->graph->num_blocks);
  d->f->original = LIN_ARRAY(d->arena, lin_block, graph->num_blocks);
  d->f->is_rest = d->is_rest;
  for (lin_block b = graph->num_blocks; b-- > 0;)
    if (strcmp(graph->name[b], read->graph->name[origin[b]]) == 0 || own[origin[b]] == 0)
      own[origin[b]] = b;
  for (lin_block b = 0; b < graph->num_blocks; b++)
    d->f->original[b] = own[origin[b]];
}

static void lay_out_blocks(simt_decoder *d, const lin_ir_function *read) {
  const simt_reshaped *shape = simt_reshape(d->arena, read->graph, d->split);
  const lin_order *order = lin_order_build(d->arena, shape->graph);
  uint32_t count = order->graph->num_blocks;
  d->f->graph = order->graph;
  d->f->loops = order->loops;
  d->f->reconvergence = simt_reconvergence_build(d->arena, order);
  d->block = LIN_ARRAY(d->arena, LLVMBasicBlockRef, count);
  d->peeled = LIN_ARRAY(d->arena, uint32_t, count);
  d->is_rest = LIN_ARRAY(d->arena, bool, count);
  d->twin = LIN_ARRAY(d->arena, lin_block, count);
  lin_block *from = LIN_ARRAY(d->arena, lin_block, count);
  lin_block *first = LIN_ARRAY(d->arena, lin_block, 2 * read->graph->num_blocks); // + 1
  for (lin_block b = 0; b < count; b++) {
    lin_block reshaped = order->origin[b], origin = shape->origin[reshaped];
    from[b] = origin;
    d->block[b] = read->block[origin];
    d->peeled[b] = shape->peeled[reshaped];
    d->is_rest[b] = shape->is_rest[reshaped];
    lin_block *same = &first[2 * origin + d->is_rest[b]];
    d->twin[b] = *same == 0 ? LIN_NONE : *same - 1;
    *same = *same == 0 ? b + 1 : *same;
  }
  find_originals(d, read, from);
}

static void decode_function(simt_decoder *d, uint32_t number) {
  begin_function(d, number);
  LLVMValueRef function = d->function[number];
  lin_ir_read_options options = {.force = true};
  const lin_ir_function *read = lin_ir_read(d->arena, function, &options);
  lay_out_blocks(d, read);
  for (unsigned i = 0; i < LLVMCountParams(function); i++)
    d->f->num_parameters += simt_decode_define(d, LLVMGetParam(function, i)).count;
  define_phis(d);
  decode_code(d);
  if (d->error == NULL)
    decode_copies(d);
  d->f->local_size = (d->f->local_size + 15) / 16 * 16;
}

static uint64_t by_value_size(simt_decoder *d, LLVMValueRef function, unsigned index) {
  unsigned kind = LLVMGetEnumAttributeKindForName("byval", 5);
  LLVMAttributeRef byval = LLVMGetEnumAttributeAtIndex(function, index + 1, kind);
  return byval == NULL ? 0 : LLVMABISizeOfType(d->layout, LLVMGetTypeAttributeValue(byval));
}

static void describe_parameters(simt_decoder *d, LLVMValueRef kernel) {
  simt_program *p = d->program;
  p->num_parameters = LLVMCountParams(kernel);
  p->parameter = LIN_ARRAY(d->arena, simt_parameter, p->num_parameters);
  for (unsigned i = 0; i < p->num_parameters; i++) {
    LLVMTypeRef type = LLVMTypeOf(LLVMGetParam(kernel, i));
    simt_leaves leaves = simt_decode_leaves(d, type);
    p->parameter[i] = (simt_parameter){.by_value_size = by_value_size(d, kernel, i),
                                       .num_registers = leaves.count,
                                       .width = leaves.count == 1 ? leaves.leaf[0].bits : 0,
                                       .is_pointer = LLVMGetTypeKind(type) == LLVMPointerTypeKind,
                                       .is_float = simt_decode_is_float(type)};
    p->parameter[i].is_shared = p->parameter[i].is_pointer &&
                                simt_decode_space(LLVMGetPointerAddressSpace(type)) == SIMT_SHARED;
  }
}

static void decode_all(simt_decoder *d, LLVMValueRef kernel) {
  simt_decode_function(d, kernel);
  uint32_t capacity = 0;
  for (uint32_t i = 0; i < d->num_functions && d->error == NULL; i++) {
    d->program->function = LIN_ROOM(d->arena, d->program->function, i, &capacity);
    decode_function(d, i);
  }
  d->program->num_functions = d->num_functions;
  if (d->error == NULL)
    describe_parameters(d, kernel);
  if (d->error == NULL)
    simt_decode_lay_out_globals(d);
}

simt_program *simt_decode(lin_arena *arena, LLVMModuleRef module, const char *kernel, bool split,
                          const char **error) {
  LLVMValueRef function = LLVMGetNamedFunction(module, kernel);
  if (function == NULL || LLVMIsDeclaration(function)) {
    *error = "no such function is defined there";
    return NULL;
  }
  simt_decoder d = {
      .arena = arena,
      .module = module,
      .split = split,
      .guard_kind = LLVMGetMDKindIDInContext(LLVMGetModuleContext(module), "linearize.guard", 15),
      .layout = LLVMGetModuleDataLayout(module),
      .program = LIN_NEW(arena, simt_program)};
  find_inputs(&d, function);
  decode_all(&d, function);
  *error = d.error;
  return d.error == NULL ? d.program : NULL;
}
