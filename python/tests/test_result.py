"""Results are read number by number; what does not fit gets a message that names the file."""

import importlib.util
import shutil
import tempfile
import unittest
from pathlib import Path

import h5py
import numpy as np

import starling
from starling import _result

REFERENCE = Path(__file__).resolve().parents[2] / "examples" / "reference"


def needs(module):
    return unittest.skipUnless(importlib.util.find_spec(module), f"{module} is not installed")


def write(path, configurations, sources, *, operators=("a", "b"), separations=(0, 2), one_point=False, **root):
    """Writes a result whose numbers say where they stand."""
    n = len(operators)
    with h5py.File(path, "w") as file:
        attributes = {"format": "correlator", "format_version": 1, "name": "test", "ensemble": "e|1"}
        attributes.update(root)
        for key, value in attributes.items():
            file.attrs[key] = value
        file.attrs["definition"] = "name: test"
        file.attrs["operators"] = list(operators)
        for number in configurations:
            group = file.create_group(f"cfg_{number:04d}")
            group.attrs["source_times"] = sources
            group.attrs["separations"] = separations
            group["correlator"] = numbers(number, np.array(sources), np.array(separations), n)
            if one_point:
                group["vev"] = np.full((2, n), number + 1j) * np.array([[1], [3]])
                group["vev"].attrs["times"] = [0, 1]


def numbers(number, sources, separations, n):
    i, j = np.arange(n)[:, None], np.arange(n)[None, :]
    return (
        np.sin(number + sources[:, None, None, None] + 2 * separations[None, :, None, None] + 3 * i)
        + 1j * np.cos(number + 5 * j + sources[:, None, None, None] + separations[None, :, None, None])
    )


class ReferenceTest(unittest.TestCase):
    def test_everything(self):
        path = REFERENCE / "sigma.h5"
        r = starling.open(path)
        with h5py.File(path) as f:
            c = np.array([f[g]["correlator"][...] for g in ("cfg_0001", "cfg_0002")])
            vev = np.array([f[g]["vev"][...] for g in ("cfg_0001", "cfg_0002")])
            self.assertEqual(f.attrs["definition"], r.definition)
        self.assertEqual(("f0", "pipi_000", "etaeta_001"), r.operators)
        self.assertEqual(((1, 2), (0, 3), tuple(range(8))), (r.configurations, r.sources, r.separations))
        self.assertEqual(("sigma", "quenched_4x8", 8), (r.name, r.ensemble, r.temporal_extent))
        self.assertEqual("correlator", r.metadata["format"])
        np.testing.assert_allclose(r.correlator, c.mean(axis=(0, 1)), rtol=1e-14)
        np.testing.assert_allclose(r.per_configuration, c.mean(axis=1), rtol=1e-14)
        np.testing.assert_allclose(r.one_point, vev.mean(axis=1), rtol=1e-14)
        second = r.read(2)
        np.testing.assert_array_equal(second.correlator, c[1])
        np.testing.assert_array_equal(second.one_point, vev[1])
        self.assertEqual(((0, 3), tuple(range(8))), (second.sources, second.one_point_times))
        self.assertEqual(2, r.index("etaeta_001"))
        self.assertIn("3 operators, 8 separations, 2 configurations", repr(r))

    def test_every_reference_is_read(self):
        for path in sorted(REFERENCE.glob("*.h5")):
            r = starling.open(path)
            n = len(r.operators)
            self.assertEqual((len(r.separations), n, n), r.correlator.shape, path)


class MadeTest(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)

    def path(self, name, *args, **kwargs):
        write(self.folder / name, *args, **kwargs)
        return self.folder / name

    def test_shards_are_one_result(self):
        whole = starling.open(self.path("whole.h5", [1, 12345], [0, 1, 3], one_point=True))
        parts = starling.open(
            self.path("a.h5", [1, 12345], [3], one_point=True), self.path("b.h5", [1], [0, 1]), self.path("c.h5", [12345], [1, 0])
        )
        self.assertEqual((1, 12345), parts.configurations)
        self.assertEqual((0, 1, 3), parts.sources)
        self.assertEqual((0, 1, 3), parts.read(12345).sources)
        np.testing.assert_array_equal(parts.read(12345).correlator, whole.read(12345).correlator)
        np.testing.assert_allclose(parts.correlator, whole.correlator, rtol=1e-15)
        np.testing.assert_array_equal(parts.one_point, whole.one_point)
        np.testing.assert_array_equal(whole.one_point[0], [2 + 2j, 2 + 2j])

    def test_pairs_have_equal_weight(self):
        r = starling.open(self.path("a.h5", [1], [0, 1]), self.path("b.h5", [2], [0]))
        a, b = numbers(1, np.array([0, 1]), np.array([0, 2]), 2), numbers(2, np.array([0]), np.array([0, 2]), 2)
        np.testing.assert_allclose(r.correlator, np.concatenate([a, b]).mean(axis=0), rtol=1e-15)
        self.assertIsNone(r.one_point)
        self.assertIsNone(r.temporal_extent)

    def test_long_lists_are_data_sets(self):
        path = self.path("a.h5", [1], [0, 1])
        before = starling.open(path)
        with h5py.File(path, "a") as f:
            for group, name in ((f, "operators"), (f["cfg_0001"], "separations"), (f["cfg_0001"], "source_times")):
                values = group.attrs[name]
                del group.attrs[name]
                group[name] = values
        after = starling.open(path)
        self.assertEqual(before.operators, after.operators)
        self.assertEqual(["a", "b"], after.metadata["operators"])
        np.testing.assert_array_equal(before.correlator, after.correlator)

    def refused(self, phrase, *paths):
        with self.assertRaises(starling.ResultError) as caught:
            starling.open(*paths).correlator
        self.assertIn(phrase, str(caught.exception))
        self.assertIn(str(paths[-1]), str(caught.exception))

    def test_messages(self):
        a = self.path("a.h5", [1], [0])
        self.refused("configuration 1, source 0 is in", a, self.path("b.h5", [1], [0]))
        self.refused("its operators", a, self.path("b.h5", [2], [0], operators=("a", "c")))
        self.refused("its separations", a, self.path("b.h5", [2], [0], separations=(0, 1)))
        self.refused("is not a result", self.path("b.h5", [2], [0], format="distillation"))
        self.refused("expected 1", self.path("b.h5", [2], [0], format_version=2))
        with h5py.File(a, "a") as f:
            del f["cfg_0001/correlator"]
            f["cfg_0001/correlator"] = np.zeros((1, 2, 2))
        self.refused("expected complex numbers of shape (1, 2, 2, 2), found float64", a)
        self.refused("holds no configuration", self.path("b.h5", [], []))
        text = self.folder / "text.h5"
        text.write_text("no HDF5")
        self.refused("is not a readable HDF5 file", text)
        with self.assertRaisesRegex(FileNotFoundError, "missing.h5: no such file"):
            starling.open(self.folder / "missing.h5")
        r = starling.open(self.path("c.h5", [1], [0]))
        with self.assertRaisesRegex(KeyError, "the operators are a, b"):
            r.index("x")
        with self.assertRaisesRegex(KeyError, "no configuration 7"):
            r.read(7)
        with self.assertRaisesRegex(ValueError, "'real' or 'imag'"):
            r._part("both", True)

    @needs("pyerrors")
    def test_pyerrors(self):
        r = starling.open(self.path("a.h5", list(range(1, 8)), [0, 1], temporal_extent=4))
        corr = r.to_pyerrors("imag", complex=True)
        self.assertEqual(4, corr.T)
        self.assertIsNone(corr.content[1])
        self.assertAlmostEqual(r.correlator[1, 0, 1].imag, corr.content[2][0, 1].value, 14)

    @needs("gvar")
    def test_gvar(self):
        r = starling.open(self.path("a.h5", list(range(1, 8)), [0, 1]))
        averages = r.to_gvar(complex=True)
        self.assertEqual((2, 2, 2), averages.shape)
        self.assertAlmostEqual(r.correlator[1, 0, 1].real, averages[1, 0, 1].mean, 14)
        deviation = r.per_configuration.real[:, 1, 0, 1].std(ddof=1) / 7**0.5
        self.assertAlmostEqual(deviation, averages[1, 0, 1].sdev, 12)


class RealTest(unittest.TestCase):
    """Two states mixed by a known angle; the first operator lacks the factor i that makes the matrix real."""

    ENERGIES = np.array([0.4, 0.7])
    ANGLE = 0.6

    def setUp(self):
        self.folder = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)

    def result(self, conjugation=(-1, 1), *, count=24, operators=("rho", "pipi")):
        path = self.folder / "mixed.h5"
        random = np.random.default_rng(7)
        dt = np.arange(6)
        overlaps = np.array(
            [[np.cos(self.ANGLE), np.sin(self.ANGLE)], [-np.sin(self.ANGLE), np.cos(self.ANGLE)]]
        )[: len(operators)]
        real = np.einsum("ik,jk,tk->tij", overlaps, overlaps, np.exp(-np.outer(dt, self.ENERGIES)))
        factors = np.array([-1j, 1])[: len(operators)]
        with h5py.File(path, "w") as file:
            file.attrs.update({"format": "correlator", "format_version": 1, "name": "mixed", "ensemble": "e"})
            file.attrs["operators"] = list(operators)
            if conjugation is not None:
                file.attrs["conjugation"] = np.array(conjugation)
            for number in range(1, count + 1):
                group = file.create_group(f"cfg_{number:04d}")
                group.attrs["source_times"] = [0, 4]
                group.attrs["separations"] = dt
                shape = (2,) + real.shape
                noise = random.normal(size=shape) + 1j * random.normal(size=shape)
                noisy = real + 0.01 * np.exp(-self.ENERGIES[0] * dt)[:, None, None] * noise
                group["correlator"] = noisy * np.outer(factors, factors.conj())
        return starling.open(path)

    def energies(self, matrix):
        """Of the generalized eigenvalue problem at 1, between separations 2 and 3."""
        inverse = np.linalg.inv(np.linalg.cholesky((matrix[1] + matrix[1].T.conj()) / 2))
        values = [np.sort(np.linalg.eigvalsh(inverse @ matrix[t] @ inverse.T.conj()))[::-1] for t in (2, 3)]
        return np.log(values[0] / values[1])

    def test_real_parts_have_the_energies(self):
        r = self.result()
        self.assertEqual((-1, 1), r.conjugation)
        np.testing.assert_array_equal([1j, 1], r.factors)
        direct = self.energies(r.correlator)
        real = self.energies(r._part("real", False).mean(axis=0))
        np.testing.assert_allclose(direct, real, atol=1e-3)
        np.testing.assert_allclose(self.ENERGIES, real, atol=0.03)
        wrong = self.energies(r._part("real", True).mean(axis=0))
        self.assertGreater(abs(wrong[1] - self.ENERGIES[1]), 0.1)
        np.testing.assert_array_equal(r.per_configuration.imag, r._part("imag", True))
        np.testing.assert_allclose(r._part("imag", False).mean(axis=0), 0, atol=0.01)

    def refused(self, result, *phrases):
        with self.assertRaises(starling.ResultError) as caught:
            result._part("real", False)
        for phrase in ("mixed.h5: ", "complex=True") + phrases:
            self.assertIn(phrase, str(caught.exception))
        result._part("real", True)

    def test_unknown_signs_are_refused(self):
        self.refused(self.result((-1, 0)), "the sign of pipi under")
        r = self.result(None)
        self.assertIsNone(r.conjugation)
        self.refused(r, "the sign of rho, pipi under", "starling export --operators")

    def test_a_single_operator_needs_no_sign(self):
        for conjugation in (None, (0,), (-1,)):
            r = self.result(conjugation, operators=("rho",))
            np.testing.assert_allclose(r.per_configuration.real, r._part("real", False), rtol=1e-15)

    def test_contradictions_are_refused(self):
        self.refused(
            self.result((1, 1)),
            "the element of sink rho and source pipi at separation 1 has the imaginary part",
            "on average over 24 configurations",
            "(rho +1, pipi +1)",
        )
        # Few configurations: 5 standard errors are no rare event.
        self.result((1, 1), count=1)._part("real", False)
        self.result((1, 1), count=2)._part("real", False)

    def test_signs_of_shards(self):
        first = self.result(None)
        self.assertIsNone(first.conjugation)
        shard = shutil.move(self.folder / "mixed.h5", self.folder / "first.h5")
        self.result()
        with h5py.File(self.folder / "mixed.h5", "a") as file:
            for number in range(1, 25):
                file.move(f"cfg_{number:04d}", f"cfg_{100 + number:04d}")
        self.assertEqual((-1, 1), starling.open(shard, self.folder / "mixed.h5").conjugation)
        with h5py.File(shard, "a") as file:
            file.attrs["conjugation"] = [1]
        with self.assertRaisesRegex(starling.ResultError, "first.h5: has 1 signs in 'conjugation' for 2"):
            starling.open(shard)

    def test_standard_errors(self):
        """As by the closed forms of 1 and 2 degrees of freedom, and by commons-math3 for others."""
        p = _result._BEYOND_NOISE
        self.assertAlmostEqual(5.733031437583878e-07, p, 18)
        known = {3: 156.6778411, 4: 56.84835349, 7: 17.10256585, 23: 6.83316223, 100: 5.34416968, 999: 5.03271743}
        for freedom, expected in known.items():
            self.assertAlmostEqual(1, _result._standard_errors(freedom) / expected, 7, freedom)
        self.assertAlmostEqual(1, _result._standard_errors(1) * np.tan(np.pi * p / 2), 7)
        self.assertAlmostEqual(1, _result._standard_errors(2) * np.sqrt(p * (1 - p / 2)) / (1 - p), 7)
        self.assertEqual(5, _result._standard_errors(20000))


if __name__ == "__main__":
    unittest.main()
