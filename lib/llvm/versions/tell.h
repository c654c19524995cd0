// Remarks about a kernel's versions.
#ifndef LIN_LLVM_VERSIONS_TELL_H
#define LIN_LLVM_VERSIONS_TELL_H

#include "state.h"

#include "llvm/refill/refill.h"

// It gets none: it has too many instructions.
void lin_ir_tell_too_large(const lin_ir_versions *v, LLVMValueRef kernel, uint32_t instructions,
                           uint32_t most);

// An error: something else is called as its version would be.
void lin_ir_tell_taken(const lin_ir_versions *v, LLVMValueRef kernel, const char *version,
                       const char *symbol);

// What a file knows of it is of no use: it is of other code, or `unknown`, if not NULL, is a
// version that nobody knows here.
void lin_ir_tell_useless(const lin_ir_versions *v, LLVMValueRef kernel, const char *unknown);

// Its threads can't do each other's work, so that a version is what it would be if it didn't say
// `redirected`. `where` is the instruction, or NULL.
void lin_ir_tell_not_redirected(const lin_ir_versions *v, LLVMValueRef kernel, const char *version,
                                const char *why, LLVMValueRef where);

// In front of which loop its lanes take the next item, when, and what that gains.
void lin_ir_tell_refilled(const lin_ir_versions *v, LLVMValueRef kernel, const char *version,
                          const lin_ir_refilling *how, const lin_refill_prediction *predicted);

// Its lanes can't: why, by which instruction (or NULL: by the loop), and what it would gain.
void lin_ir_tell_not_refilled(const lin_ir_versions *v, LLVMValueRef kernel, const char *version,
                              const char *why, LLVMValueRef where, const lin_ir_refilling *how,
                              const lin_refill_prediction *predicted);

// What its threads do can't be told ahead.
void lin_ir_tell_no_inspector(const lin_ir_versions *v, LLVMValueRef kernel, const char *why,
                              unsigned line);

// Which it has, and which come out like others.
void lin_ir_tell_versions(const lin_ir_versions *v, const lin_ir_versioned *k);

#endif
