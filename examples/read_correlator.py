#!/usr/bin/env python3
"""Prints C(t) from a Starling result file, averaged over configurations and sources.

Usage: python3 examples/read_correlator.py results/a1_rhopi.h5
Needs h5py and numpy (Debian: python3-h5py).
"""
import sys

import h5py
import numpy as np


def long_list(group, name):
    """A list; one of more than 64 KiB is a dataset instead of an attribute."""
    return group.attrs[name] if name in group.attrs else group[name][...]


def main(path):
    with h5py.File(path, "r") as result:
        operators = [name.decode() if isinstance(name, bytes) else name for name in long_list(result, "operators")]
        configurations = [name for name in sorted(result) if name.startswith("cfg_")]
        # [configuration, source, separation, sink operator, source operator]
        correlator = np.array([result[name]["correlator"][...] for name in configurations])
        separations = long_list(result[configurations[0]], "separations")
        print(f"{result.attrs['name']} on {result.attrs['ensemble']}: "
              f"{len(configurations)} configurations, {correlator.shape[1]} sources")
        mean = correlator.mean(axis=(0, 1))
        for i, sink in enumerate(operators):
            for j, source in enumerate(operators):
                print(f"\nC(t) of {sink} at the sink, {source} at the source")
                for k, dt in enumerate(separations):
                    value = mean[k, i, j]
                    print(f"{dt:4d}  {value.real: .12e}  {value.imag: .12e}")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(sys.argv[1])
