// 1. A function's text is read as any front end does (ptx/read.h): instructions, blocks, edges.
// 2. Each block becomes one of LLVM's, each instruction what it means (state.h has by whom).
// 3. What begins within a scope { } that nobody leaves, and declares something, is one piece.
//
// Accepts: registers of 1 to 128 bits, without vectors; branches to labels, brx.idx by a table,
// ret, exit, trap; carries that one piece of a block sets and takes; a predicate on any of these
// but carries; pragmas that are the function's or a loop's, prototypes. Each other module names
// what it accepts. All else is refused by lin_lift_refuse, and the function stays byte for byte.
// Promises: each function of LLVM's is what its PTX is, or isn't there; LLVM's verifier has looked
// at it, in every build.
#include "state.h"

#include "gpu/nvptx.h"

#include <llvm-c/Analysis.h>

#include <stdio.h>
#include <string.h>

LLVMModuleRef lin_lift_module(const lin_lift *lift) { return lift->module; }

lin_lift *lin_lift_new(lin_arena *arena, const lin_ptx_module *ptx, const char *name,
                       LLVMContextRef context) {
  lin_lift *lift = LIN_NEW(arena, lin_lift);
  lift->arena = arena;
  lift->ptx = ptx;
  lift->context = context;
  lift->module = LLVMModuleCreateWithNameInContext("lifted", context);
  LLVMSetTarget(lift->module, "nvptx64-nvidia-cuda");
  lin_lift_declare_variables(lift);
  lift->debug = LLVMCreateDIBuilder(lift->module);
  lift->file = LLVMDIBuilderCreateFile(lift->debug, name, strlen(name), "", 0);
  lift->unit = LLVMDIBuilderCreateCompileUnit(
      lift->debug, LLVMDWARFSourceLanguageC, lift->file, "linearize", 9, true, "", 0, 0, "", 0,
      LLVMDWARFEmissionLineTablesOnly, 0, false, false, "", 0, "", 0);
  LLVMMetadataRef version = LLVMValueAsMetadata(
      LLVMConstInt(LLVMInt32TypeInContext(context), LLVMDebugMetadataVersion(), false));
  LLVMAddModuleFlag(lift->module, LLVMModuleFlagBehaviorWarning, "Debug Info Version", 18, version);
  return lift;
}

// ---- instructions

static void set_line(lin_lifting *l, uint32_t place) {
  const char *text = l->body->module->text;
  l->line += lin_ptx_line(text + l->counted, place - l->counted) - 1;
  l->counted = place;
  LLVMMetadataRef location =
      LLVMDIBuilderCreateDebugLocation(l->lift->context, l->line, 0, l->program, NULL);
  LLVMSetCurrentDebugLocation2(l->builder, location);
}

// Remarks name blocks. One that no label begins is known by its line: `line 47`.
static LLVMBasicBlockRef append_block(lin_lifting *l, const char *name) {
  char text[32];
  if (name == NULL) {
    snprintf(text, sizeof text, "line %u.", l->line); // LLVM puts a number behind it, if need be
    name = text;
  }
  return LLVMAppendBasicBlockInContext(l->lift->context, l->function, name);
}

static LLVMBasicBlockRef add_block(lin_lifting *l) {
  LLVMBasicBlockRef after = LLVMGetInsertBlock(l->builder);
  LLVMBasicBlockRef block = append_block(l, NULL);
  LLVMMoveBasicBlockAfter(block, after);
  return block;
}

static LLVMValueRef predicate_of(lin_lifting *l, uint32_t at) {
  const lin_ptx_instruction *i = &l->body->instruction[at];
  LLVMValueRef value = lin_lift_register(l, i->predicate);
  return i->is_negated ? LLVMBuildNot(l->builder, value, "") : value;
}

static bool uses_carry(const lin_lifting *l, uint32_t at) {
  const lin_ptx_instruction *i = &l->body->instruction[at];
  const char *text = l->body->module->text + i->name;
  uint32_t length = i->operands - i->name;
  return (length > 4 && (memcmp(text, "addc", 4) == 0 || memcmp(text, "subc", 4) == 0 ||
                         memcmp(text, "madc", 4) == 0));
}

static bool sets_carry(const lin_lifting *l, uint32_t at) {
  const lin_ptx_instruction *i = &l->body->instruction[at];
  return lin_nvptx_has_part(l->body->module->text + i->name, i->operands - i->name, ".cc");
}

// From a carry that is set to the last instruction that takes one, within the block.
static uint32_t behind_chain(lin_lifting *l, uint32_t at, uint32_t behind) {
  uint32_t end = at + 1;
  for (uint32_t i = at + 1; i < behind; i++) {
    if (sets_carry(l, i) && !uses_carry(l, i))
      break;
    if (uses_carry(l, i))
      end = i + 1;
  }
  return end;
}

// mov.b32 {%b1, %b2, %b3, %b4}, %r1: only a move wants registers of 8 bits as they are.
static bool moves_bytes(const lin_lifting *l) {
  if (!lin_lift_is_part(&l->opcode, 0, "mov"))
    return false;
  for (uint32_t k = 0; k < l->operands.count; k++) {
    const lin_ptx_operand *o = &l->operands.operand[k];
    if (o->kind != LIN_PTX_OPERAND_REGISTER)
      continue;
    const lin_ptx_register *reg = &l->body->reg[o->reg];
    if (reg->type_end - reg->type == 3 && l->body->module->text[reg->type + 2] == '8')
      return true;
  }
  return false;
}

static bool lift_plain(lin_lifting *l, uint32_t at) {
  const lin_ptx_instruction *i = &l->body->instruction[at];
  lin_lift_cut(l, at);
  if (moves_bytes(l))
    return lin_lift_refuse(l, i->start, "bytes that are put together in registers");
  lin_lift_note_place(l);
  return lin_lift_arithmetic(l) || lin_lift_memory(l) || lin_lift_atomic(l) ||
         lin_lift_call(l, at, at + 1, NULL) || lin_lift_opaque(l, at, at + 1, i->start, i->end);
}

// An instruction under a predicate is a block that others go around.
static bool lift_instruction(lin_lifting *l, uint32_t at) {
  const lin_ptx_instruction *i = &l->body->instruction[at];
  set_line(l, i->start);
  if (i->predicate == LIN_NONE)
    return lift_plain(l, at);
  LLVMValueRef condition = predicate_of(l, at);
  LLVMBasicBlockRef then = add_block(l);
  LLVMBasicBlockRef on = append_block(l, NULL);
  LLVMMoveBasicBlockAfter(on, then);
  LLVMBuildCondBr(l->builder, condition, then, on);
  LLVMPositionBuilderAtEnd(l->builder, then);
  bool is_lifted = lift_plain(l, at);
  LLVMBuildBr(l->builder, on);
  LLVMPositionBuilderAtEnd(l->builder, on);
  return is_lifted;
}

// The outermost scope around an instruction that has to stay one piece, or 0.
static uint32_t piece_around(const lin_lifting *l, uint32_t at) {
  uint32_t found = 0;
  for (uint32_t s = l->body->instruction[at].scope; s != 0; s = l->body->scope[s].parent) {
    const lin_ptx_scope *scope = &l->body->scope[s];
    if (scope->is_closed && (scope->declares || l->body->instruction[at].is_closed))
      found = s;
  }
  return found;
}

// Whether what would be lost with the function's text isn't: splice.h keeps what is the whole
// function's, a piece its own.
static bool check_asides(lin_lifting *l) {
  for (uint32_t i = 0; i < l->body->num_asides; i++) {
    const lin_ptx_aside *aside = &l->body->aside[i];
    const uint32_t piece = piece_around(l, aside->before);
    const lin_ptx_scope *scope = &l->body->scope[piece];
    bool is_kept = piece != 0 && scope->start < aside->start && aside->end < scope->end;
    if (!is_kept && (aside->scope != 0 || aside->is_bound))
      return lin_lift_refuse(l, aside->start, "a prototype or pragma that only its place explains");
  }
  return true;
}

// LLVM ends the program at a symbol that has a % somewhere.
static bool check_names(lin_lifting *l) {
  const char *text = l->lift->ptx->text;
  const lin_ptx_variables *parameters = &l->place->parameters;
  uint32_t found = strchr(l->place->name, '%') != NULL ? l->place->named : 0;
  for (uint32_t i = 0; i < parameters->count && found == 0; i++)
    if (lin_ptx_has_sign(text, parameters->variable[i].start, parameters->variable[i].end))
      found = parameters->variable[i].start;
  found = found == 0 ? l->body->sign : found;
  return found == 0 || lin_lift_refuse(l, found, "a % within a name");
}

// Lifts what begins at `*at`, and moves behind it.
static bool lift_next(lin_lifting *l, uint32_t *at, uint32_t behind) {
  const lin_ptx_body *body = l->body;
  const lin_ptx_instruction *i = &body->instruction[*at];
  uint32_t around = piece_around(l, *at);
  if (around != 0) {
    const lin_ptx_scope *scope = &body->scope[around];
    if (scope->first != *at || scope->behind > behind)
      return lin_lift_refuse(l, i->start, "a scope that begins or ends within a block");
    set_line(l, i->start);
    *at = scope->behind;
    return lin_lift_call(l, scope->first, scope->behind, scope) ||
           lin_lift_opaque(l, scope->first, scope->behind, scope->start, scope->end);
  }
  if (uses_carry(l, *at))
    return lin_lift_refuse(l, i->start, "a carry from elsewhere");
  if (!sets_carry(l, *at))
    return lift_instruction(l, (*at)++);
  uint32_t first = *at;
  *at = behind_chain(l, first, behind);
  for (uint32_t k = first; k < *at; k++)
    if (body->instruction[k].predicate != LIN_NONE || body->instruction[k].scope != i->scope)
      return lin_lift_refuse(l, i->start, "a carry under a predicate or across scopes");
  set_line(l, i->start);
  if (*at - first == 1)
    return lift_plain(l, first);
  return lin_lift_opaque(l, first, *at, i->start, body->instruction[*at - 1].end);
}

// ---- control flow

static LLVMBasicBlockRef successor(const lin_lifting *l, lin_block block, uint32_t number) {
  const lin_graph *graph = l->f->graph;
  return l->block[graph->destination[graph->first_edge[block] + number]];
}

static void call_trap(lin_lifting *l) {
  lin_lift_intrinsic(l, "llvm.trap", NULL, NULL, 0);
  LLVMBuildUnreachable(l->builder);
}

static void leave(lin_lifting *l, uint32_t flags) {
  if ((flags & LIN_TRAP) == 0) {
    if (l->result == NULL)
      LLVMBuildRetVoid(l->builder);
    else
      LLVMBuildRet(l->builder, LLVMBuildLoad2(l->builder, l->result_type, l->result, ""));
    return;
  }
  LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(l->lift->context), NULL, 0, false);
  LLVMValueRef code = LLVMGetInlineAsm(type, "exit;", 5, "~{memory}", 9, true, false,
                                       LLVMInlineAsmDialectATT, false);
  LLVMBuildCall2(l->builder, type, code, NULL, 0, "");
  LLVMBuildUnreachable(l->builder);
}

static bool switch_of(lin_lifting *l, lin_block block, uint32_t branch) {
  const lin_ptx_table *table = &l->body->table[l->body->leads_to[branch]];
  lin_ptx_operands_read(l->arena, l->body, branch, &l->operands);
  LLVMTypeRef type = LLVMInt32TypeInContext(l->lift->context);
  LLVMValueRef value = lin_lift_get(l, &l->operands.operand[0], type, false);
  if (value == NULL)
    return lin_lift_refuse(l, l->body->instruction[branch].start, "brx.idx by no register");
  if (l->body->instruction[branch].predicate != LIN_NONE) {
    LLVMValueRef condition = predicate_of(l, branch);
    LLVMBasicBlockRef then = add_block(l);
    LLVMBuildCondBr(l->builder, condition, then, successor(l, block, table->count));
    LLVMPositionBuilderAtEnd(l->builder, then);
  }
  LLVMBasicBlockRef nowhere = append_block(l, NULL);
  LLVMValueRef made = LLVMBuildSwitch(l->builder, value, nowhere, table->count);
  for (uint32_t i = 0; i < table->count; i++)
    LLVMAddCase(made, LLVMConstInt(type, i, false), successor(l, block, i));
  LLVMPositionBuilderAtEnd(l->builder, nowhere);
  LLVMBuildUnreachable(l->builder);
  return true;
}

static bool end_block(lin_lifting *l, lin_block block) {
  const lin_ptx_block *b = &l->f->block[block];
  const lin_graph *graph = l->f->graph;
  uint32_t degree = lin_out_degree(graph, block);
  if (b->branch != LIN_NONE)
    set_line(l, l->body->instruction[b->branch].start);
  lin_ptx_flow flow =
      b->branch == LIN_NONE ? LIN_PTX_ON : lin_ptx_meaning(l->body, b->branch)->flow;
  if (flow == LIN_PTX_JUMP)
    return lin_lift_refuse(l, l->body->instruction[b->branch].start, "a jump that nobody knows");
  if (flow == LIN_PTX_BRX)
    return switch_of(l, block, b->branch);
  if (degree == 0 && flow == LIN_PTX_TRAP)
    call_trap(l);
  else if (degree == 0)
    leave(l, graph->flags[block]);
  else if (degree == 1)
    LLVMBuildBr(l->builder, successor(l, block, 0));
  else
    LLVMBuildCondBr(l->builder, predicate_of(l, b->branch), successor(l, block, 0),
                    successor(l, block, 1));
  return true;
}

static bool lift_block(lin_lifting *l, lin_block block) {
  const lin_ptx_block *b = &l->f->block[block];
  LLVMPositionBuilderAtEnd(l->builder, l->block[block]);
  uint32_t behind = b->branch != LIN_NONE ? b->branch : b->behind;
  for (uint32_t at = b->first; at < behind;)
    if (!lift_next(l, &at, behind))
      return false;
  l->last[block] = LLVMGetInsertBlock(l->builder);
  return end_block(l, block);
}

// .pragma "nounroll" is its loop's: on the branches to the header.
static void keep_rolled(lin_lifting *l) {
  LLVMContextRef context = l->lift->context;
  unsigned kind = LLVMGetMDKindIDInContext(context, "llvm.loop", 9);
  const lin_graph *graph = l->f->graph;
  for (uint32_t i = 0; i < l->body->num_rolled; i++) {
    lin_block header = 0;
    while (header < l->f->num_written && l->f->block[header].first != l->body->rolled[i])
      header++;
    if (header == l->f->num_written)
      continue;
    LLVMMetadataRef word = LLVMMDStringInContext2(context, "llvm.loop.unroll.disable", 24);
    LLVMMetadataRef disable = LLVMMDNodeInContext2(context, &word, 1);
    LLVMMetadataRef parts[] = {LLVMTemporaryMDNode(context, NULL, 0), disable};
    LLVMMetadataRef node = LLVMMDNodeInContext2(context, parts, 2);
    LLVMMetadataReplaceAllUsesWith(parts[0], node);
    for (LIN_IN_EDGES(graph, header, edge))
      LLVMSetMetadata(LLVMGetBasicBlockTerminator(l->last[graph->source[graph->in_edge[edge]]]),
                      kind, LLVMMetadataAsValue(context, node));
  }
}

// ---- functions

static bool prepare_registers(lin_lifting *l) {
  const lin_ptx_body *body = l->body;
  const char *text = body->module->text;
  l->slot = LIN_ARRAY(l->arena, LLVMValueRef, body->num_regs + 1);
  l->type = LIN_ARRAY(l->arena, LLVMTypeRef, body->num_regs + 1);
  l->is_set_first = lin_lift_find_set_first(l);
  l->holds = LIN_ARRAY(l->arena, lin_lift_place, body->num_regs + 1);
  for (uint32_t i = 0; i < body->num_regs; i++) {
    const lin_ptx_register *reg = &body->reg[i];
    l->type[i] = lin_lift_type(l->lift, text + reg->type + 1, reg->type_end - reg->type - 1);
    // A byte is only loaded, stored and converted, and all of these take wider registers.
    if (l->type[i] != NULL && lin_lift_bits(l->type[i]) == 8)
      l->type[i] = LLVMInt16TypeInContext(l->lift->context);
    const lin_ptx_scope *scope = &body->scope[reg->scope];
    bool is_inner = reg->scope != 0 && scope->is_closed && scope->declares;
    if (!is_inner && (l->type[i] == NULL || reg->is_parameter))
      return lin_lift_refuse(l, reg->start, "a register of a kind that isn't lifted");
  }
  return true;
}

static bool lift_body(lin_lifting *l) {
  const lin_graph *graph = l->f->graph;
  LLVMBasicBlockRef entry = append_block(l, "entry");
  LLVMPositionBuilderAtEnd(l->entry, entry);
  l->block = LIN_ARRAY(l->arena, LLVMBasicBlockRef, graph->num_blocks);
  l->last = LIN_ARRAY(l->arena, LLVMBasicBlockRef, graph->num_blocks);
  for (lin_block block = 0; block < graph->num_blocks; block++)
    l->block[block] = append_block(l, graph->name[block]);
  if (l->result_type != NULL)
    l->result = LLVMBuildAlloca(l->entry, l->result_type, "");
  bool is_lifted = check_asides(l) && prepare_registers(l) && lin_lift_declare_locals(l);
  for (lin_block block = 0; is_lifted && block < l->f->num_written; block++)
    is_lifted = lift_block(l, block);
  for (lin_block block = l->f->num_written; is_lifted && block < graph->num_blocks; block++) {
    LLVMPositionBuilderAtEnd(l->builder, l->block[block]);
    leave(l, graph->flags[block]);
  }
  if (is_lifted)
    LLVMBuildBr(l->entry, l->block[0]);
  if (is_lifted)
    keep_rolled(l);
  return is_lifted;
}

// Others may call it.
static void drop_body(LLVMValueRef function, const char *name) {
  LLVMValueRef declared =
      LLVMAddFunction(LLVMGetGlobalParent(function), "", LLVMGlobalGetValueType(function));
  LLVMReplaceAllUsesWith(function, declared);
  LLVMSetValueName2(function, "", 0);
  LLVMSetValueName2(declared, name, strlen(name));
  lin_lift_mark(declared, "convergent");
  lin_lift_mark(declared, "nounwind");
  LLVMSetFunctionCallConv(declared, LLVMGetFunctionCallConv(function));
  LLVMDeleteFunction(function);
}

static void lift_into(lin_lifting *l) {
  if (!lin_lift_declare_function(l))
    return;
  l->line = l->place->line;
  l->counted = l->place->signature;
  l->builder = LLVMCreateBuilderInContext(l->lift->context);
  l->entry = LLVMCreateBuilderInContext(l->lift->context);
  if (!lift_body(l)) {
    drop_body(l->function, l->place->name);
  } else {
    LLVMDIBuilderFinalizeSubprogram(l->lift->debug, l->program);
    lin_lift_note_sources(l);
    if (LLVMVerifyFunction(l->function, LLVMReturnStatusAction)) {
      lin_lift_refuse(l, l->place->body, "what LLVM doesn't take");
      drop_body(l->function, l->place->name);
    }
  }
  LLVMDisposeBuilder(l->builder);
  LLVMDisposeBuilder(l->entry);
}

const char *lin_lift_function(lin_lift *lift, uint32_t number, uint32_t *line) {
  lin_arena arena = {0};
  lin_lifting l = {.lift = lift, .arena = &arena, .place = &lift->ptx->function[number]};
  l.body = lin_ptx_body_read(&arena, lift->ptx, l.place);
  if (l.body->refused != NULL) {
    lin_lift_refuse(&l, l.body->refused_at, l.body->refused);
  } else if (l.body->count > LIN_LIFT_MOST) {
    lin_lift_refuse(&l, l.place->start, "it has over 200000 instructions");
  } else if (check_names(&l)) {
    if (l.body->count > lift->largest)
      lift->largest = l.body->count;
    l.f = lin_ptx_read(&arena, l.body);
    lift_into(&l);
  }
  const char *refused = NULL;
  if (l.refused != NULL) {
    refused = lin_arena_text(lift->arena, l.refused, strlen(l.refused));
    *line = lin_ptx_line(lift->ptx->text, l.refused_at);
  }
  lin_arena_release(&arena);
  return refused;
}
