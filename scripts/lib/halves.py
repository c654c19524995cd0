"""Kernels in two halves, by a hash of their names: a model is mended by looking at one of them, and
judged by the other."""
import hashlib


def is_held_out(kernel):
    return hashlib.md5(kernel.encode()).digest()[0] % 2 == 0
