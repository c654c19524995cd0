# The lit suite: test/ir (FileCheck on IR), test/exec (run before and after, compare),
# test/cuda and test/opencl (through clang, llc and ptxas), test/simt (kernels in the simulator),
# test/bench (what scripts/bench says), test/install (wrong use).
#
#   lit build/test                       everything
#   lit build/test --filter exec/        one folder
#
# Runs with lit of LLVM 19 to 22 and PyPI's lit 23.

import glob
import os
import re
import shutil
import subprocess
import sys

import lit.formats

config.name = "linearize"
# lit's own shell: ShTest(True), an outside shell, is an error in lit 23.
config.test_format = lit.formats.ShTest(False)
config.suffixes = [".ll", ".cu", ".cl", ".test"]
config.excludes = ["Inputs"]
config.test_source_root = os.path.dirname(os.path.abspath(__file__))
config.test_exec_root = os.path.join(config.binary_dir, "test")
config.environment["LC_ALL"] = "C"
config.environment["LINEARIZE_CACHE"] = "off"  # what one test made is no other's
if config.preload:  # LLVM's own memory is no business of ours
    config.environment.update(LD_PRELOAD=config.preload, ASAN_OPTIONS="detect_leaks=0")
else:  # what other programs do with the sanitizers' runtime is no business of ours
    config.available_features.add("no-sanitizers")


def tool(name):
    """A tool of the LLVM the plugin was built for, never another one on the PATH."""
    path = os.path.join(config.llvm_tools_dir, name)
    if not os.path.exists(path):
        lit_config.fatal("%s is missing: install clang-%d and llvm-%d-tools"
                         % (path, config.llvm_version_major, config.llvm_version_major))
    return path


def substitute(name, value):
    # \b: %opt must not eat the head of another name that starts with it.
    config.substitutions.append(("%" + name + r"\b", value))


for name, program in [("opt", "opt"), ("clang", "clang"), ("clangxx", "clang++"), ("llc", "llc"),
                      ("lli", "lli"), ("FileCheck", "FileCheck"), ("not", "not"),
                      ("count", "count"), ("split-file", "split-file"),
                      ("llvm-link", "llvm-link"), ("llvm-as", "llvm-as")]:
    substitute(name, tool(program))
if config.llvm_version_major >= 20:  # 19 has none
    substitute("nvlink-wrapper", tool("clang-nvlink-wrapper"))

plugin = config.linearize_plugin
python = sys.executable
substitute("plugin", plugin)
substitute("python", python)
substitute("load", "-load-pass-plugin=" + plugin)
substitute("all-remarks", " ".join("-pass-remarks%s=linearize" % kind
                                   for kind in ("", "-missed", "-analysis")))
# Before 22, clang parses -mllvm options before -fpass-plugin loads the library; -fplugin loads it early.
substitute("fplugin", ("-fplugin=%s " % plugin if config.llvm_version_major < 22 else "")
           + "-fpass-plugin=" + plugin)
substitute("graph-tool", config.linearize_graph)
substitute("simt", config.linearize_simt)
substitute("linearize-config", config.linearize_config)
substitute("cmake-dir", os.path.join(config.binary_dir, "cmake"))
substitute("major", str(config.llvm_version_major))
substitute("source", config.source_dir)
substitute("build", config.binary_dir)
substitute("ptxas", config.ptxas or "ptxas-not-found")
substitute("nvdisasm", config.nvdisasm or "nvdisasm-not-found")
substitute("libclc", config.libclc_dir)
# Device code without a toolkit's headers. The PTX version is set, for without a toolkit clang
# takes one too old for sm_90; a toolkit newer than clang is worth no warning.
substitute("cudacc", tool("clang++") + " -x cuda --cuda-device-only -nocudainc -nocudalib"
           " -Wno-unknown-cuda-version --cuda-feature=+ptx80 -Werror -I "
           + os.path.join(config.test_source_root, "cuda", "Inputs"))

# `%same FILE.ll [options]` runs a module before and after the pass and compares; see exec/same.py.
same = os.path.join(config.test_source_root, "exec", "Inputs", "same.py")
substitute("same", "%s %s --tools %s --plugin %s" % (python, same, config.llvm_tools_dir, plugin))
# `%properties MODE;LEVEL FILE...` checks what must hold of any result; see ir/Inputs/properties.py.
properties = os.path.join(config.test_source_root, "ir", "Inputs", "properties.py")
substitute("properties", "%s %s --tools %s --plugin %s"
           % (python, properties, config.llvm_tools_dir, plugin))
# `%remarked MODE FILE...`: whether each function is told what became of it; see ir/Inputs/remarked.py.
remarked = os.path.join(config.test_source_root, "ir", "Inputs", "remarked.py")
substitute("remarked", "%s %s --tools %s --plugin %s"
           % (python, remarked, config.llvm_tools_dir, plugin))
# `%run-kernels [options] [KERNEL...]` compares bench/kernels with the CPU; see simt/Inputs/.
simt_inputs = os.path.join(config.test_source_root, "simt", "Inputs")
substitute("own-counts", "%s %s --tools %s --simt %s --source %s --plugin %s"
           % (python, os.path.join(simt_inputs, "counts.py"), config.llvm_tools_dir,
              config.linearize_simt, config.source_dir, plugin))
substitute("run-kernels", "%s %s --clang %s --llvm %d --simt %s --source %s"
           % (python, os.path.join(simt_inputs, "kernels.py"), tool("clang++"),
              config.llvm_version_major, config.linearize_simt, config.source_dir))
substitute("inspected", "%s %s --clang %s --llvm %d --simt %s --source %s --plugin %s"
           % (python, os.path.join(simt_inputs, "inspected.py"), tool("clang++"),
              config.llvm_version_major, config.linearize_simt, config.source_dir, plugin))
# A driver and a runtime for programs, on the simulator (test/standin).
substitute("driver", os.path.join(config.binary_dir, "driver"))
# `%random-kernels --kind KIND [options]`: random kernels before and after; see exec/Inputs/kernels.py.
substitute("random-kernels", "%s %s --clang %s --opt %s --plugin %s --simt %s"
           % (python, os.path.join(config.test_source_root, "exec", "Inputs", "kernels.py"),
              tool("clang++"), tool("opt"), plugin, config.linearize_simt))
substitute("constants", "%s %s" % (python, os.path.join(simt_inputs, "constants.py")))
substitute("generate", "%s %s" % (python, os.path.join(config.test_source_root, "exec", "Inputs",
                                                       "generate.py")))
substitute("programs", "%s %s" % (python, os.path.join(config.test_source_root, "exec", "Inputs",
                                                       "programs.py")))
substitute("diamonds", "%s %s" % (python, os.path.join(config.test_source_root, "exec", "Inputs",
                                                       "diamonds.py")))
substitute("reorder", "%s %s" % (python, os.path.join(config.test_source_root, "exec", "Inputs",
                                                      "reorder.py")))
# `%in-simulator FILE.cu [options]` runs kernels of %reorder before and after; see there.
substitute("in-simulator", "%s %s --tools %s --plugin %s --simt %s"
           % (python, os.path.join(config.test_source_root, "exec", "Inputs", "same_in_simulator.py"),
              config.llvm_tools_dir, plugin, config.linearize_simt))
# `%barriers FILE.cu`: whether ptxas leaves the barriers of such kernels as they are.
substitute("barriers", "%s %s --tools %s --plugin %s --ptxas %s --nvdisasm %s"
           % (python, os.path.join(config.test_source_root, "exec", "Inputs", "barriers_in_sass.py"),
              config.llvm_tools_dir, plugin, config.ptxas, config.nvdisasm))

# newest-llvm: what needs no LLVM is tested with one of those that are installed, for it takes long.
# other-llvm: a clang and an opt of another LLVM, which can't load the plugin.
installed = {int(re.search(r"/llvm-(\d+)/", path).group(1)): path
             for path in glob.glob("/usr/lib/llvm-*/bin/clang++")}
if config.llvm_version_major >= max(installed, default=0):
    config.available_features.add("newest-llvm")
for major, path in sorted(installed.items()):
    others = os.path.dirname(path)
    if major >= 19 and major != config.llvm_version_major and os.path.exists(others + "/opt"):
        config.available_features.add("other-llvm")
        config.substitutions += [("%other-clangxx", path), ("%other-opt", others + "/opt"),
                                 ("%other-major", str(major))]
        break
config.available_features.add("llvm-%d" % config.llvm_version_major)
if config.ptxas and os.access(config.ptxas, os.X_OK):
    config.available_features.add("ptxas")
    # /usr/local/cuda/bin/ptxas -> /usr/local/cuda; a toolkit has headers too, PyPI's ptxas has not.
    root = os.path.dirname(os.path.dirname(os.path.realpath(config.ptxas)))
    if os.path.exists(os.path.join(root, "include", "cuda_runtime.h")):
        config.available_features.add("cuda-toolkit")
        substitute("toolkit", root)
        # nvcc crashes with a sanitizer in front of it.
        if os.path.exists(os.path.join(root, "bin", "nvcc")) and not config.preload:
            config.available_features.add("nvcc")
            substitute("nvcc", os.path.join(root, "bin", "nvcc"))
    libdevice = os.path.join(root, "nvvm", "libdevice", "libdevice.10.bc")
    if os.path.exists(libdevice):
        config.available_features.add("libdevice")
        substitute("libdevice", libdevice)
if config.nvdisasm and os.access(config.nvdisasm, os.X_OK):
    config.available_features.add("nvdisasm")
if shutil.which("nvidia-smi") and subprocess.run(["nvidia-smi", "-L"], capture_output=True).returncode == 0:
    config.available_features.add("gpu")
if config.libclc_dir and os.path.exists(os.path.join(config.libclc_dir, "nvptx64--nvidiacl.bc")):
    config.available_features.add("libclc")
