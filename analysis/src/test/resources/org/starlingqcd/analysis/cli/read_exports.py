"""Reads the exports of a result as the formats are described, and compares every number with the result.

Usage: read_exports.py RESULT.h5 FOLDER
"""
import csv
import gzip
import json
import sys

import h5py
import numpy as np

with h5py.File(sys.argv[1]) as result:
    name = result.attrs["name"]
    ensemble = result.attrs["ensemble"]
    operators = list(result.attrs["operators"])
    groups = sorted(group for group in result if group.startswith("cfg_"))
    configurations = [int(group[4:]) for group in groups]
    # [configuration, separation, sink, source], averaged over sources
    matrix = np.array([result[group]["correlator"][:].mean(axis=0) for group in groups])
folder = sys.argv[2] + "/" + name
n = len(operators)
slices = matrix.shape[1]


def same(found, expected, what):
    assert np.shape(found) == np.shape(expected), (what, np.shape(found), np.shape(expected))
    assert np.allclose(found, expected, rtol=1e-13, atol=1e-13 * np.abs(matrix).max()), what


# pyerrors: gzipped JSON; a value and, for each configuration, its difference from the value.
with gzip.open(folder + "_pyerrors.json.gz", "rt", encoding="utf-8") as file:
    document = json.load(file)
assert document["version"] == "1.1" and set(document) >= {"program", "who", "date", "host", "obsdata"}
for part, values in zip(document["obsdata"], (matrix.real, matrix.imag)):
    assert part["type"] == "Corr", part["type"]
    assert part["layout"] == (f"{slices}, 1" if n == 1 else f"{slices}, {n}, {n}"), part["layout"]
    (data,) = part["data"]
    (replica,) = data["replica"]
    assert data["id"] == ensemble and replica["name"] == ensemble
    rows = np.array(replica["deltas"])
    same(rows[:, 0], configurations, "numbers of configurations")
    same(part["value"], values.mean(axis=0).ravel(), "means")
    same(rows[:, 1:] + np.array(part["value"]), values.reshape(len(values), -1), "deltas")
    # No bias: the differences cancel.
    same(rows[:, 1:].sum(axis=0), np.zeros(values[0].size), "sum of deltas")

# gvar: a data set [configuration, separation] for each tag.
with h5py.File(folder + "_gvar.h5") as file:
    tags = {f"{name}.{a}.{b}.{p}" for a in operators for b in operators for p in ("re", "im")}
    assert set(file) == tags, set(file) ^ tags
    for i, sink in enumerate(operators):
        for j, source in enumerate(operators):
            for p, values in (("re", matrix.real), ("im", matrix.imag)):
                dataset = file[f"{name}.{sink}.{source}.{p}"]
                assert dataset.dtype == "<f8"
                same(dataset[:], values[:, :, i, j], dataset.name)

# sigmond: a data set [bin] for each time, element and part; the keys are XML with | for /.
with h5py.File(folder + "_sigmond.h5") as file:
    text = lambda place: file[place][()].decode().rstrip("\0")
    assert text("Info/FIdentifier") == "Sigmond--BinsFile" and text("Info/Endianness") == "L"
    assert text("data/IncludeCKS") == "N"
    assert f"<NumberOfBins>{len(configurations)}</NumberOfBins>" in text("data/Header")
    values = file["data/Values"]
    assert len(values) == 2 * slices * n * n, len(values)
    for key in values:
        begin, end = "<MCObservable><CorrT>", "<|Arg><|MCObservable>"
        assert key.startswith(begin) and key.endswith(end) and "/" not in key, key
        corr, part = key[len(begin) : -len(end)].split(" HermMat<|CorrT><Arg>")
        sink, source, time = corr.replace("GI{", "").split("} ")
        # isospin, strangeness, momentum, irrep and row, name, number
        find = lambda words: [k for k, o in enumerate(operators) if words.split()[-2] == o[:24]][0]
        element = matrix[:, int(time.split("=")[1]), find(sink), find(source)]
        same(values[key][:], element.real if part == "Re" else element.imag, key)

# CSV: a row for each configuration, separation, sink and source.
with open(folder + "_configurations.csv", newline="", encoding="utf-8") as file:
    rows = list(csv.DictReader(file))
assert len(rows) == matrix.size, len(rows)
for row in rows:
    c = configurations.index(int(row["configuration"]))
    i, j = operators.index(row["sink"]), operators.index(row["source"])
    value = complex(float(row["re"]), float(row["im"]))
    same(value, matrix[c, int(row["separation"]), i, j], str(row))
print("same numbers:", matrix.size)
