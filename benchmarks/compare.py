"""Starling's contractions of a definition against numpy or CuPy evaluating its diagrams one by one.

Called by compare.sh: DEFINITION LINE ROUNDS [cupy]. Reads the line that QueueTiming prints, times the
steps of one diagram (and the same by opt_einsum where it is installed) on random nodes of the same size,
and writes a table. A diagram by itself takes one einsum for each product and one for each trace; all
diagrams together take unshared_products and unshared_traces of them, so their time is that many times the
median of one.
"""
import statistics
import sys
import time

import numpy as np

rng = np.random.default_rng(1)


def median_seconds(function, wait, rounds):
    function()
    wait()
    seconds = []
    for _ in range(rounds):
        start = time.perf_counter()
        function()
        wait()
        seconds.append(time.perf_counter() - start)
    return statistics.median(seconds)


def main():
    name, line, rounds = sys.argv[1], sys.argv[2], int(sys.argv[3])
    work = dict(pair.split("=") for pair in line.split())
    n = int(work["N"])
    node = [rng.standard_normal((4, 4, n, n)) + 1j * rng.standard_normal((4, 4, n, n)) for _ in range(2)]
    gamma = np.array([[0, 0, 1, 0], [0, 0, 0, 1], [-1, 0, 0, 0], [0, -1, 0, 0]], dtype=complex)
    product = "ab,bcij,cd,dejk->aeik"
    trace = "ab,bcij,cd,daji->"
    arrays, library = np, "numpy"
    wait = lambda: None
    if sys.argv[4:] == ["cupy"]:
        import cupy

        arrays, library = cupy, "CuPy"
        wait = cupy.cuda.runtime.deviceSynchronize
    operands = [arrays.asarray(x) for x in (gamma, node[0], gamma, node[1])]
    programs = {f"{library} einsum": lambda rule: (lambda: arrays.einsum(rule, *operands, optimize=True))}
    try:
        import opt_einsum

        def opt(rule):
            expression = opt_einsum.contract_expression(rule, *(x.shape for x in operands))
            return lambda: expression(*operands)

        programs[f"opt_einsum with {library}"] = opt
    except ImportError:
        print("opt_einsum is not installed (Debian: python3-opt-einsum) and is left out", file=sys.stderr)
    starling = float(work["product_seconds"]) + float(work["trace_seconds"])
    where = work["backend"] if work["backend"] != "cpu" else work["threads"] + " threads"
    print(f"| {name}, N = {n}, {where} | products | traces | seconds | ratio |")
    print("| --- | ---: | ---: | ---: | ---: |")
    print(f"| Starling | {work['products']} | {work['traces']} | {starling:.3f} | 1 |")
    for program, make in programs.items():
        seconds = int(work["unshared_products"]) * median_seconds(make(product), wait, rounds)
        seconds += int(work["unshared_traces"]) * median_seconds(make(trace), wait, rounds)
        print(f"| {program}, diagram by diagram | {work['unshared_products']} | "
              f"{work['unshared_traces']} | {seconds:.3f} | {seconds / starling:.1f} |")


main()
