"""Definitions written out in quark bilinears and baryon factors."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from typing import Any, Dict, List, Optional, Tuple, Union

Momentum = Tuple[int, int, int]


@dataclass(frozen=True)
class Meson:
    """A quark bilinear: bar Gamma D quark at a momentum n (p = 2 pi n / L)."""

    bar: str
    gamma: str
    quark: str
    momentum: Momentum
    displacement: str = "none"


@dataclass(frozen=True)
class Baryon:
    """(q1 C Gamma q2) q3 at a momentum, projected to parity and a spin component counted from 1.

    `basis` is the spin basis of the component where it is not the default.
    """

    quarks: Tuple[str, str, str]
    diquark: str
    parity: str
    component: int
    momentum: Momentum
    basis: Optional[str] = None


@dataclass(frozen=True)
class Term:
    """A coefficient times a product of baryons and mesons."""

    coefficient: complex
    baryons: Tuple[Baryon, ...]
    mesons: Tuple[Meson, ...]


@dataclass(frozen=True)
class Operator:
    """A sum of terms."""

    name: str
    terms: Tuple[Term, ...]


@dataclass(frozen=True)
class Expansion:
    """A definition written out.

    Attributes:
        name: the name of the definition
        isospin: I and I3 as texts such as "1/2"; None where the definition does not state them
        momentum: the total momentum
        irrep: the lattice irrep; None where there is none
        row: the row of the irrep; None for one dimension
        quarks: flavour to perambulator label
        one_point: whether one-point functions are computed
        operators: the operators, in the order of the correlation matrix
    """

    name: str
    isospin: Optional[Tuple[str, str]]
    momentum: Momentum
    irrep: Optional[str]
    row: Optional[str]
    quarks: Dict[str, str]
    one_point: bool
    operators: Tuple[Operator, ...]

    def operator(self, name: str) -> Operator:
        """The operator of a name.

        Raises:
            KeyError: there is none
        """
        for operator in self.operators:
            if operator.name == name:
                return operator
        raise KeyError(f"{name!r}: the operators are {', '.join(o.name for o in self.operators)}")


def read_expansion(source: Union[str, "os.PathLike[str]"]) -> Expansion:
    """Reads the JSON that `starling expand DEFINITION --json` prints.

    Args:
        source: a file, or the JSON text itself

    Raises:
        ValueError: it is not such JSON
    """
    if isinstance(source, str) and source.lstrip().startswith("{"):
        text, where = source, "the text"
    else:
        where = os.fspath(source)
        with open(where, encoding="utf-8") as file:
            text = file.read()
    try:
        return _expansion(json.loads(text))
    except (json.JSONDecodeError, KeyError, TypeError) as error:
        raise ValueError(
            f"{where}: expected the JSON of `starling expand --json`: {type(error).__name__} {error}"
        ) from error


def _expansion(node: Dict[str, Any]) -> Expansion:
    isospin = node.get("isospin")
    return Expansion(
        name=node["name"],
        isospin=None if isospin is None else (isospin[0], isospin[1]),
        momentum=_momentum(node["momentum"]),
        irrep=node.get("irrep"),
        row=node.get("row"),
        quarks=dict(node["quarks"]),
        one_point=bool(node["vev"]),
        operators=tuple(
            Operator(operator["name"], tuple(_term(term) for term in operator["terms"]))
            for operator in node["operators"]
        ),
    )


def _term(node: Dict[str, Any]) -> Term:
    re, im = node["coefficient"]
    return Term(
        complex(re, im),
        tuple(
            Baryon(
                (b["quarks"][0], b["quarks"][1], b["quarks"][2]),
                b["diquark"],
                b["parity"],
                b["component"],
                _momentum(b["momentum"]),
                b.get("basis"),
            )
            for b in node.get("baryons", [])
        ),
        tuple(
            Meson(
                m["bar"],
                m["gamma"],
                m["quark"],
                _momentum(m["momentum"]),
                m.get("displacement", "none"),
            )
            for m in node.get("mesons", [])
        ),
    )


def _momentum(values: List[int]) -> Momentum:
    x, y, z = values
    return (x, y, z)
