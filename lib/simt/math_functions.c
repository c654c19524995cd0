#define _DEFAULT_SOURCE // Bessel functions, lgamma_r
#include "math_functions.h"

#include "floats.h"
#include "gpu/nvptx.h"
#include "math_bits.h"
#include "math_special.h"

#include <fenv.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

// lgamma itself writes a global variable.
static double log_gamma(double x) {
  int sign;
  return lgamma_r(x, &sign);
}

// ---- the functions -----------------------------------------------------------------------------

#define f0 simt_float(in[0])
#define f1 simt_float(in[1])
#define f2 simt_float(in[2])
#define f3 simt_float(in[3])
#define d0 simt_double(in[0])
#define d1 simt_double(in[1])
#define d2 simt_double(in[2])
#define d3 simt_double(in[3])
#define i0 ((int32_t)in[0])
#define i1 ((int32_t)in[1])
#define i2 ((int32_t)in[2])
#define u0 ((uint32_t)in[0])
#define u1 ((uint32_t)in[1])
#define u2 ((uint32_t)in[2])
#define u3 ((uint32_t)in[3])
#define l0 ((int64_t)in[0])
#define l1 ((int64_t)in[1])
#define q0 in[0]
#define q1 in[1]
#define q2 in[2]
#define q3 in[3]
#define F(value) simt_float_bits(value)
#define D(value) simt_double_bits(value)
#define I(value) ((uint64_t)(uint32_t)(value))
#define L(value) ((uint64_t)(value))

#define FUNCTION(name, types, ...)                                                                 \
  static void compute_##name(const uint64_t *in, uint64_t *out) { out[0] = (__VA_ARGS__); }
#include "math_functions.def"
#undef FUNCTION

#define FUNCTION(name, types, ...) {#name, types, compute_##name},
const simt_math_function simt_math_functions[] = {
#include "math_functions.def"
    {NULL, NULL, NULL},
};

// ---- names -------------------------------------------------------------------------------------

typedef struct word {
  const char *text;
  uint32_t how;
} word;

static const word modifiers[] = {
    {"rn", SIMT_TO_NEAREST},
    {"rni", SIMT_TO_NEAREST | SIMT_MATH_WHOLE},
    {"rz", SIMT_TO_ZERO},
    {"rzi", SIMT_TO_ZERO | SIMT_MATH_WHOLE},
    {"rm", SIMT_DOWN},
    {"rmi", SIMT_DOWN | SIMT_MATH_WHOLE},
    {"rd", SIMT_DOWN},
    {"rp", SIMT_UP},
    {"rpi", SIMT_UP | SIMT_MATH_WHOLE},
    {"ru", SIMT_UP},
    {"approx", 0},
    {"full", 0},
    {"ftz", SIMT_MATH_FLUSH},
    {"sat", SIMT_MATH_SATURATE},
    {"relu", SIMT_MATH_RELU},
    {"nan", SIMT_MATH_NAN},
    {"NaN", SIMT_MATH_NAN},
    {"xorsign", SIMT_MATH_XOR_SIGNS},
};

// Types as LLVM writes them, as PTX does.
static const char *const types[][2] = {
    {"f", "f32"},      {"f16", "f32"},   {"f16x2", "f32"},  {"bf16", "f32"},
    {"bf16x2", "f32"}, {"v2f16", "f32"}, {"v2bf16", "f32"}, {"d", "f64"},
    {"i", "s32"},      {"ui", "u32"},    {"ll", "s64"},     {"ull", "u64"},
    {"s", "s16"},      {"us", "u16"},    {"i32", "u32"},    {"i64", "u64"},
};

// What is called otherwise in PTX and in LLVM: by CUDA's name.
static const char *const others[][2] = {
    {"add_f32", "fadd"},
    {"add_f64", "dadd"},
    {"sub_f32", "fsub"},
    {"sub_f64", "dsub"},
    {"mul_f32", "fmul"},
    {"mul_f64", "dmul"},
    {"div_f32", "fdiv"},
    {"div_f64", "ddiv"},
    {"div", "fdiv"},
    {"fma_f32", "fmaf"},
    {"fma_f64", "fma"},
    {"mad_f32", "fmaf"},
    {"mad_f64", "fma"},
    {"rcp_f32", "frcp"},
    {"rcp_f64", "drcp"},
    {"sqrt_f32", "fsqrt"},
    {"sqrt_f64", "dsqrt"},
    {"rsqrt_f32", "rsqrtf"},
    {"rsqrt_f64", "rsqrt"},
    {"sin_f32", "sinf"},
    {"cos_f32", "cosf"},
    {"tanh_f32", "tanhf"},
    {"ex2_f32", "exp2f"},
    {"ex2_f64", "exp2"},
    {"lg2_f32", "log2f"},
    {"lg2_f64", "log2"},
    {"neg_f32", "fneg"},
    {"neg_f64", "dneg"},
    {"fabs_f32", "fabsf"},
    {"fabs_f64", "fabs"},
    {"abs_f32", "fabsf"},
    {"abs_f64", "fabs"},
    {"fmin_f32", "fminf"},
    {"fmin_f64", "fmin"},
    {"min_f32", "fminf"},
    {"min_f64", "fmin"},
    {"fmax_f32", "fmaxf"},
    {"fmax_f64", "fmax"},
    {"max_f32", "fmaxf"},
    {"max_f64", "fmax"},
    {"copysign_f32", "sign_of_f32"},
    {"copysign_f64", "sign_of_f64"},
    {"ceil_f32", "ceilf"},
    {"ceil_f64", "ceil"},
    {"floor_f32", "floorf"},
    {"floor_f64", "floor"},
    {"round_f32", "rintf"},
    {"round_f64", "rint"},
    {"trunc_f32", "truncf"},
    {"trunc_f64", "trunc"},
    {"saturate_f32", "saturatef"},
    {"saturate_f64", "saturate"},
    {"d2i_hi", "double2hiint"},
    {"d2i_lo", "double2loint"},
    {"d2f", "double2float"},
    {"d2i", "double2int"},
    {"d2ui", "double2uint"},
    {"d2ll", "double2ll"},
    {"d2ull", "double2ull"},
    {"f2i", "float2int"},
    {"f2ui", "float2uint"},
    {"f2ll", "float2ll"},
    {"f2ull", "float2ull"},
    {"f2h", "float2half"},
    {"f2f16", "float2half"},
    {"f2bf16", "float2bfloat"},
    {"bf2h", "bfloat2half"},
    {"f2tf32", "float2tf32"},
    {"f2tf32_rna", "float2tf32_rna"},
    {"h2f", "half2float"},
    {"i2f", "int2float"},
    {"ui2f", "uint2float"},
    {"ll2f", "ll2float"},
    {"ull2f", "ull2float"},
    {"i2d", "int2double"},
    {"ui2d", "uint2double"},
    {"ll2d", "ll2double"},
    {"ull2d", "ull2double"},
    {"idp4a_s16_s16", "dp4a_s32_s32"},
    {"idp4a_s16_u", "dp4a_s32_u32"},
    {"idp4a_u_s16", "dp4a_u32_s32"},
    {"idp4a_u_u", "dp4a_u32_u32"},
    {"idp2a_s16_s16", "idp2a_ss"},
    {"idp2a_s16_u", "idp2a_su"},
    {"idp2a_u_s16", "idp2a_us"},
    {"idp2a_u_u", "idp2a_uu"},
    {"flo_s16_u32", "flo_s32"},
    {"flo_s16_u64", "flo_s64"},
    {"flo_u_u32", "flo_u32"},
    {"flo_u_u64", "flo_u64"},
    {"mulhi_s16", "mul_hi_s16"},
    {"mulhi_u16", "mul_hi_u16"},
    {"mulhi_s32", "mul_hi_s32"},
    {"mulhi_u32", "mul_hi_u32"},
    {"mulhi_s64", "mul_hi_s64"},
    {"mulhi_u64", "mul_hi_u64"},
    {"mul24_s32", "mul24_lo_s32"},
    {"mul24_u32", "mul24_lo_u32"},
    {"prmt", "prmt_u32"},
    {"fns", "fns_u32"},
    {"bmsk_clamp", "bmsk_clamp_u32"},
    {"bmsk_wrap", "bmsk_wrap_u32"},
    {"sext_clamp", "szext_clamp_s32"},
    {"sext_wrap", "szext_wrap_s32"},
    {"zext_clamp", "szext_clamp_u32"},
    {"zext_wrap", "szext_wrap_u32"},
    {"cvt_f16_f32", "float2half"},
    {"cvt_f16_f64", "double2half"},
    {"cvt_f16_s64", "ll2half"},
    {"cvt_f16_u64", "ull2half"},
    {"cvt_bf16_f32", "float2bfloat"},
    {"cvt_bf16_f64", "double2bfloat"},
    {"cvt_bf16_s64", "ll2bfloat"},
    {"cvt_bf16_u64", "ull2bfloat"},
    {"cvt_f32_f32", "float2float"},
    {"cvt_f32_f64", "double2float"},
    {"cvt_f64_f32", "float2double"},
    {"cvt_f64_f64", "double2double"},
    {"cvt_s8_f32", "float2schar"},
    {"cvt_u8_f32", "float2uchar"},
    {"cvt_s8_f64", "double2schar"},
    {"cvt_u8_f64", "double2uchar"},
    {"cvt_s32_f32", "float2int"},
    {"cvt_u32_f32", "float2uint"},
    {"cvt_s64_f32", "float2ll"},
    {"cvt_u64_f32", "float2ull"},
    {"cvt_s32_f64", "double2int"},
    {"cvt_u32_f64", "double2uint"},
    {"cvt_s64_f64", "double2ll"},
    {"cvt_u64_f64", "double2ull"},
    {"cvt_f32_s64", "ll2float"},
    {"cvt_f32_u64", "ull2float"},
    {"cvt_f64_s64", "ll2double"},
    {"cvt_f64_u64", "ull2double"},
    {"cvt_s16_f32", "float2short"},
    {"cvt_u16_f32", "float2ushort"},
    {"cvt_s16_f64", "double2short"},
    {"cvt_u16_f64", "double2ushort"},
};

enum { NAME_SIZE = 96 };

static bool find_exact(const char *name, simt_math *found) {
  for (uint32_t i = 0; simt_math_functions[i].name != NULL; i++)
    if (strcmp(simt_math_functions[i].name, name) == 0) {
      found->function = i;
      return true;
    }
  return false;
}

static const char *among(const char *const (*pairs)[2], size_t count, const char *name) {
  for (size_t i = 0; i < count; i++)
    if (strcmp(pairs[i][0], name) == 0)
      return pairs[i][1];
  return name;
}

static bool find_key(const char *key, simt_math *found) {
  return find_exact(among(others, sizeof others / sizeof *others, key), found);
}

// The same with unsigned types: what is not listed for signed integers, or bits, is the same.
static bool find_unsigned(const char *key, simt_math *found) {
  char name[NAME_SIZE];
  snprintf(name, sizeof name, "%s", key);
  for (char *at = name; *at != '\0'; at++)
    if (at[0] == '_' && (at[1] == 's' || at[1] == 'b') && at[2] >= '1' && at[2] <= '9')
      at[1] = 'u';
  return find_key(name, found);
}

static void append(char *key, const char *text) {
  size_t length = strlen(key);
  snprintf(key + length, NAME_SIZE - length, "%s%s", length == 0 ? "" : "_", text);
}

static bool take_modifier(const char *text, uint32_t *how) {
  for (size_t i = 0; i < sizeof modifiers / sizeof *modifiers; i++)
    if (strcmp(modifiers[i].text, text) == 0) {
      *how |= modifiers[i].how;
      return true;
    }
  return false;
}

static bool gives_float(simt_math math) {
  return strchr("fd", simt_math_functions[math.function].types[0]) != NULL;
}

// Words between dots; those that say how are taken out. What saturates integers has another name.
static bool find_words(const char *name, bool of_llvm, simt_math *found) {
  char text[NAME_SIZE], key[NAME_SIZE] = "", *rest = NULL;
  snprintf(text, sizeof text, "%s", name);
  found->how = 0;
  for (char *at = strtok_r(text, ".", &rest); at != NULL; at = strtok_r(NULL, ".", &rest)) {
    bool of_signs = (found->how & SIMT_MATH_XOR_SIGNS) != 0 && strcmp(at, "abs") == 0;
    bool compares = strcmp(key, "setp") == 0; // setp.nan: no modifier
    if (key[0] == '\0')
      append(key, at);
    else if (!of_signs && (compares || !take_modifier(at, &found->how)))
      append(key, of_llvm ? among(types, sizeof types / sizeof *types, at) : at);
  }
  if (!find_key(key, found) && !find_unsigned(key, found))
    return false;
  const uint32_t of_integers = SIMT_MATH_ROUNDING | SIMT_MATH_WHOLE | SIMT_MATH_FLUSH;
  if ((found->how & ~of_integers) == 0 || gives_float(*found))
    return true;
  if ((found->how & ~of_integers) != SIMT_MATH_SATURATE)
    return false;
  found->how &= ~(uint32_t)SIMT_MATH_SATURATE;
  append(key, "sat");
  return find_key(key, found) || strncmp(key, "cvt_", 4) == 0; // conversions saturate anyway
}

bool simt_math_find_ptx(const char *name, simt_math *found) {
  return find_words(name, false, found);
}

// _Z5__ffsi is __ffs(int): declared in C++ by who has no headers of CUDA.
static void take_mangled(char *name) {
  size_t length = 0, digits = 0;
  if (strncmp(name, "_Z", 2) != 0)
    return;
  for (const char *at = name + 2; *at >= '0' && *at <= '9' && length < NAME_SIZE; at++, digits++)
    length = length * 10 + (size_t)(*at - '0');
  if (digits == 0 || length >= NAME_SIZE || strlen(name) < 2 + digits + length)
    return;
  memmove(name, name + 2 + digits, length);
  name[length] = '\0';
}

static const char *behind(const char *name, const char *prefix) {
  size_t length = strlen(prefix);
  return strncmp(name, prefix, length) == 0 ? name + length : name;
}

// fadd_rz: the end says how.
static void take_rounding(char *name, uint32_t *how) {
  char *end = strrchr(name, '_');
  if (end != NULL && end[1] == 'r' && end[2] != '\0' && strchr("nzdu", end[2]) != NULL &&
      end[3] == '\0') {
    take_modifier(end + 1, how);
    *end = '\0';
  }
}

// With the f of C's names for floats, or without.
static bool find_for(char *name, bool of_floats, simt_math *found) {
  size_t length = strlen(name);
  if (of_floats && length + 1 < NAME_SIZE) {
    memcpy(name + length, "f", 2);
    if (find_exact(name, found))
      return true;
    name[length] = '\0';
  }
  return find_exact(name, found);
}

static bool find_of_cuda(const char *full, bool of_floats, simt_math *found) {
  char name[NAME_SIZE];
  snprintf(name, sizeof name, "%s", full);
  take_mangled(name);
  found->how = 0;
  const char *plain = lin_nvptx_behind_libdevice(name);
  plain = behind(behind(plain == NULL ? name : plain, "__"), "fast_");
  memmove(name, plain, strlen(plain) + 1);
  take_rounding(name, &found->how);
  return find_for(name, of_floats, found);
}

bool simt_math_find(const char *name, bool of_floats, simt_math *found) {
  if (strlen(name) >= NAME_SIZE)
    return false;
  const char *of_nvptx = lin_nvptx_behind(name), *of_llvm = behind(name, "llvm.");
  if (of_nvptx != NULL)
    return find_words(of_nvptx, true, found);
  if (of_llvm == name)
    return find_of_cuda(name, of_floats, found);
  found->how = 0;
  if (behind(of_llvm, "convert.from.fp16.") != of_llvm)
    return find_exact("half2float", found);
  if (behind(of_llvm, "convert.to.fp16.") != of_llvm)
    return find_exact("float2half", found);
  char base[NAME_SIZE]; // without the types behind it
  snprintf(base, sizeof base, "%.*s", (int)strcspn(of_llvm, "."), of_llvm);
  return find_for(base, of_floats, found);
}

// ---- execution ---------------------------------------------------------------------------------

static uint64_t flushed(uint64_t bits) {
  return (bits & 0x7f800000) == 0 ? bits & 0x80000000 : bits;
}

static bool is_nan(uint64_t bits, char type) {
  return type == 'f' ? isnan(simt_float(bits)) : isnan(simt_double(bits));
}

static uint64_t sign_of(char type) { return type == 'f' ? 0x80000000 : (uint64_t)1 << 63; }

static uint64_t saturated(uint64_t bits, char type) {
  if (type == 'f')
    return simt_float(bits) > 0 ? simt_float_bits(fminf(simt_float(bits), 1)) : 0;
  return simt_double(bits) > 0 ? simt_double_bits(fmin(simt_double(bits), 1)) : 0;
}

static uint64_t whole(uint64_t bits, char type) {
  return type == 'f'   ? simt_float_bits(nearbyintf(simt_float(bits)))
         : type == 'd' ? simt_double_bits(nearbyint(simt_double(bits)))
                       : bits;
}

static uint64_t finished(uint64_t bits, char type, uint32_t how) {
  if ((how & SIMT_MATH_FLUSH) != 0 && type == 'f')
    bits = flushed(bits);
  if ((how & SIMT_MATH_SATURATE) != 0)
    bits = saturated(bits, type);
  if ((how & SIMT_MATH_RELU) != 0 && (is_nan(bits, type) || (bits & sign_of(type)) != 0))
    bits = 0;
  return bits;
}

// One lane, with the modifiers; `in` is changed.
static void compute(const simt_math_function *f, uint32_t how, uint64_t *in, uint64_t *out) {
  const char *operands = strchr(f->types, ':') + 1;
  char type = f->types[0];
  uint64_t signs = 0;
  bool has_nan = false;
  for (unsigned i = 0; operands[i] != '\0'; i++) {
    if ((how & SIMT_MATH_FLUSH) != 0 && operands[i] == 'f')
      in[i] = flushed(in[i]);
    if ((how & SIMT_MATH_WHOLE) != 0)
      in[i] = whole(in[i], operands[i]);
    if ((how & (SIMT_MATH_NAN | SIMT_MATH_XOR_SIGNS)) == 0)
      continue;
    has_nan |= is_nan(in[i], type);
    signs ^= in[i] & sign_of(type);
    in[i] &= (how & SIMT_MATH_XOR_SIGNS) != 0 ? ~sign_of(type) : UINT64_MAX;
  }
  f->compute(in, out);
  if ((how & SIMT_MATH_XOR_SIGNS) != 0)
    out[0] |= signs;
  if ((how & SIMT_MATH_NAN) != 0 && has_nan)
    out[0] = type == 'f' ? simt_float_bits(NAN) : simt_double_bits((double)NAN);
  if (type == 'f' || type == 'd')
    out[0] = finished(out[0], type, how);
}

void simt_math_execute(const simt_instruction *instruction, simt_lanes *registers, uint32_t mask) {
  static const int directions[] = {FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD};
  const simt_math_function *f = &simt_math_functions[instruction->extra >> 8];
  uint32_t how = instruction->extra & 0xff, rounding = how & SIMT_MATH_ROUNDING;
  const simt_register from[] = {instruction->a, instruction->b, instruction->c,
                                instruction->offset};
  unsigned results = (unsigned)strcspn(f->types, ":");
  unsigned operands = (unsigned)strlen(f->types) - results - 1;
  if (rounding != SIMT_TO_NEAREST)
    fesetround(directions[rounding]);
  for (uint32_t left = mask; left != 0; left &= left - 1) {
    unsigned lane = simt_first_lane(left);
    uint64_t in[SIMT_MATH_OPERANDS] = {0}, out[SIMT_MATH_RESULTS] = {0};
    for (unsigned i = 0; i < operands; i++)
      in[i] = registers[from[i]][lane];
    compute(f, how, in, out);
    for (unsigned i = 0; i < results; i++)
      registers[instruction->dst + i][lane] = out[i];
  }
  if (rounding != SIMT_TO_NEAREST)
    fesetround(FE_TONEAREST);
}
