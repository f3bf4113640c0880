"""Definitions written out."""

import unittest
from pathlib import Path

import starling

EXPANSION = Path(__file__).with_name("a1_rhopi.json")


class ExpansionTest(unittest.TestCase):
    def test_mesons(self):
        e = starling.read_expansion(EXPANSION)
        self.assertEqual("a1_rhopi", e.name)
        self.assertEqual((("1", "-1"), (0, 0, 0), "T1+", "z"), (e.isospin, e.momentum, e.irrep, e.row))
        self.assertEqual({"u": "light", "d": "light", "s": "strange"}, e.quarks)
        self.assertFalse(e.one_point)
        self.assertEqual(4, len(e.operators))
        a1 = e.operator("a1")
        self.assertEqual(1, len(a1.terms))
        self.assertEqual(-1, a1.terms[0].coefficient)
        self.assertEqual((starling.Meson("u", "g3g5", "d", (0, 0, 0)),), a1.terms[0].mesons)
        self.assertEqual((), a1.terms[0].baryons)
        self.assertEqual(e, starling.read_expansion(EXPANSION.read_text()))

    def test_baryons_and_displacements(self):
        e = starling.read_expansion(
            """{"name": "x", "momentum": [0, 0, 1], "quarks": {"u": "l"}, "vev": true, "allow_zero": false,
            "operators": [{"name": "o", "terms": [{"coefficient": [0.5, -2.0],
            "baryons": [{"quarks": ["u", "d", "s"], "diquark": "Cg5", "parity": "minus", "component": 2,
                         "basis": "data", "momentum": [0, 0, 1]}],
            "mesons": [{"bar": "u", "gamma": "1", "quark": "d", "momentum": [0, 1, 0],
                        "displacement": "nabla_x"}]}]}]}"""
        )
        self.assertEqual((None, None, None, True), (e.isospin, e.irrep, e.row, e.one_point))
        term = e.operator("o").terms[0]
        self.assertEqual(0.5 - 2j, term.coefficient)
        self.assertEqual(
            (starling.Baryon(("u", "d", "s"), "Cg5", "minus", 2, (0, 0, 1), "data"),), term.baryons
        )
        self.assertEqual("nabla_x", term.mesons[0].displacement)

    def test_messages(self):
        for text in ("{", "{}", '{"name": "x", "momentum": 1}'):
            with self.assertRaisesRegex(ValueError, "expected the JSON of `starling expand --json`"):
                starling.read_expansion(text)
        with self.assertRaisesRegex(KeyError, "the operators are a1, rhopi_000"):
            starling.read_expansion(EXPANSION).operator("x")


if __name__ == "__main__":
    unittest.main()
