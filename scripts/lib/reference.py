"""The kernels of bench/kernels on the CPU: what every run of them has to compute."""
import ctypes
import os


def random_words(count):
    """What linearize-simt makes of `--arg buf:u32:COUNT:random`."""
    state, mask = 1, (1 << 64) - 1
    words = (ctypes.c_uint32 * count)()
    for i in range(count):
        state = z = (state + 0x9E3779B97F4A7C15) & mask
        z = ((z ^ z >> 30) * 0xBF58476D1CE4E5B9) & mask
        z = ((z ^ z >> 27) * 0x94D049BB133111EB) & mask
        words[i] = (z ^ z >> 31) >> 32
    return words


def compile_command(clang, repository, source, library):
    """Compiles a kernel's file for the CPU, as a shared library."""
    return [clang, "-x", "c++", "-O2", "-ffp-contract=off", "-fPIC", "-shared",
            "-I" + os.path.join(repository, "bench", "include"), source, "-o", library]


def outputs(library, kernel, words, rounds, threads):
    """The bytes that the threads write, a word each."""
    out = (ctypes.c_uint32 * (threads + 1))()  # waiting.cu: one more, where starvation is told
    getattr(ctypes.CDLL(library), kernel)(words, len(words) - 1, rounds, out, threads)
    return bytes(out)[:4 * threads]
