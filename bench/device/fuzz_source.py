"""Random CUDA kernels, each by its seed, as C++ and as what a launch passes. All are deterministic: loops have bounds,
threads share what barriers order or atomic operations make the same in any order, and what the bits of a NaN are shows
nowhere. `$u32` in a form stands for an expression of that type, `$T` for one of the form's own type.
"""
import random
import re

INTEGERS = ["i32", "u32", "i64", "u64", "i16", "u8"]
TYPES = INTEGERS + ["f32", "f64"]
VARIABLES = {"i32": 3, "u32": 4, "i64": 1, "u64": 2, "i16": 1, "u8": 1, "f32": 3, "f64": 2, "bool": 1}
SCALARS = {"i32": [-7, 3, 1 << 30], "u32": [5, 77, 0xfffffff0], "i64": [-(1 << 40), 9], "u64": [1 << 63, 11],
           "f32": [0.5, -3.25, 1e20], "f64": [1.5, -1e-300], "i16": [-300, 12], "u8": [200, 3]}

PRELUDE = """#include <cuda_fp16.h>
#include <string.h>
typedef int i32; typedef unsigned u32; typedef long long i64; typedef unsigned long long u64;
typedef short i16; typedef unsigned char u8; typedef float f32; typedef double f64;
struct pack { i32 a; f32 b; u64 c; u8 d, g; i16 e; u32 f; };
__constant__ u32 table[32] = {%s};
template <class T> __device__ T add(T a, T b) { return (T)((u64)a + (u64)b); }
template <class T> __device__ T sub(T a, T b) { return (T)((u64)a - (u64)b); }
template <class T> __device__ T mul(T a, T b) { return (T)((u64)a * (u64)b); }
template <class T> __device__ T quo(T a, T b) { return b == 0 || b == (T)-1 ? a : (T)(a / b); }
template <class T> __device__ T rem(T a, T b) { return b == 0 || b == (T)-1 ? b : (T)(a %% b); }
template <class T> __device__ T shl(T a, u32 b) { return (T)((u64)a << (b %% (8 * sizeof(T)))); }
template <class T> __device__ T shr(T a, u32 b) { return (T)(a >> (b %% (8 * sizeof(T)))); }
template <class T> __device__ T low(T a, T b) { return a < b ? a : b; }
template <class T> __device__ u64 bits(T x) { return (u64)x; }
__device__ u64 bits(f32 x) { return x != x ? 0x7fc00000u : __float_as_uint(x); }
__device__ u64 bits(f64 x) { return x != x ? 0x7ff8000000000000ull : (u64)__double_as_longlong(x); }
"""

# Of one type each; a form of `integer` is one of every integer, a form of `any` one of every type.
FORMS = {
    "any": ["($bool ? $T : $T)"] * 2,
    "integer": """add<T>($T, $T); add<T>($T, $T); sub<T>($T, $T); mul<T>($T, $T); mul<T>($T, $T); quo<T>($T, $T);
rem<T>($T, $T); (T)($T & $T); (T)($T | $T); (T)($T ^ $T); (T)~$T; shl<T>($T, $u32); shr<T>($T, $u32); low<T>($T, $T);
(T)$i32; (T)$u32; (T)$i64; (T)$u8; (T)$i16; (T)$bool; (T)$f32; (T)$f64""",
    "i32": """max($i32, $i32); min($i32, $i32); abs($i32 | 1); __mul24($i32, $i32); __mulhi($i32, $i32); __clz($i32);
__ffs($i32); __float2int_rd($f32); __double2int_rn($f64); (i32)__sad($i32, $i32, $u32); __dp4a($i32, $i32, $i32);
__half2int_rn(__float2half($f32)); __hadd($i32, $i32); (i32)__vsubss2($u32, $u32); kept.a""",
    "u32": """max($u32, $u32); __popc($u32); __brev($u32); __funnelshift_l($u32, $u32, $u32);
__funnelshift_rc($u32, $u32, $u32); __byte_perm($u32, $u32, $u32); __umul24($u32, $u32); __umulhi($u32, $u32);
__usad($u32, $u32, $u32); __dp4a($u32, $u32, $u32); __vabsdiffu4($u32, $u32); __float2uint_ru($f32);
__double2uint_rd($f64); (u32)bits($f32); (u32)__popcll($u64); table[$u32 & 31]; table[$u8 >> 3]; in_u[$u32 & 1023];
in_u[$u32 & 1023]; stack[$u32 & 7]; stack[$i32 & 7]; (u32)__clzll($i64); ((const u8 *)in_u)[$u32 & 4095];
((const unsigned short *)in_u)[$u32 & 2047]; *(volatile u32 *)&stack[$u32 & 7]; kept.f; (u32)(kept.d + kept.g)""",
    "i64": "max($i64, $i64); llabs($i64 | 1); ((i64)$i32 * $i32); __float2ll_rz($f32); (i64)bits($f64); __mul64hi($i64, $i64)",
    "u64": """((u64)$u32 * $u32); __umul64hi($u64, $u64); __brevll($u64); min($u64, $u64); __double2ull_ru($f64); kept.c;
bits($f64); ((u64)$u32 << 32 | $u32)""",
    "i16": "((const i16 *)in_u)[$u32 & 2047]; kept.e", "u8": "((const u8 *)in_u)[$u32 & 4095]; kept.d",
    "f32": """($f32 * $f32 + $f32); ($f32 * $f32 - $f32); ($f32 - $f32 * $f32); ($f32 + $f32); ($f32 * $f32); ($f32 / $f32);
sqrtf($f32); rsqrtf($f32); sinf($f32); expf($f32); fminf($f32, $f32); fmaxf($f32, $f32); __fmul_rn($f32, $f32);
__fadd_rz($f32, $f32); __fmaf_rn($f32, $f32, $f32); __fdividef($f32, $f32); __int2float_rd($i32); __uint2float_rz($u32);
(f32)$i32; (f32)$u64; (f32)$i16; (f32)$u8; (f32)$f64; __double2float_ru($f64); floorf($f32); rintf($f32); truncf($f32);
__saturatef($f32); fabsf($f32); (- $f32); __half2float(__float2half_rn($f32)); __uint_as_float($u32);
__half2float(__hadd(__float2half($f32), __float2half($f32))); __half2float(__hmul(__int2half_rn($i32), __float2half($f32)));
in_f[$u32 & 1023]; spill[$u32 & 3]; fmodf($f32, $f32); kept.b; ldexpf($f32, $i32 & 15)""",
    "f64": """($f64 * $f64 + $f64); ($f64 - $f64 * $f64); ($f64 + $f64); ($f64 * $f64); ($f64 / $f64); sqrt($f64);
fmin($f64, $f64); fmax($f64, $f64); __dmul_rn($f64, $f64); __fma_rn($f64, $f64, $f64); __dadd_ru($f64, $f64); floor($f64);
fabs($f64); (- $f64); (f64)$f32; (f64)$i32; (f64)$u64; __ll2double_rd($i64); in_d[$u32 & 511]; in_d[$u32 & 511]""",
    "bool": """($u32 < $u32); ($i32 < $i32); ($i32 >= $i32); ($i64 > $i64); ($u64 <= $u64); ($i16 != $i16); ($u8 > $u8);
($f32 < $f32); ($f32 >= $f32); !($f32 > $f32); ($f32 == $f32); ($f32 != $f32); ($f64 < $f64); ($f64 <= $f64); isnan($f32);
($bool && $bool); ($bool || $bool); ($bool && $bool || $bool); !$bool; ($bool != $bool); ($u32 & 1); (($i32 & 4) != 0);
($u32 % 3 == 0); ($i32 == 0)"""}
LEAVES = {"i32": ["-1", "0x7fffffff", "13", "(i32)threadIdx.x"], "u32": ["1u", "0x80000000u", "2654435769u", "threadIdx.x"],
          "i64": ["-1ll", "77ll"], "u64": ["0xffffffff00000001ull", "3ull"], "i16": ["(i16)-9"], "u8": ["(u8)255"],
          "f32": ["0.0f", "-0.0f", "1.5f", "3e38f", "1e-40f", "__uint_as_float(0x7fc00000u)"], "f64": ["-0.0", "0.1", "1e300"]}

# $s: statements; $loop: those of a loop; $=: an assignment; K: a counter of its own; L: a label of its own
STATEMENTS = """if ($bool) {$s} | if ($bool) {$s} else {$s} | if ($bool) {$s} else {$s} | if ($bool) {$s} else if ($bool) {$s} else {$s}
switch ($u32 % 5) { case 0: $s break; case 1: $s case 2: $s break; case 3: $s default: $s }
switch ($i32) { case -1: case 0: $s case 13: $s break; case 7: $s break; case 1000: $s break; }
switch ($u8 >> 5) { default: $s case 0: $s break; case 1: $= break; case 2: $= break; case 3: $= case 4: $= break; case 5: $= }
{$exits} L:; $= | {$exits} L:; $= | if ($bool) {$exits} else {$s goto L;} $= L:; | if ($bool && ($bool || $bool)) {$s} else {$s}
stack[$u32 & 7] = $u32; | spill[$u32 & 3] = $f32; | *(volatile u32 *)&stack[$u32 & 7] = $u32; | stack[u32_0 & 7] += $u32;
{ pack q = kept; q.a = $i32; q.b = $f32; q.c += $u64; q.d = $u8; memcpy(&kept, &q, sizeof q); } | kept.e = $i16; | kept.f ^= $u32; | kept.b = $f32;
{ f32 t = f32_0 * f32_1; if ($bool) {f32_2 = t + $f32; $s} else f32_0 = $f32 - t; } | p = in_u + ($i32 & 511); p += $u8; $= u32_0 ^= *p;
{ f64 t = f64_0 * f64_1; $s f64_0 = t + $f64; } | f32_2 = f32_2 * $f32 + $f32; | f64_1 = f64_1 * $f64 + $f64;
{ float4 q = ((const float4 *)in_f)[$u32 & 255]; f32_0 = q.x * q.y + q.z; f32_1 = q.w; }
{ uint2 q = ((const uint2 *)in_u)[$u32 & 511]; u32_1 = q.x; i32_0 = (i32)q.y; } | { half2 q = __floats2half2_rn($f32, $f32); f32_1 = __high2float(__hadd2(q, q)); }
atomicAdd(&sums[$u32 & 15], $u32); | atomicMax(&sums[16 + ($u32 & 7)], $u32); | atomicMin((i32 *)&sums[24 + ($u32 & 7)], $i32);
atomicOr(&sums[32 + ($u32 & 7)], $u32); | atomicXor(&sums[40], $u32); | atomicAdd((u64 *)&sums[42], $u64); | atomicAdd(&sums[$u32 & 3], 1u);
{ u32 *a = &sums[44 + ($u32 & 3)], seen = *(volatile u32 *)a, want; do { want = seen; seen = atomicCAS(a, want, want + (u32_0|1)); } while (seen != want); }
asm volatile("lop3.b32 %0, %1, %2, %3, 0x96;" : "=r"(u32_0) : "r"($u32), "r"($u32), "r"($u32)); | asm volatile("shl.b32 %0, %1, %2;" : "=r"(u32_1) : "r"($u32), "r"($u32));
asm("shr.s32 %0, %1, %2;" : "=r"(i32_0) : "r"($i32), "r"($u32)); | asm volatile("bfe.s32 %0, %1, %2, %3;" : "=r"(i32_1) : "r"($i32), "r"($u32), "r"($u32));
asm("bfi.b32 %0, %1, %2, %3, %4;" : "=r"(u32_0) : "r"($u32), "r"($u32), "r"($u32), "r"($u32)); | asm volatile("{.reg .pred q; setp.ge.f32 q, %1, %2; selp.b32 %0, 1, 7, q;}" : "=r"(u32_2) : "f"($f32), "f"($f32));
asm volatile("add.cc.u32 %0, %2, %3; addc.u32 %1, %4, 0;" : "=&r"(u32_0), "=r"(u32_1) : "r"($u32), "r"($u32), "r"($u32)); | asm("add.sat.s32 %0, %1, %2;" : "=r"(i32_0) : "r"($i32), "r"($i32));
asm volatile("slct.u32.s32 %0, %1, %2, %3;" : "=r"(u32_0) : "r"($u32), "r"($u32), "r"($i32)); | asm("cvt.sat.u8.s32 %0, %1;" : "=r"(u32_1) : "r"($i32)); | asm("mad.hi.u32 %0, %1, %2, %3;" : "=r"(u32_0) : "r"($u32), "r"($u32), "r"($u32));"""
LOOPS = """for (K = 0; K < ($u32 & 7); K++) {$loop} | for (K = $u32 & 7; K > 0; K--) {$loop} | for (K = 0; K < 6; K++) {$loop}
K = 0; while ($bool && K++ < 9) {$loop} | K = 0; do {$loop} while (++K < 6 && $bool); | for (K = 0; K < ($u8 & 15); K += 2) {$loop}
K = 0; if ($bool) goto L; do {$s L:; $loop} while (++K < 5 && $bool); | K = 0; L:; $s if (K++ < 4 && $bool) goto L;
K = 0; while (K++ < 8) {$loop if ($bool) break; $loop} | for (K = 0; in_u[(u32_0 + K) & 1023] % 5 != 0 && K < 12; K++) {$loop}"""
IN_KERNEL = """mine[$u32 & 7] = $u64; | ((u8 *)mine)[$u32 & 63] = $u8; | u64_0 ^= mine[$u32 & 7]; | slots[threadIdx.x] = $u32; | u32_1 += slots[threadIdx.x];
u32_2 = atomicAdd((u32 *)mine + ($u32 & 15), $u32); | u64_0 = atomicExch(&mine[$u32 & 7], $u64); | *(volatile u64 *)&mine[$u32 & 7] = $u64;
*(ulonglong2 *)&mine[2 * ($u32 & 3)] = make_ulonglong2($u64, $u64); | u32_0 = *(volatile u32 *)&slots[threadIdx.x];"""
# Where all threads of a block come.
UNIFORM = """__syncthreads(); | __syncwarp(); | u32_0 = __shfl_xor_sync(~0u, $u32, 5); | f32_0 = __shfl_sync(~0u, $f32, $u32 & 31); | u32_1 = __ballot_sync(~0u, $bool);
bool_0 = __any_sync(~0u, $bool); | u32_2 ^= __reduce_add_sync(~0u, $u32); | u32_3 = __match_any_sync(~0u, $u32 & 3); | bool_0 = __syncthreads_or($bool);
for (K = 16; K > 0; K >>= 1) u32_0 += __shfl_down_sync(~0u, u32_0, K); | for (K = 0; K < rounds; K++) {$uniform}
u32_0 ^= (u32)__syncthreads_count($bool); | u64_1 = __shfl_up_sync(~0u, $u64, 3); | f64_0 = __shfl_xor_sync(~0u, $f64, 1);
if (threadIdx.x & 16) u32_0 = __shfl_xor_sync(0xffff0000u, $u32, 1); else {$s u32_0 += __shfl_sync(0xffffu, u32_1, 3); $s}
__syncthreads(); stage[threadIdx.x] = $u32; __syncthreads(); u32_1 ^= stage[$u32 % blockDim.x]; u32_2 += stage[blockDim.x - 1 - threadIdx.x]; __syncthreads();
__syncthreads(); if (threadIdx.x < 32) hist[threadIdx.x] = 0; __syncthreads(); if ($bool) {$s atomicAdd(&hist[$u32 & 31], $u32);} __syncthreads(); u32_3 += hist[$u32 & 31]; __syncthreads();"""


def forms(text):
    return [form.strip() for line in text.splitlines() for form in line.split(" | ")]


for kind, text in FORMS.items():
    if isinstance(text, str):
        FORMS[kind] = [form.strip() for form in text.split(";")]
STATEMENTS, LOOPS, IN_KERNEL, UNIFORM = map(forms, (STATEMENTS, LOOPS, IN_KERNEL, UNIFORM))
SHARED = "const u32 *in_u, const f32 *in_f, const f64 *in_d, u32 *sums"


def is_calm(form):
    """Whether its threads could also be run in another order, as far as the library can know."""
    return "atomic" not in form or form.startswith("atomicAdd(&sums")


class Body:
    """The statements of one function; all its variables stand at its head, so that goto may pass any statement."""

    def __init__(self, chance, is_calm, calls, leaves, size, returns=None):
        self.chance, self.is_calm, self.calls, self.leaves, self.left, self.returns = chance, is_calm, calls, leaves, size, returns
        self.labels, self.counters, self.exits, self.loops, self.in_kernel = 0, 0, [], 0, []

    def expression(self, kind, depth):
        pick = self.chance.random()
        if depth <= 0 or pick < 0.25:
            own = ["%s_%d" % (kind, i) for i in range(VARIABLES[kind])] * 2
            return self.chance.choice(own + LEAVES.get(kind, []) + self.leaves.get(kind, []))
        found = [call for call in self.calls if call[0] == kind and self.loops < 1 + bool(self.in_kernel)]
        if found and pick < 0.4:
            form = self.chance.choice(found)[1]
        else:
            wide = (FORMS["integer"] if kind in INTEGERS else []) + (FORMS["any"] if kind != "bool" else [])
            form = self.chance.choice(self.chance.choice([FORMS[kind], wide or FORMS[kind]]))
            form = "(%s)%s" % (kind, form) if kind in INTEGERS else form  # of overloads, one
        return self.fill(re.sub(r"\bT\b", kind, form), depth - 1)

    def fill(self, form, depth):
        return re.sub(r"\$(u8|[iuf]\d\d|bool)", lambda found: self.expression(found[1], depth), form)

    def assignment(self):
        kind = self.chance.choice(list(VARIABLES) + ["u32", "i32", "f32"])
        return "%s_%d = %s;" % (kind, self.chance.randrange(VARIABLES[kind]), self.expression(kind, 3))

    def leave(self, in_loop):
        """A jump out of what is open, under a condition; no break out of a switch that isn't meant."""
        ways = ["goto %s;" % label for label in self.exits]
        ways += ["break;", "continue;"] * (2 * in_loop) + ([self.fill(self.returns, 2)] if self.returns else [])
        return "if (%s) {%s %s}" % (self.expression("bool", 2), self.assignment(), self.chance.choice(ways)) if ways else ""

    def statements(self, depth, in_loop=False):
        made = []
        for _ in range(self.chance.randint(1, 3 if depth else 1)):
            self.left -= 1
            pick = self.chance.random()
            if pick < 0.3 or self.left < 0 or depth <= 0:
                made.append(self.assignment())
            elif pick < 0.42:
                made.append(self.leave(in_loop))
            else:
                made.append(self.statement(LOOPS if pick < 0.6 and self.loops < (3 if self.in_kernel else 1) else
                                           STATEMENTS + self.in_kernel, depth))
        return "\n".join(made)

    def statement(self, among, depth):
        form = self.chance.choice([form for form in among if not self.is_calm or is_calm(form)])
        if re.search(r"\bK\b", form):
            form, self.counters = re.sub(r"\bK\b", "k%d" % self.counters, form), self.counters + 1
        label = "l%d" % self.labels
        form, self.labels = re.sub(r"\bL\b", label, form), self.labels + 1
        is_loop = among is LOOPS or "$uniform" in form
        self.loops += is_loop
        parts = []
        for part in re.split(r"(\$s\b|\$loop|\$exits|\$uniform|\$=)", form):
            if part == "$exits":
                self.exits.append(label)
                parts.append("\n%s\n%s\n" % (self.statements(depth - 1), self.leave(False)))
                parts.append("%s %s" % (self.statements(depth - 1), self.leave(False)))
                self.exits.pop()
            elif part == "$uniform":
                parts.append(self.top(2))
            elif part in ("$s", "$loop"):
                parts.append("\n%s\n" % self.statements(depth - 1, part == "$loop"))
            else:
                parts.append(self.assignment() if part == "$=" else self.fill(part, 2))
        self.loops -= is_loop
        return "".join(parts)

    def top(self, count):
        """What all threads of a block run, with barriers between it."""
        returns, self.returns = self.returns, None
        made = [self.statements(3) + "\n" + self.statement(UNIFORM, 2) for _ in range(count)]
        self.returns = returns
        return "\n".join(made)

    def head(self, first):
        """Declares variables, the first of each type from `first` where that has them."""
        lines = ["pack kept = {1, 2.0f, 3, 4, 5, 6, 7}; u32 stack[8] = {1, 2, 3}; f32 spill[4] = {0.5f}; const u32 *p;"]
        lines += ["u32 %s;" % ", ".join("k%d = 0" % i for i in range(self.counters))] * bool(self.counters)
        for kind, count in VARIABLES.items():
            values = (first.get(kind, []) + [self.chance.choice(["(%s)%d" % (kind, i), "(%s)table[%d]" % (kind, i)])
                                             for i in range(count)])[:count]
            lines.append("%s %s;" % (kind, ", ".join("%s_%d = %s" % (kind, i, v) for i, v in enumerate(values))))
        return "\n".join(lines)


def device_function(chance, calm, number, calls):
    """Its text, and how it is called, as a form: (type, form); "" for a statement."""
    name, kind = "f%d" % number, chance.choice(TYPES)
    takes = [chance.choice(TYPES) for _ in range(chance.randint(1, 3))]
    shape = chance.choice(["plain", "plain", "template", "recursive", "reference"])
    linkage = chance.choice(["__noinline__", "__noinline__", "__forceinline__", "static"]) if shape != "recursive" else "__noinline__"
    leaves = {t: ["a%d" % i for i, u in enumerate(takes) if u == t] * 2 for t in TYPES}
    body = Body(chance, calm, calls, leaves, 12, "return $%s;" % kind if shape != "reference" else "{ r = $%s; return; }" % kind)
    text, end = body.statements(2), "return %s;" % body.expression(kind, 3)
    own = ["%s a%d" % (t, i) for i, t in enumerate(takes)]
    passed, before, after = ["$" + t for t in takes], "", ""
    if shape == "template":
        before, own, passed = "template <class V, i32 N> ", own + ["V v"], passed + ["$" + chance.choice(TYPES)]
        text += "\nfor (i32 n = 0; n < N; n++) {u32_0 = u32_0 * 31 + (u32)bits(v);\n%s\n}" % body.assignment()
        after = "<%s, %d>" % (passed[-1][1:], chance.choice([1, 3, 9]))
    elif shape == "recursive":
        own, passed = own + ["u32 depth"], passed + ["$u32 & 3"]
        again = "%s(in_u, in_f, in_d, sums, %s, depth - 1)" % (name, body.fill(", ".join("$" + t for t in takes), 1))
        text = "if (depth == 0 || %s) %s\n%s" % (body.expression("bool", 2), end, text)
        end = "%s_0 = %s;\n%s\nreturn %s;" % (kind, again, body.assignment(), body.expression(kind, 2))
    elif shape == "reference":
        own, end, passed = own + [kind + " &r"], "r = %s;" % body.expression(kind, 3), passed + [kind + "_0"]
    result = "void" if shape == "reference" else kind
    form = "%s%s(in_u, in_f, in_d, sums, %s)" % (name, after, ", ".join(passed))
    return "%s__device__ %s %s %s(%s, %s) {\n%s\n%s\n%s\n}\n" % (
        before, linkage, result, name, SHARED, ", ".join(own), body.head({t: v[:1] for t, v in leaves.items()}), text, end), (
        "" if shape == "reference" else kind, form)


def make(seed):
    """The source of kernel `fuzz`, and the scalars it takes behind its buffers, as pairs of type and value."""
    chance = random.Random(seed)
    text = PRELUDE % ", ".join("%du" % chance.getrandbits(32) for _ in range(32))
    is_uniform, calls = chance.random() < 0.5, []
    calm = not is_uniform and chance.random() < 0.6
    for number in range(chance.randint(0, 4)):
        function, call = device_function(chance, calm, number, calls)
        text, calls = text + function, calls + [call]
    scalars = [(t, chance.choice(SCALARS[t])) for t in chance.sample(TYPES, chance.randint(2, 8))] + [("u32", 3)]
    leaves = {t: ["s_" + t] * 2 for t, _ in scalars[:-1]}
    body = Body(chance, calm, calls, leaves, chance.choice([25, 60, 100]), None if is_uniform else "{mine[7] += $u64; return;}")
    shares = is_uniform or (not calm and chance.random() < 0.5)
    body.in_kernel = [form for form in IN_KERNEL if shares or "slots" not in form]
    lines = [body.top(chance.randint(1, 4)) if is_uniform else ""]
    lines += [body.statements(4) for _ in range(3)] + [body.fill(form + ";", 2) for kind, form in calls if not kind]
    restrict = chance.choice(["", "__restrict__ "])
    own = ["const u32 *%sin_u" % restrict, "const f32 *%sin_f" % restrict, "const f64 *in_d", "u32 *sums", "u64 *out", "u32 n",
           "pack given"] + ["%s s_%s" % (t, t) for t, _ in scalars[:-1]] + ["u32 rounds"]
    first = {"u32": ["in_u[i & 1023]", "in_u[(i * 7 + 5) & 1023]", "i"], "i32": ["(i32)in_u[(i + 99) & 1023]", "given.a"],
             "f32": ["in_f[i & 1023]", "in_f[(i * 3) & 1023]", "given.b"], "f64": ["in_d[i & 511]", "in_d[(i * 5) & 511]"],
             "u64": ["given.c + i"], "i16": ["given.e"], "u8": ["(u8)i"]}
    text += 'extern "C" __global__ void fuzz(%s) {\n' % ", ".join(own)
    text += "u32 i = blockIdx.x * blockDim.x + threadIdx.x;\n"
    text += "__shared__ u32 slots[256], stage[256], hist[32];\nslots[threadIdx.x] = i; stage[threadIdx.x] = 0;\n" * shares
    text += "" if is_uniform else "if (i >= n) return;\n"
    text += "u64 *mine = out + (size_t)i * 8;\n"
    text += body.head(first) + "\n" + "\n".join(lines) + "\n"
    for at, kind in enumerate(VARIABLES):
        text += "mine[%d] %s= %s;\n" % (at & 7, "+^"[at > 7], " + 31 * ".join("bits(%s_%d)" % (kind, i) for i in range(VARIABLES[kind])))
    text += "mine[0] ^= stack[0] + stack[3] + kept.c; mine[6] ^= bits(spill[1]) + bits(kept.b);\n}\n"
    return text.replace("volatile ", "") if calm else text, scalars
