"""Correlators of tetraquarks with numpy.einsum over pairs of indices: the baseline of tetraquark.sh.

    tetraquark.py EXPANDED DATA RESULT --sources LIST --separations LIST [--packed]

EXPANDED is what `starling expand DEFINITION --json` prints, of operators of tetraquarks alone whose lines all pass from source to sink. RESULT
is the .npz file of C[source][separation][i][j] and the seconds of contraction. Two lines are one matrix X from pairs of vectors to pairs, kept for all elements,
and an element is einsum(K, X, K', Y). Pairs are all (k, l), or with --packed each pair once.
"""
import argparse
import json
import time

import h5py
import numpy as np

from baseline import GAMMAS, gamma

C, G4 = GAMMAS["g2"] @ GAMMAS["g4"], GAMMAS["g4"]


def diquark(name):
    return C @ gamma(name[1:] or "1")


def adjoint(d):
    """Sum of D*[a,b] g4[x,a] g4[y,b]: of the diquark an antidiquark, and the reverse."""
    return G4 @ d.conj() @ G4.T


class Tetraquarks:
    def __init__(self, definition, data, packed):
        self.labels, self.packed = definition["quarks"], packed
        self.operators = [operator["terms"] for operator in definition["operators"]]
        self.tau, self.k = data["perambulators"], data["elementals/tetraquark"]
        self.times, self.n = int(data.attrs["temporal_extent"]), int(data.attrs["num_eigenvectors"])
        self.lines, self.elementals, self.matrices = {}, {}, {}

    def line(self, flavour, t, u):
        key = (self.labels[flavour], t, u)
        if key not in self.lines:
            self.lines[key] = self.tau[key[0]][t, u]
        return self.lines[key]

    def pairs(self, colour):
        """First and second indices of the pairs, and the sign of an exchange."""
        sign = -1 if colour == "3bar3" else 1
        second, first = np.tril_indices(self.n, -1 if sign < 0 else 0)
        return first, second, sign

    def elemental(self, colour, momentum, t):
        key = (colour, tuple(momentum), t)
        if key not in self.elementals:
            k = self.k[f"{colour}/{'_'.join(map(str, momentum))}"][t]
            if not self.packed:
                first, second, sign = self.pairs(colour)
                place = np.zeros((self.n, self.n), int)
                signs = np.zeros((self.n, self.n))
                place[first, second], place[second, first] = 2 * (np.arange(len(first)),)
                signs[second, first], signs[first, second] = sign, 1
                place, signs = place.ravel(), signs.ravel()
                k = signs[:, None] * k[np.ix_(place, place)] * signs
            self.elementals[key] = k
        return self.elementals[key]

    def matrix(self, key):
        """X of two lines: flavours and times, the two spin matrices, colours of rows and columns."""
        if key not in self.matrices:
            pairings, t, u, left, right, rows, columns = key
            n, total = self.n, 0
            d, e = np.array(left).reshape(4, 4), np.array(right).reshape(4, 4)
            for sign, (one, two), crossed in pairings:
                z = np.einsum("cd,cekx,dfly,ef->klxy", d, self.line(one, t, u), self.line(two, t, u), e.T if crossed else e,
                              optimize=True)
                total = total + sign * (z.transpose(0, 1, 3, 2) if crossed else z)
            if self.packed:
                k, l, s = self.pairs(rows)
                total = (total[k, l] + s * total[l, k]) / np.where(k == l, 2, 1)[:, None, None]
                k, l, s = self.pairs(columns)
                total = (total[:, k, l] + s * total[:, l, k]) / np.where(k == l, 2, 1)
            else:
                total = total.reshape(n * n, n * n)
            self.matrices[key] = total
        return self.matrices[key]

    def element(self, i, j, sink, source):
        total = 0
        for left in self.operators[i]:
            for right in self.operators[j]:
                weight = complex(*left["coefficient"]) * complex(*right["coefficient"]).conjugate()
                (a,), (b,) = left["tetraquarks"], right["tetraquarks"]
                quarks, bars = pairings(a["quarks"], b["quarks"]), pairings(b["antiquarks"], a["antiquarks"])
                if not quarks or not bars:
                    continue
                x = self.matrix((quarks, sink, source, flat(diquark(a["diquark"])), flat(adjoint(diquark(b["diquark"]))), a["colour"],
                                 b["colour"]))
                y = self.matrix((bars, source, sink, flat(diquark(b["antidiquark"])), flat(adjoint(diquark(a["antidiquark"]))),
                                 b["colour"], a["colour"]))
                k = self.elemental(a["colour"], a["momentum"], sink)
                other = self.elemental(b["colour"], b["momentum"], source).conj().T
                total += weight * np.einsum("ab,bc,cd,da->", k, x, other, y, optimize=True)
        return total


def flat(matrix):
    return tuple(matrix.ravel())


def pairings(one, other):
    """The lines from the first and the second flavour on the left, direct and crossed, with signs."""
    found = [(1, tuple(one), False)] if one == other else []
    return tuple(found + ([(-1, tuple(one), True)] if one == other[::-1] else []))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    for name in ("expanded", "data", "result"):
        parser.add_argument(name)
    for name in ("--sources", "--separations"):
        parser.add_argument(name, type=lambda text: [int(part) for part in text.split(",")])
    parser.add_argument("--packed", action="store_true")
    asked = parser.parse_args()
    with open(asked.expanded) as text, h5py.File(asked.data) as data:
        of = Tetraquarks(json.load(text), data, asked.packed)
        n, begin = range(len(of.operators)), time.perf_counter()
        values = []
        for source in asked.sources:
            for dt in asked.separations:
                sink = (source + dt) % of.times
                values.append([[of.element(i, j, sink, source) for j in n] for i in n])
                of.matrices.clear()
        shape = (len(asked.sources), len(asked.separations), len(n), len(n))
        np.savez(asked.result, correlator=np.reshape(values, shape), seconds=time.perf_counter() - begin)


if __name__ == "__main__":
    main()
