"""AMD's own compiler and headers, without a GPU.

hip_tools.py hiprtc LIBRARY SOURCE ARCH OUT     compiles the kernels, as the program does; prints the version
hip_tools.py signatures HIP_API_H INCLUDE       compares our declarations with those of the headers in INCLUDE

The second compares the kind (pointer, integer, floating) and size of every argument and result, and every number. Functions of
hipBLAS are left out where INCLUDE has no hipblas/hipblas.h. Exit status: number of differences.
"""

import ctypes as C
import os
import re
import subprocess
import sys
import tempfile

NUMBERS = {
    "STARLING_HIP_SUCCESS": "hipSuccess",
    "STARLING_HIP_INVALID_VALUE": "hipErrorInvalidValue",
    "STARLING_HIP_OUT_OF_MEMORY": "hipErrorOutOfMemory",
    "STARLING_HIP_INVALID_DEVICE": "hipErrorInvalidDevice",
    "STARLING_HIP_INVALID_IMAGE": "hipErrorInvalidImage",
    "STARLING_HIP_INVALID_HANDLE": "hipErrorInvalidHandle",
    "STARLING_HIP_NOT_FOUND": "hipErrorNotFound",
    "STARLING_HIP_NOT_READY": "hipErrorNotReady",
    "STARLING_HIP_ILLEGAL_ADDRESS": "hipErrorIllegalAddress",
    "STARLING_HIP_UNKNOWN": "hipErrorUnknown",
    "STARLING_HIP_STREAM_NON_BLOCKING": "hipStreamNonBlocking",
    "STARLING_HIP_EVENT_DEFAULT": "hipEventDefault",
    "STARLING_HIP_EVENT_DISABLE_TIMING": "hipEventDisableTiming",
    "STARLING_HIP_ATTACH_GLOBAL": "hipMemAttachGlobal",
}
BLAS_NUMBERS = {
    "STARLING_HIPBLAS_OP_N": "HIPBLAS_OP_N",
    "STARLING_HIPBLAS_OP_T": "HIPBLAS_OP_T",
    "STARLING_HIPBLAS_OP_C": "HIPBLAS_OP_C",
    "STARLING_HIPBLAS_UPPER": "HIPBLAS_FILL_MODE_UPPER",
    "STARLING_HIPBLAS_LOWER": "HIPBLAS_FILL_MODE_LOWER",
    "STARLING_HIPBLAS_NON_UNIT": "HIPBLAS_DIAG_NON_UNIT",
    "STARLING_HIPBLAS_UNIT": "HIPBLAS_DIAG_UNIT",
    "STARLING_HIPBLAS_LEFT": "HIPBLAS_SIDE_LEFT",
    "STARLING_HIPBLAS_RIGHT": "HIPBLAS_SIDE_RIGHT",
    "STARLING_HIPBLAS_POINTER_MODE_HOST": "HIPBLAS_POINTER_MODE_HOST",
    "STARLING_HIPBLAS_ATOMICS_NOT_ALLOWED": "HIPBLAS_ATOMICS_NOT_ALLOWED",
}
SHOW = r"""
#include <cstdio>
#include <type_traits>
template <class T> void show() {
  using U = std::remove_cv_t<T>;
  const char *kind = std::is_pointer<U>::value ? "p" : std::is_floating_point<U>::value ? "f" :
      std::is_integral<U>::value || std::is_enum<U>::value ? "i" : "other";
  std::printf(" %s%zu", kind, sizeof(U));
}
template <class R, class... A> void sig(const char *name, R (*)(A...)) {
  std::printf("%s:", name);
  show<R>();
  (show<A>(), ...);
  std::printf("\n");
}
"""
# The vendor's header overloads these for C++.
CASTS = {
    "hipMalloc": "(hipError_t(*)(void **, size_t))",
    "hipHostMalloc": "(hipError_t(*)(void **, size_t, unsigned))",
    "hipMallocManaged": "(hipError_t(*)(void **, size_t, unsigned))",
}


def run(head, body, folders):
    with tempfile.TemporaryDirectory() as folder:
        source, code, program = (os.path.join(folder, name) for name in ("a.cpp", "a.o", "a"))
        with open(source, "w") as file:
            file.write(head + SHOW + "int main() {\n" + body + "}\n")
        options = ["-std=c++17", "-w", "-D__HIP_PLATFORM_AMD__", "-D__HIP_PLATFORM_HCC__"] + ["-I" + f for f in folders]
        subprocess.run(["g++", *options, "-c", source, "-o", code], check=True)
        # Only types matter, so nothing has to be there.
        subprocess.run(["g++", "-no-pie", code, "-Wl,--unresolved-symbols=ignore-all", "-o", program], check=True)
        return set(subprocess.run([program], check=True, capture_output=True, text=True).stdout.splitlines())


def signatures(own, include):
    blas = os.path.exists(os.path.join(include, "hipblas", "hipblas.h"))
    with open(own) as file:
        text = re.sub(r"/\*.*?\*/", "", file.read(), flags=re.S)
    names = sorted(n for n in set(re.findall(r"\b(hip\w+)\s*\(", text)) if blas or not n.startswith("hipblas"))
    numbers = NUMBERS | BLAS_NUMBERS if blas else NUMBERS
    ours = run('#include "hip_api.h"\n', "".join(f'  sig("{n}", (decltype(&{n}))nullptr);\n' for n in names)
               + "".join(f'  std::printf("{k} %d\\n", (int){k});\n' for k in numbers), [os.path.dirname(own)])
    headers = "#include <hip/hip_runtime_api.h>\n#include <hip/hiprtc.h>\n" + ("#include <hipblas/hipblas.h>\n" if blas else "")
    theirs = run(headers, "".join(f'  sig("{n}", {CASTS.get(n, f"(decltype(&{n}))")}nullptr);\n' for n in names)
                 + "".join(f'  std::printf("{k} %d\\n", (int){v});\n' for k, v in numbers.items())
                 + '  std::printf("# HIP %d.%d\\n", HIP_VERSION_MAJOR, HIP_VERSION_MINOR);\n', [include])
    print("\n".join(x for x in theirs if x.startswith("#")), len(names), "functions", len(numbers), "numbers")
    theirs = {x for x in theirs if not x.startswith("#")}
    for line in sorted(ours ^ theirs):
        print("ours" if line in ours else "theirs", line)
    return len(ours ^ theirs)


def hiprtc(library, source, arch, out):
    lib = C.CDLL(library)
    major, minor, program, size = C.c_int(), C.c_int(), C.c_void_p(), C.c_size_t()
    lib.hiprtcVersion(C.byref(major), C.byref(minor))
    print(f"hiprtc {major.value}.{minor.value} {arch}")
    with open(source, "rb") as file:
        text = file.read() + b"\0"
    options = [b"-O3", b"-ffp-contract=off", f"--offload-arch={arch}".encode()]
    status = lib.hiprtcCreateProgram(C.byref(program), text, b"starling_kernels.hip", 0, None, None)
    status = status or lib.hiprtcCompileProgram(program, len(options), (C.c_char_p * len(options))(*options))
    lib.hiprtcGetProgramLogSize(program, C.byref(size))
    log = C.create_string_buffer(size.value + 1)
    lib.hiprtcGetProgramLog(program, log)
    print(log.value.decode())
    if not status:
        lib.hiprtcGetCodeSize(program, C.byref(size))
        code = C.create_string_buffer(size.value)
        lib.hiprtcGetCode(program, code)
        with open(out, "wb") as file:
            file.write(code.raw)
    return status


sys.exit({"hiprtc": hiprtc, "signatures": signatures}[sys.argv[1]](*sys.argv[2:]))
