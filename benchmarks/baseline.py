"""Correlators of mesons in numpy as a careful postdoc would write them: the strong baseline of race.sh.

    baseline.py EXPANDED DATA RESULT --sources LIST --separations LIST

EXPANDED is what `starling expand DEFINITION --json` prints, DATA one configuration in Starling's format, RESULT the
.npz file of C[source][separation][i][j]. Nodes, products and traces that were computed before are kept, cycles that differ
by their beginning are one, each is cut where both products are there already if it can be, and traces are dot products. It
knows no gamma5-hermiticity between diagrams, keeps everything in memory until its times are through, and reads every block once.
"""
import argparse
import itertools
import json

import h5py
import numpy as np

I4 = np.eye(4, dtype=complex)
GAMMAS = {
    "g1": np.array([[0, 0, 0, 1j], [0, 0, 1j, 0], [0, -1j, 0, 0], [-1j, 0, 0, 0]]),
    "g2": np.array([[0, 0, 0, -1], [0, 0, 1, 0], [0, 1, 0, 0], [-1, 0, 0, 0]], dtype=complex),
    "g3": np.array([[0, 0, 1j, 0], [0, 0, 0, -1j], [-1j, 0, 0, 0], [0, 1j, 0, 0]]),
    "g4": np.array([[0, 0, 1, 0], [0, 0, 0, 1], [1, 0, 0, 0], [0, 1, 0, 0]], dtype=complex),
}
GAMMAS["g5"] = GAMMAS["g1"] @ GAMMAS["g2"] @ GAMMAS["g3"] @ GAMMAS["g4"]


def gamma(name):
    """The matrix of a product of gammas, such as g3g5; 1 is the unit matrix."""
    matrix = I4
    for k in range(0, len(name) if name != "1" else 0, 2):
        matrix = matrix @ GAMMAS[name[k : k + 2]]
    return matrix


class Correlators:
    def __init__(self, definition, data):
        self.labels = definition["quarks"]
        self.operators = [operator["terms"] for operator in definition["operators"]]
        self.tau, self.phi = data["perambulators"], data["elementals/meson"]
        self.times = int(data.attrs["temporal_extent"])
        self.wick = {}
        self.blocks, self.nodes, self.products, self.columns, self.traces = {}, {}, {}, {}, {}

    def block(self, group, name, index):
        key = (name, index)
        if key not in self.blocks:
            self.blocks[key] = group[name][index]
        return self.blocks[key]

    def node(self, key):
        """Gamma Phi tau(t, t') as a matrix of 4N rows and columns."""
        if key not in self.nodes:
            name, adjoint, momentum, displacement, label, t, u = key
            phi = self.block(self.phi, f"{displacement}/{'_'.join(map(str, momentum))}", t)
            tau = self.block(self.tau, label, (t, u))
            n = phi.shape[0]
            line = (phi.conj().T if adjoint else phi) @ tau
            spin = GAMMAS["g4"] @ gamma(name).conj().T @ GAMMAS["g4"] if adjoint else gamma(name)
            self.nodes[key] = np.tensordot(spin, line, (1, 0)).transpose(0, 2, 1, 3).reshape(4 * n, 4 * n)
        return self.nodes[key]

    def product(self, keys):
        if len(keys) == 1:
            return self.node(keys[0])
        if keys not in self.products:
            self.products[keys] = self.product(keys[:-1]) @ self.node(keys[-1])
        return self.products[keys]

    def transposed(self, keys):
        """The product's elements column by column, which a trace of two products needs of the second."""
        if keys not in self.columns:
            self.columns[keys] = np.ascontiguousarray(self.product(keys).T).ravel()
        return self.columns[keys]

    def halves(self, cycle):
        """The cut of a cycle into two products that needs the fewest new ones."""
        n, half = len(cycle), len(cycle) // 2
        cuts = [((cycle * 2)[k : k + half], (cycle * 2)[k + half : k + n]) for k in range(n)]
        return min(cuts, key=lambda cut: sum(len(part) > 1 and part not in self.products for part in cut))

    def trace(self, cycle):
        first = min(range(len(cycle)), key=lambda k: cycle[k:] + cycle[:k])
        keys = cycle[first:] + cycle[:first]
        if keys not in self.traces:
            if len(keys) == 1:
                value = np.trace(self.node(keys[0]))
            else:
                left, right = self.halves(keys)
                value = self.product(left).ravel() @ self.transposed(right)
            self.traces[keys] = value
        return self.traces[keys]

    def contraction(self, factors):
        """Sum over all pairings; a factor is (bar, quark, gamma, adjoint, momentum, displacement, time)."""
        flavours = tuple(factor[:2] for factor in factors)
        if flavours not in self.wick:
            self.wick[flavours] = [list(cycles(s)) for s in itertools.permutations(range(len(factors)))
                                   if all(flavours[k][1] == flavours[s[k]][0] for k in range(len(s)))]
        total = 0
        for permutation in self.wick[flavours]:
            value = 1
            for cycle in permutation:
                value *= -self.trace(tuple(
                    (*factors[k][2:6], self.labels[factors[k][1]], factors[k][6], factors[following][6])
                    for k, following in zip(cycle, cycle[1:] + cycle[:1])))
            total += value
        return total

    def element(self, i, j, sink, source):
        total = 0
        for left in self.operators[i]:
            for right in self.operators[j]:
                weight = complex(*left["coefficient"]) * complex(*right["coefficient"]).conjugate()
                total += weight * self.contraction(
                    [(m["bar"], m["quark"], m["gamma"], False, tuple(m["momentum"]), m.get("displacement", "none"), sink)
                     for m in left["mesons"]]
                    + [(m["quark"], m["bar"], m["gamma"], True, tuple(m["momentum"]), m.get("displacement", "none"), source)
                       for m in right["mesons"]])
        return total

    def matrix(self, sink, source):
        n = range(len(self.operators))
        return [[self.element(i, j, sink, source) for j in n] for i in n]


def cycles(permutation):
    left = set(range(len(permutation)))
    while left:
        k = min(left)
        cycle = []
        while k in left:
            left.remove(k)
            cycle.append(k)
            k = permutation[k]
        yield cycle


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("expanded")
    parser.add_argument("data")
    parser.add_argument("result")
    numbers = lambda text: [int(part) for part in text.split(",")]
    parser.add_argument("--sources", type=numbers, default=[0])
    parser.add_argument("--separations", type=numbers, default=[1])
    args = parser.parse_args()
    with open(args.expanded) as definition, h5py.File(args.data) as data:
        correlators = Correlators(json.load(definition), data)
        matrices = [[correlators.matrix((t + dt) % correlators.times, t) for dt in args.separations] for t in args.sources]
    np.savez(args.result, correlator=np.array(matrices))
    print(f"nodes {len(correlators.nodes)}, products {len(correlators.products)}, traces {len(correlators.traces)}")


if __name__ == "__main__":
    main()
