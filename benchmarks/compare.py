"""Starling's contractions of a definition against numpy evaluating its diagrams one by one.

Called by compare.sh. Reads the line that QueueTiming prints, times the steps of one diagram in numpy
(and opt_einsum where it is installed) on random nodes of the same size, and writes a table. A diagram
by itself takes one einsum for each product and one for each trace; all diagrams together take
unshared_products and unshared_traces of them, so their time is that many times the median of one.
"""
import statistics
import sys
import time

import numpy as np

rng = np.random.default_rng(1)


def median_seconds(function, rounds):
    function()
    seconds = []
    for _ in range(rounds):
        start = time.perf_counter()
        function()
        seconds.append(time.perf_counter() - start)
    return statistics.median(seconds)


def main():
    name, line, rounds = sys.argv[1], sys.argv[2], int(sys.argv[3])
    work = {key: float(value) for key, value in (pair.split("=") for pair in line.split())}
    n = int(work["N"])
    node = [rng.standard_normal((4, 4, n, n)) + 1j * rng.standard_normal((4, 4, n, n)) for _ in range(2)]
    gamma = np.array([[0, 0, 1, 0], [0, 0, 0, 1], [-1, 0, 0, 0], [0, -1, 0, 0]], dtype=complex)
    product = "ab,bcij,cd,dejk->aeik"
    trace = "ab,bcij,cd,daji->"
    operands = (gamma, node[0], gamma, node[1])
    programs = {"numpy einsum": lambda rule: (lambda: np.einsum(rule, *operands, optimize=True))}
    try:
        import opt_einsum

        def opt(rule):
            expression = opt_einsum.contract_expression(rule, *(x.shape for x in operands))
            return lambda: expression(*operands)

        programs["opt_einsum"] = opt
    except ImportError:
        print("opt_einsum is not installed (Debian: python3-opt-einsum) and is left out", file=sys.stderr)
    starling = work["product_seconds"] + work["trace_seconds"]
    print(f"| {name}, N = {n}, {int(work['threads'])} threads | products | traces | seconds | ratio |")
    print("| --- | ---: | ---: | ---: | ---: |")
    print(f"| Starling | {int(work['products'])} | {int(work['traces'])} | {starling:.3f} | 1 |")
    for program, make in programs.items():
        seconds = work["unshared_products"] * median_seconds(make(product), rounds)
        seconds += work["unshared_traces"] * median_seconds(make(trace), rounds)
        print(f"| {program}, diagram by diagram | {int(work['unshared_products'])} | "
              f"{int(work['unshared_traces'])} | {seconds:.3f} | {seconds / starling:.1f} |")


main()
