"""The variants of a kernel that are compared: what each is, and how it is made. All scripts ask here.
"""
import collections
import functools
import os
import shutil
import subprocess

import remarks
from shell import ask_tools
from suite import run

# maker: clang alone; chain, LLVM's own passes for structured control flow, behind clang; plugin, with
# these options; nvcc alone; ptx, linearize-ptx behind nvcc; lift, linearize-lift there. A variant `copy_of` another is its program
# once more, for the noise.
Variant = collections.namedtuple("Variant", "maker options copy_of", defaults=("", None))

CHAIN = "function(lower-switch,unify-loop-exits,fix-irreducible,structurizecfg)"
VARIANTS = {
    "clang": Variant("clang"),
    "again": Variant("clang", copy_of="clang"),
    "untouched": Variant("clang"),
    "chain": Variant("chain"),
    "needed": Variant("plugin", "mode=needed"),
    "paper": Variant("plugin", "mode=paper"),
    "irreducible": Variant("plugin", "mode=irreducible"),
    "all": Variant("plugin", "mode=all"),
    # with the profile of a launch, which is beside the module
    "profiled": Variant("plugin", "mode=needed profile={folder}/profile.csv"),
    # the levels of mode paper
    **{"O%d" % level: Variant("plugin", "mode=paper level=O%d" % level) for level in range(5)},
    # section 5 of the paper: loops merged; arms interleaved for few warps, and where the function itself
    # says that there are few; branches nested at most so deep
    "merged": Variant("plugin", "mode=none merge-loops"),
    "interleaved": Variant("plugin", "mode=none interleave warps=2"),
    "default": Variant("plugin", "mode=none interleave"),
    **{"depth%d" % most: Variant("plugin", "mode=none limit-depth=%d" % most)
       for most in range(1, 9)},
    # threads put side by side by their index; regions that keep their plain form for a vote
    "regrouped": Variant("plugin", "mode=none regroup"),
    "vote": Variant("plugin", "mode=needed vote"),
    "voted": Variant("plugin", "mode=needed vote regardless"),
    "nvcc": Variant("nvcc"),
    "nvcc_again": Variant("nvcc", copy_of="nvcc"),
    "linearized": Variant("ptx"),
    # nvcc's PTX as LLVM IR and back, with nothing done to it, and in mode needed
    "lifted": Variant("lift", "--all --passes=no-op-module"),
}


# ---- the plugin's options


def parameters(variant, folder=""):
    """What stands between the brackets of linearize<...>."""
    return VARIANTS[variant].options.format(folder=folder).replace(" ", ";")


def options(variant):
    """Clang's arguments for the same."""
    return [word for option in VARIANTS[variant].options.split()
            for word in ("-mllvm", "-linearize-" + option)]


# ---- making them


def opt(program, plugin, variant, untouched, name):
    """Leaves NAME.ll, made of clang's module."""
    passes = {"chain": ["-passes=" + CHAIN],
              "plugin": ["-load-pass-plugin=%s" % plugin,
                         "-passes=linearize<%s>" % parameters(variant, os.path.dirname(name))],
              "clang": None}[VARIANTS[variant].maker]
    if passes is not None:
        run(program, "-S", *passes, untouched, "-o", name + ".ll")
    elif untouched != name + ".ll":
        shutil.copyfile(untouched, name + ".ll")


@functools.cache
def flags_for(sm):
    """Clang's, for that target and without a CUDA toolkit."""
    return ask_tools('compile_for %s; printf "%%s\\n" "${device_flags[@]}"' % sm)


def nvcc_flags(flags):
    """nvcc's for the same target and headers. Contraction is off everywhere: results are compared bit by
    bit with the CPU's."""
    arch = next(flag for flag in flags if flag.startswith("--cuda-gpu-arch=")).split("=")[1]
    return ["-O3", "-fmad=false", "-arch=" + arch, *(flag for flag in flags if flag.startswith("-I"))]


def module(tools, source, variant, name, flags):
    """Leaves NAME.ll, made by clang, the plugin within it; returns that one's remarks."""
    clang, program = (os.path.join(tools.llvm, tool) for tool in ("clang++", "opt"))
    plugin = [] if VARIANTS[variant].maker != "plugin" else [
        "-fpass-plugin=" + tools.plugin, *options(variant),
        # clang's own options for that would have machine code tell its lines, too.
        "-Xclang", "-opt-record-file", "-Xclang", name + ".yaml",
        "-Xclang", "-opt-record-passes", "-Xclang", "linearize"]
    run(clang, *flags, *plugin, "-S", "-emit-llvm", source, "-o", name + ".ll")
    if VARIANTS[variant].maker == "chain":
        opt(program, None, variant, name + ".ll", name)
    if not plugin:
        return []
    with open(name + ".yaml", encoding="utf-8") as file:
        return remarks.read(file.read())


def assemble(tools, name, flags):
    """NAME.cubin of NAME.ll."""
    arch = nvcc_flags(flags)[2]
    run(os.path.join(tools.llvm, "llc"), "-O3", arch.replace("-arch", "-mcpu"), "-fp-contract=off",
        name + ".ll", "-o", name + ".ptx")
    run(tools.ptxas, "-O3", arch, name + ".ptx", "-o", name + ".cubin")


def linearize_ptx(tools, source, name, flags, options=()):
    """Leaves NAME.nvcc.ptx, NAME.ptx, and NAME.yaml: what linearize-ptx said."""
    run(tools.nvcc, "-ptx", *nvcc_flags(flags), source, "-o", name + ".nvcc.ptx")
    run(tools.tool, *options, "--remarks", "none", "--remarks-output", name + ".yaml",
        name + ".nvcc.ptx", "-o", name + ".ptx")


def lift_ptx(tools, source, name, flags, options):
    """Leaves NAME.nvcc.ptx and NAME.ptx."""
    run(tools.nvcc, "-ptx", *nvcc_flags(flags), source, "-o", name + ".nvcc.ptx")
    lifter = os.path.join(os.path.dirname(tools.tool), "linearize-lift")
    text = subprocess.run([lifter, *options, name + ".nvcc.ptx"], stdout=subprocess.PIPE, check=True).stdout
    with open(name + ".ptx", "wb") as file:
        file.write(text)


def assemble_as_nvcc(tools, ptx, cubin, flags):
    run(tools.ptxas, nvcc_flags(flags)[2], "-m64", "--fmad", "false", ptx, "-o", cubin)


def build(tools, source, variant, name, flags=None):
    """Leaves NAME.cubin; NAME.ll, too, if clang was at it, and NAME.ptx but for nvcc. Returns the plugin's
    remarks. `tools`: paths, as far as the variant needs them, with the names llvm
    (its folder), nvcc, ptxas, plugin and tool (linearize-ptx). `flags` are clang's, for sm_90 if there are
    none. Raises RuntimeError if one of them fails."""
    flags = flags or flags_for("sm_90")
    maker = VARIANTS[variant].maker
    said = []
    if maker == "nvcc":
        run(tools.nvcc, "-cubin", *nvcc_flags(flags), source, "-o", name + ".cubin")
    elif maker == "lift":
        lift_ptx(tools, source, name, flags, VARIANTS[variant].options.split())
        assemble_as_nvcc(tools, name + ".ptx", name + ".cubin", flags)
    elif maker == "ptx":
        linearize_ptx(tools, source, name, flags)
        assemble_as_nvcc(tools, name + ".ptx", name + ".cubin", flags)
    else:
        said = module(tools, source, variant, name, flags)
        assemble(tools, name, flags)
    return said
