#define _POSIX_C_SOURCE 200809L
#include "ptx_random.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct maker {
  FILE *out;
  uint64_t state;
  uint32_t blocks, functions; // functions before this one
  uint32_t list, listed;      // the block of the last switch, and how many labels its list has
  bool is_kernel;
} maker;

static uint32_t draw(maker *m, uint32_t limit) {
  m->state += 0x9e3779b97f4a7c15u; // splitmix64
  uint64_t z = (m->state ^ (m->state >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return (uint32_t)((z ^ (z >> 31)) % limit);
}

#define CHOOSE(m, ...)                                                                             \
  (((const char *const[]){                                                                         \
      __VA_ARGS__})[draw(m, sizeof((const char *const[]){__VA_ARGS__}) / sizeof(const char *))])

enum { REGISTERS = 6, FLAGS = 4 };

static uint32_t reg(maker *m) { return 1 + draw(m, REGISTERS); }
static uint32_t flag(maker *m) { return 1 + draw(m, FLAGS); }

// Sets a predicate by what the state of a thread is, so that loops end some time.
static void say_condition(maker *m, uint32_t p) {
  fprintf(m->out,
          "\tmad.lo.s32 \t%%r0, %%r0, 1664525, 1013904223;\n\tshr.u32 \t%%r9, %%r0, %u;\n"
          "\tand.b32 \t%%r9, %%r9, 255;\n\tsetp.lt.u32 \t%%p%u, %%r9, %u;\n",
          12 + draw(m, 13), p, 64 * (1 + draw(m, 3)));
}

static void say_call(maker *m) {
  static const char *const names[] = {"callee0", "callee1", "callee2"};
  if (m->functions == 0) {
    fprintf(m->out,
            "\t{\n\t.param .b64 a;\n\tst.param.b64 [a], %%rd%u;\n"
            "\tcall.uni outside, (a);\n\t}\n",
            2 + draw(m, 3));
    return;
  }
  uint32_t which = draw(m, m->functions);
  if (which == 1) { // by registers
    fprintf(m->out, "\tcall (%%r%u), callee1, (%%r%u, %u);\n", reg(m), reg(m), draw(m, 99));
    return;
  }
  fprintf(m->out,
          "\t{ // callseq\n\t.param .b32 param0;\n\tst.param.b32 \t[param0+0], %%r%u;\n"
          "\t.param .b32 retval0;\n\tcall.uni (retval0), \n\t%s, \n\t(\n\tparam0\n\t);\n"
          "\tld.param.b32 \t%%r%u, [retval0+0];\n\t} // callseq\n",
          reg(m), names[which], reg(m));
}

static void say_scope(maker *m) {
  fprintf(m->out,
          "\t{\n\t.reg .pred q;\n\t.reg .b32 %%r%u, t<2>;\n\tmov.u32 %%r%u, %u;\n"
          "\tsetp.%s.s32 q, %%r%u, %%r%u;\n\t@q bra SKIP;\n\tadd.s32 t1, %%r%u, %u;\n"
          "\tadd.s32 %%r%u, t1, %%r9;\nSKIP:\n\t}\n",
          10, 10, draw(m, 99), CHOOSE(m, "eq", "lt", "ge"), reg(m), reg(m), reg(m), draw(m, 99),
          reg(m));
}

// One instruction that threads compute with.
static void say_work(maker *m) {
  uint32_t a = reg(m), b = reg(m), c = reg(m), p = flag(m), q = flag(m), d = 2 + draw(m, 3),
           e = 2 + draw(m, 3);
  fputc('\t', m->out);
  if (draw(m, 6) == 0)
    fprintf(m->out, "@%s%%p%u ", draw(m, 2) == 0 ? "!" : "", flag(m));
  switch (draw(m, 24)) {
  case 0:
  case 1:
  case 2:
    fprintf(m->out, "%s \t%%r%u, %%r%u, %%r%u;\n",
            CHOOSE(m, "add.s32", "sub.s32", "xor.b32", "mul.lo.s32", "min.s32", "mul.hi.u32",
                   "add.cc.u32", "addc.u32"),
            a, b, c);
    break;
  case 3:
    fprintf(m->out, "%s \t%%f%u, %%f%u, %%f%u;\n",
            CHOOSE(m, "add.rn.f32", "mul.ftz.f32", "max.f32"), a, b, c);
    break;
  case 4:
    fprintf(m->out, "fma.rn.f32 \t%%f%u, %%f%u, 0f3F800000, %%f%u;\n", a, b, c);
    break;
  case 5:
    fprintf(m->out, "cvt.%s \t%%f%u, %%r%u;\n", CHOOSE(m, "rn.f32.s32", "rz.f32.u32"), a, b);
    break;
  case 6:
    fprintf(m->out, "selp.b32 \t%%r%u, %%r%u, %u, %%p%u;\n", a, b, draw(m, 99), p);
    break;
  case 7:
    fprintf(m->out, "slct.u32.s32 \t%%r%u, %%r%u, %%r%u, %%r%u;\n", a, b, c, reg(m));
    break;
  case 8:
    fprintf(m->out, "setp.%s.%s.s32 \t%%p%u, %%r%u, %%r%u, %s%%p%u;\n", CHOOSE(m, "lt", "ne", "ge"),
            CHOOSE(m, "and", "or", "xor"), p, a, b, draw(m, 2) == 0 ? "!" : "", q);
    break;
  case 9:
    fprintf(m->out, "setp.gt.u32 \t%%p%u|%%p%u, %%r%u, %u;\n", p, 1 + p % FLAGS, a,
            draw(m, 1u << 31));
    break;
  case 10:
    fprintf(m->out, "setp.%s.f32 \t%%p%u, %%f%u, 0f00000000;\n", CHOOSE(m, "ltu", "nan", "geu"), p,
            a);
    break;
  case 11:
    fprintf(m->out, "%s.pred \t%%p%u, %%p%u, %%p%u;\n", CHOOSE(m, "and", "or", "xor"), p, q,
            flag(m));
    break;
  case 12:
    fprintf(m->out, "mad.wide.s32 \t%%rd%u, %%r%u, 4, %%rd%u;\n", d, a, e);
    break;
  case 13:
    fprintf(m->out, "mov.b64 \t{%%r%u, %%r%u}, %%rd%u;\n", a, 1 + a % REGISTERS, d);
    break;
  case 14:
    fprintf(m->out, "mov.b64 \t%%rd%u, {%%r%u, %%r%u};\n", d, a, b);
    break;
  case 15:
    fprintf(m->out, "cvt.u16.u32 \t%%rs1, %%r%u;\n\tcvt.u32.u16 \t%%r%u, %%rs1;\n", a, b);
    break;
  case 16:
    fprintf(m->out,
            CHOOSE(m, "ld.global.u32 \t%%r%u, [%%rd1+%u];\n",
                   "ld.local.u32 \t%%r%u, [memory+%u];\n",
                   "ld.volatile.shared.u32 \t%%r%u, [common+%u];\n"),
            a, 4 * draw(m, 4));
    break;
  case 17:
    fprintf(m->out, "ld.global.v2.u32 \t{%%r%u, %%r%u}, [%%rd%u];\n", a, 1 + a % REGISTERS, d);
    break;
  case 18:
    fprintf(m->out, "st.local.v2.b32 \t[memory+%u], {%%r%u, %%r%u};\n", 4 * draw(m, 4), a, b);
    break;
  case 19:
    fprintf(m->out, "atom.global.add.u32 \t%%r%u, [%%rd1+8], %%r%u;\n", a, b);
    break;
  case 20:
    fprintf(m->out, "red.shared.or.b32 \t[common], %%r%u;\n", a);
    break;
  case 21:
    fprintf(m->out, "mov.u32 \t%%r%u, %s;\n", a, CHOOSE(m, "%laneid", "%ctaid.x", "%tid.y"));
    break;
  case 22:
    fprintf(m->out, "lop3.b32 \t%%r%u, %%r%u, %%r%u, %%r%u, 0x%x;\n", a, b, c, reg(m),
            draw(m, 256));
    break;
  default:
    fprintf(m->out, "bfe.u32 \t%%r%u, %%r%u, 3, %%r%u;\n", a, b, c);
    break;
  }
}

// Mostly near: regions that nest, and not one loop around everything.
static uint32_t target(maker *m, uint32_t block) {
  uint32_t most = m->blocks - 1;
  if (draw(m, 10) < 7) {
    uint32_t to = block + draw(m, 10);
    to = to < 4 ? 1 : to - 3;
    return to < most ? to : most;
  }
  return 1 + draw(m, most);
}

// Now and then by the list of the switch before.
static void say_switch(maker *m, uint32_t block) {
  uint32_t near[3] = {target(m, block), target(m, block), target(m, block)};
  bool is_new = m->listed == 0 || draw(m, 6) > 0;
  if (is_new) {
    m->list = block;
    m->listed = 1 + draw(m, 5);
  }
  fprintf(m->out, "\trem.u32 \t%%r9, %%r9, %u;\n", m->listed);
  if (is_new) {
    fprintf(m->out, "$T%u:\t.branchtargets", block);
    for (uint32_t i = 0; i < m->listed; i++)
      fprintf(m->out, "%s\n\t$B%u", i == 0 ? "" : ",", near[draw(m, 3)]);
    fputs(";\n", m->out);
  }
  fputc('\t', m->out);
  if (draw(m, 3) == 0)
    fprintf(m->out, "@%s%%p%u ", draw(m, 2) == 0 ? "!" : "", flag(m));
  fprintf(m->out, "brx.idx \t%%r9, $T%u;\n", m->list);
}

static void say_end(maker *m, uint32_t block) {
  uint32_t kind = draw(m, 100), p = flag(m);
  const char *negated = draw(m, 3) == 0 ? "!" : "";
  if (block == m->blocks - 1) {
    fputs(draw(m, 2) == 0 ? "\tret;\n" : "", m->out);
  } else if (kind < 12) {
    ;
  } else if (kind < 24) {
    fprintf(m->out, "\tbra%s \t$B%u;\n", CHOOSE(m, ".uni", ""), target(m, block));
  } else if (kind < 95) {
    say_condition(m, p);
    if (kind < 62)
      fprintf(m->out, "\t@%s%%p%u bra \t$B%u;\n", negated, p, target(m, block));
    else if (kind < 80)
      fprintf(m->out, "\t@%s%%p%u bra \t$B%u;\n\tbra%s \t$B%u;\n", negated, p, target(m, block),
              CHOOSE(m, ".uni", ""), target(m, block));
    else if (kind < 88)
      say_switch(m, block);
    else
      fprintf(m->out, "\t@%s%%p%u %s;\n", negated, p, CHOOSE(m, "ret", "exit", "ret.uni"));
  } else {
    fputs(CHOOSE(m, "\tret;\n", "\texit;\n", "\ttrap;\n"), m->out);
  }
}

static void say_block(maker *m, uint32_t block) {
  fprintf(m->out, "$B%u:\n", block);
  if (draw(m, 5) == 0)
    fprintf(m->out, "\t.loc\t1 %u 0\n", block);
  fprintf(m->out, "\tst.global.u32 \t[%%rd1], %u;\n", block);
  // Set, perhaps under a predicate, and read in this block; now and then read in others.
  uint32_t own = 11 + draw(m, 6);
  fputc('\t', m->out);
  if (draw(m, 4) == 0)
    fprintf(m->out, "@%%p%u ", flag(m));
  fprintf(m->out, "mov.u32 \t%%r%u, %%r%u;\n", own, reg(m));
  if (draw(m, 8) == 0)
    fprintf(m->out, "\txor.b32 \t%%r%u, %%r%u, %%r%u;\n", reg(m), 11 + draw(m, 6), reg(m));
  for (uint32_t i = draw(m, 5); i > 0; i--)
    say_work(m);
  fprintf(m->out, "\tadd.s32 \t%%r%u, %%r%u, %%r%u;\n", reg(m), own, reg(m));
  if (draw(m, 12) == 0)
    say_scope(m);
  if (draw(m, 10) == 0)
    say_call(m);
  if (draw(m, 40) == 0)
    fputs(CHOOSE(m, "\tbar.sync \t0;\n", "\tshfl.sync.bfly.b32 \t%r2|%p1, %r3, 1, 31, -1;\n",
                 "\tmembar.gl;\n", "\tvote.sync.any.pred \t%p2, %p3, -1;\n"),
          m->out);
  fprintf(m->out, "\tst.global.v2.u32 \t[%%rd1+16], {%%r%u, %%f%u};\n", reg(m), reg(m));
  say_end(m, block);
}

static void say_function(maker *m, uint32_t number) {
  m->blocks = 2 + draw(m, m->is_kernel ? 24 : 9);
  m->functions = number;
  m->listed = 0;
  if (m->is_kernel)
    fputs(".visible .entry kernel(\n\t.param .u64 kernel_param_0\n)\n", m->out);
  else if (number == 1)
    fputs(".func (.reg .b32 %out) callee1(.reg .b32 %in, .reg .b32 %other)\n", m->out);
  else
    fprintf(m->out,
            ".func (.param .b32 func_retval0) callee%u(\n\t.param .b32 callee%u_param_0\n)\n",
            number, number);
  fputs("{\n\t.reg .pred \t%p<5>;\n\t.reg .b16 \t%rs<2>;\n\t.reg .b32 \t%r<20>;\n\t.reg .f32 "
        "\t%f<7>;\n"
        "\t.reg .b64 \t%rd<5>;\n\t.local .align 8 .b8 \tmemory[32];\n"
        "\t.shared .align 8 .b8 \tcommon[16];\n\n",
        m->out);
  if (m->is_kernel)
    fputs("\tld.param.u64 \t%rd1, [kernel_param_0];\n\tmov.u32 \t%r0, %tid.x;\n", m->out);
  else
    fprintf(m->out,
            number == 1 ? "\tmov.u64 \t%%rd1, 64;\n\tadd.s32 \t%%r0, %%in, %%other;\n"
                        : "\tmov.u64 \t%%rd1, 32;\n\tld.param.b32 \t%%r0, [callee%u_param_0];\n",
            number);
  for (uint32_t i = 1; i <= REGISTERS; i++)
    fprintf(m->out, "\tmov.u32 \t%%r%u, %u;\n\tmov.f32 \t%%f%u, 0f%08X;\n", i, draw(m, 1 << 20), i,
            draw(m, 1 << 30));
  for (uint32_t i = 1; i <= FLAGS; i++)
    fprintf(m->out, "\tsetp.lt.u32 \t%%p%u, %%r%u, %u;\n", i, i, draw(m, 1 << 20));
  fputs("\tmov.u32 \t%r9, 0;\n\tmov.u64 \t%rd2, 5;\n\tmov.u64 \t%rd3, 6;\n\tmov.u64 \t%rd4, 7;\n",
        m->out);
  for (uint32_t i = 11; i < 17; i++)
    fprintf(m->out, "\tmov.u32 \t%%r%u, %u;\n", i, i);
  if (number == 1 && !m->is_kernel)
    fputs("\tmov.u32 \t%out, 1;\n", m->out);
  for (uint32_t block = 1; block < m->blocks; block++) {
    say_block(m, block);
    if (!m->is_kernel && draw(m, 3) == 0)
      fputs(number == 1 ? "\tmov.u32 \t%out, %r1;\n" : "\tst.param.b32 \t[func_retval0+0], %r1;\n",
            m->out);
  }
  fputs("}\n\n", m->out);
}

// The text with names that begin as those do that linearizing adds.
static char *rename_all(char *text) {
  char *result;
  size_t length;
  FILE *out = open_memstream(&result, &length);
  for (const char *at = text; *at != '\0'; at++) {
    bool is_flag = at[0] == '%' && at[1] == 'p' && (at[2] == '<' || (at[2] >= '0' && at[2] <= '9'));
    bool is_label = at[0] == '$' && at[1] == 'B';
    if (is_flag || is_label)
      fputs(is_flag ? "%linearize_p" : "$linearize_", out);
    else
      fputc(*at, out);
    at += is_flag || is_label;
  }
  fclose(out);
  free(text);
  return result;
}

char *ptx_random_module(uint64_t seed) {
  char *text;
  size_t length;
  maker m = {.state = seed * 1000003, .out = open_memstream(&text, &length)};
  fputs(
      ".version 7.8\n.target sm_90\n.address_size 64\n\n.extern .func outside (.param .b64 a);\n\n",
      m.out);
  uint32_t callees = draw(&m, 4);
  for (uint32_t i = 0; i < callees; i++)
    say_function(&m, i);
  m.is_kernel = true;
  say_function(&m, callees);
  fclose(m.out);
  return draw(&m, 8) == 0 ? rename_all(text) : text;
}
