"""Three-point functions are read number by number; what does not fit gets a message that names the file."""

import shutil
import tempfile
import unittest
from pathlib import Path

import h5py
import numpy as np

import starling


def numbers(number, shape, seed):
    random = np.random.default_rng([number, seed])
    return random.normal(size=shape) + 1j * random.normal(size=shape)


def write(path, configurations, sources, *, separations=(4, 6), after=(0, 1, 2), loops=True, **root):
    with h5py.File(path, "w") as file:
        attributes = {"format": "three-point", "format_version": 1, "name": "toy", "ensemble": "e", "definition": "source: {}"}
        attributes.update(root)
        for key, value in attributes.items():
            file.attrs[key] = value
        file.attrs["sink_operators"] = ["a", "b"]
        file.attrs["source_operators"] = ["c"]
        file.attrs["insertions"] = ["scalar", "vector"]
        for number in configurations:
            group = file.create_group(f"cfg_{number:04d}")
            group.attrs["source_times"] = sources
            group.attrs["separations"] = separations
            group.attrs["insertion_separations"] = after
            outer = (len(separations),)
            group["two_point"] = np.array([numbers(number, outer + (2, 1), s) for s in sources])
            full = outer + (len(after), 2, 1)
            for k, name in enumerate(("scalar", "vector")):
                group[f"insertion/{name}/connected"] = np.array([numbers(number, full, 10 * s + k) for s in sources])
            if loops:
                group["insertion/scalar/disconnected"] = np.array([numbers(number, full, 10 * s + 5) for s in sources])
                group["current/scalar"] = numbers(number, (8,), 99)
                group["current/scalar"].attrs["times"] = np.arange(8)


class CurrentTest(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)

    def path(self, name, *args, **kwargs):
        write(self.folder / name, *args, **kwargs)
        return self.folder / name

    def test_everything(self):
        path = self.path("a.h5", [1, 3], [0, 4])
        r = starling.open_currents(path)
        self.assertEqual((("a", "b"), ("c",)), (r.sink_operators, r.source_operators))
        self.assertEqual((("scalar", "vector"), (4, 6), (0, 1, 2)), (r.insertions, r.separations, r.insertion_separations))
        self.assertEqual(((1, 3), (0, 4), "toy", "e"), (r.configurations, r.sources, r.name, r.ensemble))
        read = r.read(3)
        with h5py.File(path) as file:
            group = file["cfg_0003"]
            np.testing.assert_array_equal(group["insertion/vector/connected"][...], read.connected["vector"])
            np.testing.assert_array_equal(group["insertion/scalar/disconnected"][...], read.disconnected["scalar"])
            np.testing.assert_array_equal(group["current/scalar"][...], read.current["scalar"])
            np.testing.assert_array_equal(group["two_point"][...], read.two_point)
            expected = [file[f"cfg_000{k}/insertion/scalar/disconnected"][...].mean(axis=0) for k in (1, 3)]
        np.testing.assert_allclose(expected, r.per_configuration("scalar", "disconnected"), rtol=1e-14)
        self.assertEqual((2, 2, 3, 2, 1), r.per_configuration("vector").shape)
        self.assertEqual({"scalar"}, set(read.disconnected))
        self.assertIn("2 insertions, 2 x 1 operators, 2 separations, 2 configurations", repr(r))

    def test_shards_are_one_result(self):
        whole = starling.open_currents(self.path("whole.h5", [1, 3], [0, 4, 5]))
        parts = starling.open_currents(self.path("a.h5", [3], [5]), self.path("b.h5", [1], [0, 4, 5]), self.path("c.h5", [3], [4, 0]))
        self.assertEqual((0, 4, 5), parts.read(3).sources)
        np.testing.assert_array_equal(whole.read(3).connected["vector"], parts.read(3).connected["vector"])
        np.testing.assert_array_equal(whole.read(3).two_point, parts.read(3).two_point)
        np.testing.assert_array_equal(whole.per_configuration("scalar"), parts.per_configuration("scalar"))

    def refused(self, phrase, *paths):
        with self.assertRaises(starling.ResultError) as caught:
            starling.open_currents(*paths).per_configuration("scalar")
        self.assertIn(phrase, str(caught.exception))
        self.assertIn(str(paths[-1]), str(caught.exception))

    def test_messages(self):
        a = self.path("a.h5", [1], [0])
        self.refused("configuration 1, source 0 is in", a, self.path("b.h5", [1], [0]))
        self.refused("its ensemble 'f' differ from 'e'", a, self.path("b.h5", [2], [0], ensemble="f"))
        self.refused("its separations (4, 7) differ from (4, 6)", a, self.path("b.h5", [2], [0], separations=(4, 7)))
        self.refused("is no result of three-point functions", self.path("b.h5", [2], [0], format="correlator"))
        self.refused("expected 1", self.path("b.h5", [2], [0], format_version=2))
        self.refused("holds no configuration", self.path("b.h5", [], []))
        with self.assertRaisesRegex(starling.ResultError, "a.h5: holds three-point functions; open it with"):
            starling.open(a)
        r = starling.open_currents(self.path("b.h5", [2], [0], loops=False))
        with self.assertRaisesRegex(KeyError, "has no disconnected part on configuration 2"):
            r.per_configuration("scalar", "disconnected")
        with self.assertRaisesRegex(KeyError, "the insertions are scalar, vector"):
            r.per_configuration("axial")
        with self.assertRaisesRegex(ValueError, "'connected' or 'disconnected'"):
            r.per_configuration("scalar", "both")
        with self.assertRaisesRegex(KeyError, "no configuration 7"):
            r.read(7)
        with h5py.File(a, "a") as file:
            del file["cfg_0001/two_point"]
            file["cfg_0001/two_point"] = np.zeros((1, 2, 2, 1))
        self.refused("expected complex numbers of shape (1, 2, 2, 1), found float64", a)


if __name__ == "__main__":
    unittest.main()
