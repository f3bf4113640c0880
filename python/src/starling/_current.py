"""Results of three-point functions: C_ij(t_f, t, t_i) of currents on every configuration."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any, Dict, List, Mapping, Optional, Tuple

import h5py
import numpy as np

from ._result import (
    ComplexArray,
    PathLike,
    ResultError,
    _complex,
    _configurations,
    _integers,
    _list,
    _metadata,
    _open,
    _plain,
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


@dataclass(frozen=True)
class _Header:
    name: str
    ensemble: str
    definition: str
    sink_operators: Tuple[str, ...]
    source_operators: Tuple[str, ...]
    insertions: Tuple[str, ...]


class CurrentResult:
    """Three-point functions of one definition. `open_currents` makes it.

    Attributes of all files are read at once, numbers when they are asked for.
    """

    def __init__(self, *paths: PathLike) -> None:
        if not paths:
            raise TypeError("a result needs at least one file")
        self._paths = [os.fspath(path) for path in paths]
        self._places: Dict[int, List[str]] = {}
        self._axes: Dict[str, Tuple[int, ...]] = {}
        self._metadata: Dict[str, Any] = {}
        header: Optional[_Header] = None
        seen: Dict[Tuple[int, int], str] = {}
        for path in self._paths:
            with _open(path) as file:
                found = _current_header(path, file)
                if header is None:
                    header = found
                    self._metadata = _metadata(file)
                if found != header:
                    raise ResultError(
                        f"{path} does not belong to {self._paths[0]}: definition, ensemble, operators or insertions differ"
                    )
                for number, group in _configurations(file):
                    for axis in ("separations", "insertion_separations"):
                        values = _integers(path, group, axis)
                        if self._axes.setdefault(axis, values) != values:
                            raise ResultError(
                                f"{path}: '{group.name}' has the {axis} {values}, expected {self._axes[axis]} as for"
                                " the other configurations"
                            )
                    self._places.setdefault(number, []).append(path)
                    for source in _integers(path, group, "source_times"):
                        if (number, source) in seen:
                            raise ResultError(
                                f"configuration {number}, source {source} is in {seen[number, source]}"
                                f" and in {path}; it would count twice"
                            )
                        seen[number, source] = path
        assert header is not None
        self._header = header
        self._sources = tuple(sorted({source for _, source in seen}))

    @property
    def name(self) -> str:
        """The name of the definition."""
        return self._header.name

    @property
    def ensemble(self) -> str:
        """The name of the ensemble."""
        return self._header.ensemble

    @property
    def definition(self) -> str:
        """The text of the definition (YAML)."""
        return self._header.definition

    @property
    def sink_operators(self) -> Tuple[str, ...]:
        """The names of the operators of the sink."""
        return self._header.sink_operators

    @property
    def source_operators(self) -> Tuple[str, ...]:
        """The names of the operators of the source."""
        return self._header.source_operators

    @property
    def insertions(self) -> Tuple[str, ...]:
        """The names of the insertions."""
        return self._header.insertions

    @property
    def separations(self) -> Tuple[int, ...]:
        """t_f - t_i in lattice units, in the order of the axis."""
        return self._axes.get("separations", ())

    @property
    def insertion_separations(self) -> Tuple[int, ...]:
        """t - t_i modulo T in lattice units, in the order of the axis."""
        return self._axes.get("insertion_separations", ())

    @property
    def configurations(self) -> Tuple[int, ...]:
        """The numbers of the configurations, ascending."""
        return tuple(sorted(self._places))

    @property
    def sources(self) -> Tuple[int, ...]:
        """The source times that occur on any configuration, ascending."""
        return self._sources

    @property
    def metadata(self) -> Dict[str, Any]:
        """All attributes of the first file."""
        return dict(self._metadata)

    def read(self, configuration: int) -> CurrentConfiguration:
        """Reads everything of one configuration, its sources ascending.

        Raises:
            KeyError: the result does not have it
        """
        if configuration not in self._places:
            raise KeyError(f"no configuration {configuration}: {self._paths[0]} has {self.configurations}")
        parts = [self._read(path, configuration) for path in self._places[configuration]]
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
        with _open(path) as file:
            group = dict(_configurations(file))[number]
            sources = _integers(path, group, "source_times")
            outer = (len(sources), len(self.separations))
            full = outer + (len(self.insertion_separations),) + shape
            connected, disconnected, current = {}, {}, {}
            for name in self.insertions:
                connected[name] = _complex(path, group, f"insertion/{name}/connected", full)
                if f"insertion/{name}/disconnected" in group:
                    disconnected[name] = _complex(path, group, f"insertion/{name}/disconnected", full)
                if f"current/{name}" in group:
                    times = _integers(path, group[f"current/{name}"], "times")
                    current[name] = _complex(path, group, f"current/{name}", (len(times),))
            two_point = _complex(path, group, "two_point", outer + shape)
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
            raise ResultError(f"{self._paths[0]}: holds no configuration; has the run finished one?")
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


def _current_header(path: str, file: h5py.File) -> _Header:
    attributes = file.attrs
    if _plain(attributes.get("format")) != "three-point":
        raise ResultError(f"{path}: is no result of three-point functions: its attribute 'format' is not 'three-point'")
    if _plain(attributes.get("format_version")) != 1:
        raise ResultError(f"{path}: has format version {_plain(attributes.get('format_version'))}, expected 1")
    for key in ("name", "ensemble"):
        if key not in attributes:
            raise ResultError(f"{path}: lacks the attribute '{key}'")

    def names(key: str) -> Tuple[str, ...]:
        return tuple(str(_plain(name)) for name in _list(path, file, key))

    return _Header(
        str(_plain(attributes["name"])),
        str(_plain(attributes["ensemble"])),
        str(_plain(attributes.get("definition", ""))),
        names("sink_operators"),
        names("source_operators"),
        names("insertions"),
    )
