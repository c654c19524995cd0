// One kernel of a module as a module of its own (ptx/extract.h).
#define _GNU_SOURCE // asprintf
#include "ptx/extract.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failed;

static const char head[] = ".version 7.8\n.target sm_90\n.address_size 64\n";

// What is written of the kernel `k` of a module, or why it is refused. To be freed.
static char *extract(const char *module_text) {
  lin_arena arena = {0};
  lin_ptx_error error;
  lin_ptx_extracted made;
  char *text = NULL, *whole = NULL;
  size_t length;
  if (asprintf(&whole, "%s%s", head, module_text) < 0)
    abort();
  const lin_ptx_module *module = lin_ptx_module_read(&arena, whole, strlen(whole), &error);
  lin_ptx_patch patch = {.arena = &arena};
  FILE *memory = open_memstream(&text, &length);
  if (module == NULL || memory == NULL)
    abort();
  const char *wrong = lin_ptx_extract(module, "k", &patch, &made);
  if (wrong != NULL) {
    fputs(wrong, memory);
  } else {
    lin_ptx_patch_write(memory, whole, module->length, &patch);
    for (uint32_t i = 0; i < made.num_copied; i++)
      fprintf(memory, "\ncopy %s", made.copied[i]);
    for (uint32_t i = 0; i < made.num_pointed; i++)
      fprintf(memory, "\npoint %s", made.pointed[i]);
  }
  fclose(memory);
  lin_arena_release(&arena);
  free(whole);
  return text;
}

static void expect(const char *what, const char *module, const char *expected) {
  char *got = extract(module);
  const size_t skipped = strncmp(got, head, strlen(head)) == 0 ? strlen(head) : 0;
  if (strcmp(got + skipped, expected) != 0) {
    printf("%s:\n%s\nexpected:\n%s\n", what, got + skipped, expected);
    failed++;
  }
  free(got);
}

int main(void) {
  expect("what isn't used goes, what is used by what is used stays",
         ".func unused () { ret; }\n"
         ".func inner () { ret; }\n"
         ".func outer () { call inner, (); ret; }\n"
         ".global .u32 other;\n"
         ".entry o () { ld.global.u32 %r1, [other]; ret; }\n"
         ".entry k () { call.uni outer, (); ret; }",
         "\n.func inner () { ret; }\n"
         ".func outer () { call inner, (); ret; }\n"
         "\n\n.entry k () { call.uni outer, (); ret; }");
  expect("a variable in global memory by its address, one in constant memory as a copy",
         ".global .align 4 .u32 hits;\n.const .f32 scale[4];\n.visible .const .u32 n = 7;\n"
         ".entry k () { mov.u64 %rd1, hits; ld.global.u32 %r1, [hits+4]; ld.const.u32 %r2, [scale];"
         " ld.const.u32 %r3, [n]; @%p1 st.global.u32 [hits], %r1; ret; }",
         ".visible .const .align 8 .u64 __linearize_at_0;\n.visible .const .f32 scale[4];\n"
         ".visible .const .u32 n = 7;\n"
         ".entry k () {\n\t.reg .b64 %linearize_at_0;\n\tld.const.u64 %linearize_at_0, "
         "[__linearize_at_0]; mov.u64 %rd1, %linearize_at_0; ld.global.u32 %r1, "
         "[%linearize_at_0+4]; ld.const.u32 %r2, [scale];"
         " ld.const.u32 %r3, [n]; @%p1 st.global.u32 [%linearize_at_0], %r1; ret; }"
         "\ncopy scale\ncopy n\npoint hits");
  expect("the compiler's tables, and what the driver has",
         ".extern .func (.param .b32 r) vprintf (.param .b64 a, .param .b64 b);\n"
         ".global .align 1 .b8 $str[3] = {104, 105, 0};\n"
         ".entry k () { mov.u64 %rd1, $str; call.uni (r), vprintf, (a, b); ret; }",
         ".extern .func (.param .b32 r) vprintf (.param .b64 a, .param .b64 b);\n"
         ".global .align 1 .b8 $str[3] = {104, 105, 0};\n"
         ".entry k () { mov.u64 %rd1, $str; call.uni (r), vprintf, (a, b); ret; }");
  expect("shared memory is a launch's",
         ".extern .shared .align 16 .b8 s[];\n.entry k () { mov.u32 %r1, s; ret; }",
         ".extern .shared .align 16 .b8 s[];\n.entry k () { mov.u32 %r1, s; ret; }");

  expect("no kernel", ".func k () { ret; }", "its PTX isn't there");
  expect("a call by address", ".entry k () { call (r), %rd1, (a), p; ret; }",
         "it calls a function by its address");
  expect("a function's address", ".func f () { ret; }\n.entry k () { mov.u64 %rd1, f; ret; }",
         "it takes the address of a function");
  expect("another module's variable",
         ".extern .global .u32 g;\n.entry k () { ld.global.u32 %r1, [g]; ret; }",
         "it uses a variable of another module");
  expect("textures",
         ".global .texref t;\n.texref u;\n.entry k () { tex.1d.v4.f32.f32 {%f1,%f2,%f3,%f4}, [u, "
         "{%f1}]; ret; }",
         "it uses a texture, surface or sampler, or a second name of a function");
  expect("several variables in a statement",
         ".global .u32 a, b;\n.entry k () { ld.global.u32 %r1, [b]; ld.global.u32 %r2, [a]; ret; }",
         "it uses a texture, surface or sampler, or a second name of a function");
  expect("a sum outside of brackets", ".global .u32 g[4];\n.entry k () { mov.u64 %rd1, g+4; ret; }",
         "it adds to the address of a variable in a way that isn't known");
  expect("the name declared again",
         ".global .u32 g;\n.entry k () { { .reg .u32 g; mov.u32 g, 1; } ret; }",
         "it declares the name of a variable of the module again");
  expect("an address in a variable",
         ".global .u32 g;\n.const .u64 p = g;\n.entry k () { ld.const.u64 %rd1, [p]; ret; }",
         "a variable that it uses holds an address");
  return failed == 0 ? 0 : 1;
}
