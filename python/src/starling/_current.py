"""Results of three-point functions: C_ij(t_f, t, t_i) of currents on every configuration."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Dict, Mapping, Tuple

import h5py
import numpy as np

from ._files import (
    ComplexArray,
    Files,
    PathLike,
    ResultError,
    complex_numbers,
    configurations,
    header,
    integers,
    open_file,
    plain,
)


@dataclass(frozen=True)
class CurrentConfiguration:
    """The numbers of one configuration.

    Attributes:
        number: the configuration's number
        sources: source times t_i, in the order of the first axes
        connected: of each insertion, [source, separation, insertion separation, sink operator, source operator]
        disconnected: the same; only insertions with loops
        current: J_1(t) as [time]; only insertions with loops
        two_point: <O_i(t_f) O_j(t_i)^+> as [source, separation, sink operator, source operator]
    """

    number: int
    sources: Tuple[int, ...]
    connected: Mapping[str, ComplexArray]
    disconnected: Mapping[str, ComplexArray]
    current: Mapping[str, ComplexArray]
    two_point: ComplexArray


class CurrentResult(Files):
    """Three-point functions of one definition. `open_currents` makes it."""

    def _read_header(self, path: str, file: h5py.File) -> Dict[str, Any]:
        if plain(file.attrs.get("format")) != "three-point":
            raise ResultError(
                f"{path}: is no result of three-point functions: its attribute 'format' is not 'three-point'"
            )
        lists = ("sink_operators", "source_operators", "insertions")
        found = header(path, file, lists, ("separations", "insertion_separations"))
        found["definition"] = str(plain(file.attrs.get("definition", "")))
        return found

    @property
    def sink_operators(self) -> Tuple[str, ...]:
        """The names of the operators of the sink."""
        return tuple(self._header["sink_operators"])

    @property
    def source_operators(self) -> Tuple[str, ...]:
        """The names of the operators of the source."""
        return tuple(self._header["source_operators"])

    @property
    def insertions(self) -> Tuple[str, ...]:
        """The names of the insertions."""
        return tuple(self._header["insertions"])

    @property
    def insertion_separations(self) -> Tuple[int, ...]:
        """t - t_i modulo T in lattice units, in the order of the axis."""
        return tuple(self._header["insertion_separations"])

    def read(self, configuration: int) -> CurrentConfiguration:
        """Reads everything of one configuration, its sources ascending.

        Raises:
            KeyError: the result does not have it
        """
        parts = [self._read(path, configuration) for path in self._files_of(configuration)]
        sources = [source for part in parts for source in part.sources]
        order = np.argsort(sources, kind="stable")

        def joined(kind: str) -> Dict[str, ComplexArray]:
            return {
                name: np.concatenate([getattr(part, kind)[name] for part in parts])[order]
                for name in getattr(parts[0], kind)
            }

        return CurrentConfiguration(
            configuration,
            tuple(sources[k] for k in order),
            joined("connected"),
            joined("disconnected"),
            parts[0].current,
            np.concatenate([part.two_point for part in parts])[order],
        )

    def _read(self, path: str, number: int) -> CurrentConfiguration:
        shape = (len(self.sink_operators), len(self.source_operators))
        with open_file(path) as file:
            group = dict(configurations(file))[number]
            sources = integers(path, group, "source_times")
            outer = (len(sources), len(self.separations))
            full = outer + (len(self.insertion_separations),) + shape
            connected, disconnected, current = {}, {}, {}
            for name in self.insertions:
                connected[name] = complex_numbers(path, group, f"insertion/{name}/connected", full)
                if f"insertion/{name}/disconnected" in group:
                    disconnected[name] = complex_numbers(path, group, f"insertion/{name}/disconnected", full)
                if f"current/{name}" in group:
                    times = integers(path, group[f"current/{name}"], "times")
                    current[name] = complex_numbers(path, group, f"current/{name}", (len(times),))
            two_point = complex_numbers(path, group, "two_point", outer + shape)
        return CurrentConfiguration(number, sources, connected, disconnected, current, two_point)

    def per_configuration(self, insertion: str, part: str = "connected") -> ComplexArray:
        """Averages over the sources of each configuration, as [configuration, separation, insertion separation, sink, source].

        Args:
            insertion: its name
            part: "connected", or "disconnected" where the insertion has loops; from these the vacuum is not subtracted

        Raises:
            KeyError: no insertion has this name, or it lacks the part
        """
        if part not in ("connected", "disconnected"):
            raise ValueError(f"part must be 'connected' or 'disconnected': {part!r}")
        if insertion not in self.insertions:
            raise KeyError(f"{insertion!r}: the insertions are {', '.join(self.insertions)}")
        averages = []
        for number in self.configurations:
            numbers = getattr(self.read(number), part)
            if insertion not in numbers:
                raise KeyError(f"{insertion!r} has no {part} part on configuration {number}")
            averages.append(numbers[insertion].mean(axis=0))
        if not averages:
            raise self._empty()
        return np.array(averages, dtype=np.complex128)

    def __repr__(self) -> str:
        return (
            f"<starling.CurrentResult {self.name} on {self.ensemble}: {len(self.insertions)} insertions,"
            f" {len(self.sink_operators)} x {len(self.source_operators)} operators,"
            f" {len(self.separations)} separations, {len(self._places)} configurations>"
        )


def open_currents(*paths: PathLike) -> CurrentResult:
    """Opens a result of three-point functions: one file, or several files of one definition and ensemble.

    Raises:
        ResultError: a file is not such a result, or files do not belong together
        FileNotFoundError: there is no such file
    """
    return CurrentResult(*paths)
