"""The variants of a kernel that are compared in machine code of sm_90, each built one way.

    nvcc          by nvcc alone
    clang         by clang and llc
    chain         the same, with LLVM's own passes in between
    needed, paper the same, with the plugin in that mode
"""
import os
import subprocess

from shell import ask_tools

FLAGS = ask_tools('compile_for sm_90; printf "%s\\n" "${device_flags[@]}"') + ["-S", "-emit-llvm"]
WITHOUT_PLUGIN = ("nvcc", "clang", "chain")


def run(*command):
    """What it prints. Raises RuntimeError, with what it says."""
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          check=False)
    if done.returncode != 0:
        raise RuntimeError(f"{os.path.basename(command[0])} failed: {done.stdout.strip()[:200]}")
    return done.stdout


def build(tools, source, variant, name):
    """Leaves NAME.cubin, and NAME.ll but for nvcc; returns what the plugin said. `tools`: paths, with
    the names llvm (its folder), ptxas, and as far as they are needed nvcc, plugin and chain (the
    passes)."""
    if variant == "nvcc":
        include = [flag for flag in FLAGS if flag.startswith("-I")]
        run(tools.nvcc, "-cubin", "-O3", "-fmad=false", "-arch=sm_90", *include, source, "-o",
            name + ".cubin")
        return ""
    clang, opt, llc = (os.path.join(tools.llvm, tool) for tool in ("clang++", "opt", "llc"))
    plugin = [] if variant in WITHOUT_PLUGIN else [
        "-fpass-plugin=" + tools.plugin, "-mllvm", "-linearize-mode=" + variant, "-Rpass=linearize"]
    said = run(clang, *FLAGS, *plugin, source, "-o", name + ".ll")
    if variant == "chain":
        run(opt, "-S", "-passes=" + tools.chain, name + ".ll", "-o", name + ".ll")
    run(llc, "-O3", "-mcpu=sm_90", "-fp-contract=off", name + ".ll", "-o", name + ".ptx")
    run(tools.ptxas, "-O3", "-arch=sm_90", name + ".ptx", "-o", name + ".cubin")
    return said
