"""A function of so many blocks that linearizing takes far more memory than reading its PTX."""

BLOCKS = 20000

print(""".version 7.8
.target sm_90
.address_size 64
.visible .entry f(.param .u64 p) {
  .reg .u32 %a;
  .reg .pred %p;
  mov.u32 %a, %tid.x;
BACK:""")
for block in range(BLOCKS):
    print("B%d:\n  add.u32 %%a, %%a, %d;\n  setp.eq.u32 %%p, %%a, %d;\n  @%%p bra B%d;"
          % (block, block, 3 * block, min(block + 3 + block % 3, BLOCKS)))
print("B%d:\n  setp.ne.u32 %%p, %%a, 0;\n  @%%p bra BACK;\n  ret;\n}" % BLOCKS)
