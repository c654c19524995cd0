"""Makes what bench/device/python_kernels runs; called by it, with scripts/setup --python's Python.

    build.py ROOT FOLDER

compiles the kernels of triton_kernels.py and numba_kernels.py to PTX, and that to machine code as
it is and by linearize-ptx: FOLDER/PACKAGE/KERNEL.before.cubin, .after.cubin. KERNEL.case there has the
entry, the parameters and the buffers, which are files: KERNEL.0, KERNEL.1, ...
"""
import importlib.metadata
import json
import os
import re
import subprocess
import sys

import cases

ROOT, FOLDER = sys.argv[1:]


def run(*command, **options):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, **options).stdout


def bash(commands, *arguments):
    commands = 'source "$1/scripts/lib/tools.sh"; ' + commands
    return run("bash", "-c", commands, "bash", ROOT, *arguments).strip()


def compile_kernels(toolkit):
    """PTX of all, by package."""
    elements = os.path.join(FOLDER, "elements.bc")
    # Triton's own modules say that denormals are flushed; what says otherwise isn't linked to them.
    bash('find_llvm; compile_for sm_90; "$clangxx" "${device_flags[@]}" -fgpu-flush-denormals-to-zero'
         ' -emit-llvm -c "$1/bench/python/elements.cu" -o "$2"', elements)
    for package, options in ("triton", ["--elements", elements, "--gpus", "90"]), ("numba", []):
        program = os.path.join(ROOT, "bench/python", package + "_kernels.py")
        run(sys.executable, "-W", "ignore", program, os.path.join(FOLDER, package), *options,
            env=dict(os.environ, TRITON_DEFAULT_FP_FUSION="1", CUDA_HOME=toolkit))


def parameters_of(package, arguments):
    """The kernel's parameters, as its machine code has them, and the buffers among them."""
    parameters, buffers = [], []
    for argument in arguments:
        if not hasattr(argument, "array"):
            kind = {"int32": "i", "float32": "f"}[argument.dtype.name]
            parameters.append([kind, argument.item()])
            continue
        pointer, array = ["buffer", len(buffers)], argument.array
        buffers.append(argument)
        if package == "triton":
            parameters.append(pointer)
            continue
        # Whom it belongs to, twice; elements, bytes of one, where they are; shape and strides.
        size = array.size * argument.times
        shape = [array.shape[0] * argument.times, *array.shape[1:]]
        parameters += [["q", 0], ["q", 0], ["q", size], ["q", array.itemsize], pointer]
        parameters += [["q", number] for number in [*shape, *array.strides]]
    if package == "triton":
        parameters += [["q", 0], ["q", 0]]  # scratch memory, which none of these needs
    return parameters, buffers


def main():
    ptxas, tool = bash("cuda_tool ptxas"), os.path.join(ROOT, "build/bin/linearize-ptx")
    with open(os.path.join(FOLDER, "built.txt"), "w", encoding="utf-8") as file:
        versions = ["%s %s" % (name, importlib.metadata.version(name))
                    for name in ("triton", "numba-cuda")]
        assembler = re.search(r"release ([0-9.]+)", run(ptxas, "--version"))[1]
        commit = run("git", "-C", ROOT, "describe", "--always", "--dirty").strip()
        file.write("sm_90, %s, ptxas %s, repository at %s\n"
                   % (", ".join(versions), assembler, commit))
    for package in "triton", "numba":
        os.makedirs(os.path.join(FOLDER, package), exist_ok=True)
    compile_kernels(os.path.dirname(os.path.dirname(os.path.realpath(ptxas))))
    for package, kernels in ("triton", cases.TRITON), ("numba", cases.NUMBA):
        for number, (name, case) in enumerate(kernels.items()):
            base = os.path.join(FOLDER, package, name)
            form = name if package == "numba" else name + ".sm_90"
            before, after = os.path.join(FOLDER, package, form + ".ptx"), base + ".after.ptx"
            run(tool, "--remarks", "none", before, "-o", after)
            gpu = "sm_90a" if package == "triton" else "sm_90"
            for path, side in (before, "before"), (after, "after"):
                run(ptxas, "-O3", "-arch=" + gpu, path, "-o", "%s.%s.cubin" % (base, side))
            with open(os.path.join(FOLDER, package, form + ".json"), encoding="utf-8") as file:
                made = json.load(file)
            arguments, grid = case()
            parameters, buffers = parameters_of(package, arguments)
            made["buffers"] = []
            for at, buffer in enumerate(buffers):
                buffer.array.tofile("%s.%d" % (base, at))
                made["buffers"].append({
                    "bytes": buffer.array.nbytes, "times": buffer.times,
                    "wanted": isinstance(buffer, cases.Wanted), "type": buffer.array.dtype.char,
                    "tolerance": getattr(buffer, "tolerance", 0),
                    "share": getattr(buffer, "share", 0)})
            made.update(grid=grid, parameters=parameters, parts=number == 0)
            with open(base + ".case", "w", encoding="utf-8") as file:
                json.dump(made, file)


main()
