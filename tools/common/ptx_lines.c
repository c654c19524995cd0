#include "ptx_lines.h"

#include "llvm/ask/lifted.h"

#include <llvm-c/Core.h>
#include <llvm-c/DebugInfo.h>

#include <stdlib.h>
#include <string.h>

typedef struct work {
  LLVMContextRef context;
  LLVMDIBuilderRef builder;
  LLVMValueRef function;
  LLVMMetadataRef program; // the function's
  const char *last;        // the file that `scope` is for; no NUL ends it
  unsigned last_length;
  LLVMMetadataRef scope;
} work;

typedef struct place {
  const char *file;
  unsigned length, line; // of the file's name
} place;

// Where the source is of what stands on a line of the PTX; false where none is known.
static bool find_place(LLVMValueRef function, unsigned line, place *found) {
  unsigned length;
  const char *text = lin_ir_source_of_line(function, line, &length);
  unsigned colon = text == NULL ? 0 : length;
  while (colon > 0 && text[colon - 1] != ':')
    colon--;
  if (colon < 2)
    return false;
  *found = (place){text, colon - 1, 0};
  for (unsigned at = colon; at < length; at++)
    found->line = found->line * 10 + (unsigned)(text[at] - '0');
  return found->line > 0;
}

static LLVMMetadataRef file_of(const work *w, const place *p) {
  return LLVMDIBuilderCreateFile(w->builder, p->file, p->length, "", 0);
}

// The function is where its first line is.
static void make_program(work *w, const place *first) {
  LLVMMetadataRef file = file_of(w, first);
  LLVMDIBuilderCreateCompileUnit(w->builder, LLVMDWARFSourceLanguageC, file, "linearize", 9, true,
                                 "", 0, 0, "", 0, LLVMDWARFEmissionLineTablesOnly, 0, false, false,
                                 "", 0, "", 0);
  LLVMMetadataRef type = LLVMDIBuilderCreateSubroutineType(w->builder, file, NULL, 0, 0);
  size_t length;
  const char *name = LLVMGetValueName2(w->function, &length);
  w->program = LLVMDIBuilderCreateFunction(w->builder, file, name, length, name, length, file,
                                           first->line, type, false, true, first->line, 0, true);
  LLVMSetSubprogram(w->function, w->program);
  w->last = first->file;
  w->last_length = first->length;
  w->scope = w->program;
}

static void use_place(work *w, LLVMValueRef at, const place *p) {
  if (p->length != w->last_length || memcmp(p->file, w->last, p->length) != 0) {
    w->scope = LLVMDIBuilderCreateLexicalBlockFile(w->builder, w->program, file_of(w, p), 0);
    w->last = p->file;
    w->last_length = p->length;
  }
  LLVMInstructionSetDebugLoc(
      at, LLVMDIBuilderCreateDebugLocation(w->context, p->line, 0, w->scope, NULL));
}

static LLVMValueRef next(LLVMValueRef at) {
  LLVMBasicBlockRef block = LLVMGetInstructionParent(at);
  at = LLVMGetNextInstruction(at);
  while (at == NULL && (block = LLVMGetNextBasicBlock(block)) != NULL)
    at = LLVMGetFirstInstruction(block);
  return at;
}

static void use_lines(work *w) {
  place p, own = {0};
  LLVMValueRef first = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(w->function));
  bool is_found = false;
  for (LLVMValueRef at = first; at != NULL && !is_found; at = next(at))
    is_found = LLVMInstructionGetDebugLoc(at) != NULL &&
               find_place(w->function, LLVMGetDebugLocLine(at), &p);
  if (!is_found)
    return;
  own.file = LLVMDIFileGetFilename(LLVMDIScopeGetFile(LLVMGetSubprogram(w->function)), &own.length);
  make_program(w, &p);
  for (LLVMValueRef at = first; at != NULL; at = next(at)) {
    if (LLVMInstructionGetDebugLoc(at) == NULL)
      continue;
    own.line = LLVMGetDebugLocLine(at);
    use_place(w, at, find_place(w->function, own.line, &p) ? &p : &own);
  }
  LLVMGlobalEraseMetadata(w->function, LLVMGetMDKindIDInContext(w->context, "linearize.lines", 15));
}

void tool_use_source_lines(LLVMModuleRef module) {
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f != NULL; f = LLVMGetNextFunction(f)) {
    if (LLVMIsDeclaration(f) || LLVMGetSubprogram(f) == NULL)
      continue;
    work w = {.context = LLVMGetModuleContext(module),
              .builder = LLVMCreateDIBuilder(module),
              .function = f};
    use_lines(&w);
    LLVMDIBuilderFinalize(w.builder);
    LLVMDisposeDIBuilder(w.builder);
  }
}
