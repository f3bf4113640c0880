"""NVIDIA's compilers for GPUs that need not be there, through their C interfaces; prints version and log.

nvidia_tools.py FOLDER nvrtc SOURCE ARCH OUT      compiles CUDA C++: to a cubin for sm_NN, to PTX for compute_NN
nvidia_tools.py FOLDER nvjitlink PTX ARCH OUT     assembles a PTX text

FOLDER holds the libraries of NVRTC and nvJitLink. Exit status 1: the compiler refused the text.
"""

import ctypes as C
import glob
import sys


def text_of(get, size, handle):
    n = C.c_size_t()
    if size(handle, C.byref(n)) or n.value < 2:
        return b""
    text = C.create_string_buffer(n.value + 1)
    get(handle, text)
    return text.raw[: n.value]


def library(folder, name):
    C.CDLL((glob.glob(f"{folder}/libnvrtc-builtins.so.*") or [None])[0], C.RTLD_GLOBAL)
    return C.CDLL(glob.glob(f"{folder}/lib{name}.so.1*")[0])


def nvrtc(folder, text, arch):
    lib = library(folder, "nvrtc")
    major, minor, program = C.c_int(), C.c_int(), C.c_void_p()
    lib.nvrtcVersion(C.byref(major), C.byref(minor))
    print(f"NVRTC {major.value}.{minor.value}")
    lib.nvrtcCreateProgram(C.byref(program), text + b"\0", b"starling_kernels.cu", 0, None, None)
    virtual = arch.startswith("compute")
    options = [f"--gpu-architecture={arch}", "--std=c++14", "--fmad=false"] + ([] if virtual else ["--ptxas-options=-v"])
    array = (C.c_char_p * len(options))(*[o.encode() for o in options])
    status = lib.nvrtcCompileProgram(program, len(options), array)
    print(text_of(lib.nvrtcGetProgramLog, lib.nvrtcGetProgramLogSize, program).decode().rstrip("\0"))
    kind = "PTX" if virtual else "CUBIN"
    code = text_of(getattr(lib, f"nvrtcGet{kind}"), getattr(lib, f"nvrtcGet{kind}Size"), program)
    return status, code.rstrip(b"\0") if virtual else code


def nvjitlink(folder, text, arch):
    lib = library(folder, "nvJitLink")
    major, minor, handle = C.c_uint(), C.c_uint(), C.c_void_p()
    lib.nvJitLinkVersion(C.byref(major), C.byref(minor))
    print(f"nvJitLink {major.value}.{minor.value}")

    def call(name):
        return getattr(lib, f"__nvJitLink{name}_{major.value}_{minor.value}")

    options = (C.c_char_p * 2)(f"-arch={arch}".encode(), b"-verbose")
    status = call("Create")(C.byref(handle), C.c_uint32(2), options)
    status = status or call("AddData")(handle, C.c_int(2), text + b"\0", C.c_size_t(len(text) + 1), b"kernels.ptx")
    status = status or call("Complete")(handle)
    for log in "ErrorLog", "InfoLog":
        print(text_of(call(f"Get{log}"), call(f"Get{log}Size"), handle).decode().rstrip("\0"))
    return status, text_of(call("GetLinkedCubin"), call("GetLinkedCubinSize"), handle) if not status else b""


folder, tool, source, architecture, out = sys.argv[1:]
with open(source, "rb") as given:
    status, code = {"nvrtc": nvrtc, "nvjitlink": nvjitlink}[tool](folder, given.read(), architecture)
if status:
    sys.exit(1)
with open(out, "wb") as made:
    made.write(code)
