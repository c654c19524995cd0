"""NVIDIA's driver by ctypes, for programs of this folder that need no package of Python. A call that fails ends the
program."""
import ctypes
import subprocess
import sys


class Driver:
    def __init__(self):
        self.cuda = ctypes.CDLL("libcuda.so.1")
        context, device = ctypes.c_void_p(), ctypes.c_int()
        self("cuInit", 0)
        self("cuDeviceGet", ctypes.byref(device), 0)
        self("cuDevicePrimaryCtxRetain", ctypes.byref(context), device)
        self("cuCtxSetCurrent", context)
        self.events = ctypes.c_void_p(), ctypes.c_void_p()
        for event in self.events:
            self("cuEventCreate", ctypes.byref(event), 0)

    def __call__(self, name, *arguments):
        status = getattr(self.cuda, name)(*arguments)
        if status != 0:
            sys.exit("%s: the driver says %d" % (name, status))

    def allocate(self, size):
        address = ctypes.c_uint64()
        self("cuMemAlloc_v2", ctypes.byref(address), ctypes.c_size_t(max(size, 4)))
        return address

    def free(self, address):
        self("cuMemFree_v2", address)

    def write(self, address, data):
        self("cuMemcpyHtoD_v2", address, data, ctypes.c_size_t(len(data)))

    def read(self, address, size):
        data = ctypes.create_string_buffer(size)
        self("cuMemcpyDtoH_v2", data, address, ctypes.c_size_t(size))
        return data.raw

    def load(self, path):
        module = ctypes.c_void_p()
        self("cuModuleLoad", ctypes.byref(module), path.encode())
        return module

    def function(self, module, name):
        function = ctypes.c_void_p()
        self("cuModuleGetFunction", ctypes.byref(function), module, name.encode())
        return function

    def variable(self, module, name):
        address, size = ctypes.c_uint64(), ctypes.c_size_t()
        self("cuModuleGetGlobal_v2", ctypes.byref(address), ctypes.byref(size), module, name.encode())
        return address

    def time(self, launch, launches):
        """Milliseconds of so many, together."""
        self("cuEventRecord", self.events[0], None)
        for _ in range(launches):
            launch()
        self("cuEventRecord", self.events[1], None)
        self("cuEventSynchronize", self.events[1])
        ms = ctypes.c_float()
        self("cuEventElapsedTime", ctypes.byref(ms), *self.events)
        return ms.value


def describe():
    """The GPU and its driver."""
    return subprocess.run(["nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"],
                          capture_output=True, text=True, check=False).stdout.strip()
