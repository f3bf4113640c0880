"""Results: correlation matrices on every configuration."""

from __future__ import annotations

import math
import os
import re
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Dict, List, Optional, Tuple, Union

import h5py
import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    import gvar
    import pyerrors

ComplexArray = npt.NDArray[np.complex128]
PathLike = Union[str, "os.PathLike[str]"]

# Imaginary parts further from zero than noise is with this probability contradict the signs: 5 standard errors of a Gaussian.
_BEYOND_NOISE = math.erfc(5 / math.sqrt(2))
# Imaginary parts below this share of the diagonal elements are rounding.
_ROUNDING = 1e-10

_GROUP = re.compile(r"cfg_(\d{4,})")


class ResultError(ValueError):
    """A file is not a result, files do not belong together, or a matrix is not real. The message names the file."""


@dataclass(frozen=True)
class Configuration:
    """The numbers of one configuration.

    Attributes:
        number: the configuration's number
        sources: source times, in the order of the correlator's first axis
        correlator: C_ij(t0 + dt, t0) as [source, separation, sink operator i, source operator j]
        one_point_times: time slices of the one-point functions; empty where there are none
        one_point: <O_i(t)> as [time, operator]
    """

    number: int
    sources: Tuple[int, ...]
    correlator: ComplexArray
    one_point_times: Tuple[int, ...]
    one_point: ComplexArray


@dataclass(frozen=True)
class _Header:
    name: str
    ensemble: str
    operators: Tuple[str, ...]
    separations: Tuple[int, ...]
    definition: str


class Result:
    """One correlation matrix. `open` makes it.

    Attributes of all files are read at once, correlators when they are asked for.
    """

    def __init__(self, *paths: PathLike) -> None:
        if not paths:
            raise TypeError("a result needs at least one file")
        self._paths = [os.fspath(path) for path in paths]
        self._places: Dict[int, List[str]] = {}
        self._metadata: Dict[str, Any] = {}
        self._conjugation: Optional[Tuple[int, ...]] = None
        header: Optional[_Header] = None
        seen: Dict[Tuple[int, int], str] = {}
        sources: set[int] = set()
        for path in self._paths:
            with _open(path) as file:
                found = _header(path, file)
                if header is None:
                    header = found
                    self._metadata = _metadata(file)
                if self._conjugation is None:
                    self._conjugation = _conjugation(path, file, found)
                _check_belongs(header, self._paths[0], found, path)
                for number, group in _configurations(file):
                    self._places.setdefault(number, []).append(path)
                    for source in _integers(path, group, "source_times"):
                        if (number, source) in seen:
                            raise ResultError(
                                f"configuration {number}, source {source} is in {seen[number, source]}"
                                f" and in {path}; it would count twice"
                            )
                        seen[number, source] = path
                        sources.add(source)
        assert header is not None
        self._header = header
        self._sources = tuple(sorted(sources))

    @property
    def name(self) -> str:
        """The name of the definition."""
        return self._header.name

    @property
    def ensemble(self) -> str:
        """The name of the ensemble."""
        return self._header.ensemble

    @property
    def operators(self) -> Tuple[str, ...]:
        """The names of the operators, in the order of the matrix."""
        return self._header.operators

    @property
    def separations(self) -> Tuple[int, ...]:
        """The separations dt = t - t0 in lattice units, in the order of the correlator's axis."""
        return self._header.separations

    @property
    def configurations(self) -> Tuple[int, ...]:
        """The numbers of the configurations, ascending."""
        return tuple(sorted(self._places))

    @property
    def sources(self) -> Tuple[int, ...]:
        """The source times that occur on any configuration, ascending."""
        return self._sources

    @property
    def definition(self) -> str:
        """The text of the definition (YAML)."""
        return self._header.definition

    @property
    def temporal_extent(self) -> Optional[int]:
        """T of the lattice, where the file says it."""
        extent = self._metadata.get("temporal_extent")
        return None if extent is None else int(extent)

    @property
    def conjugation(self) -> Optional[Tuple[int, ...]]:
        """The sign of each operator under complex conjugation with parity, +1 or -1; 0 where it is not decided.

        Elements are real on average where the signs of sink and source are equal, and imaginary where they are
        opposite. None where the file does not say the signs, as results of earlier versions.
        """
        return self._conjugation

    @property
    def factors(self) -> ComplexArray:
        """The factor of each operator that makes the matrix real on average: 1, or i where its sign is -1.

        With `f = r.factors` that is `r.correlator * np.outer(f, f.conj())`. A matrix of one operator is real
        whatever its sign.

        Raises:
            ResultError: the sign of one of several operators is not known
        """
        signs = self.conjugation or (0,) * len(self.operators)
        unknown = [name for name, sign in zip(self.operators, signs) if sign not in (1, -1)]
        if unknown and len(signs) > 1:
            raise ResultError(
                f"{self._paths[0]}: the sign of {', '.join(unknown)} under complex conjugation with parity is not"
                " known: the definition does not decide it, or the file lacks it; real parts alone may then lack"
                " the mixing of the operators; take the numbers as they are (complex=True), or export a part with"
                " 'starling export --operators', which derives signs that a file lacks from its definition"
            )
        return np.array([1j if sign == -1 else 1 for sign in signs], dtype=np.complex128)

    @property
    def metadata(self) -> Dict[str, Any]:
        """All attributes of the first file, such as `runs`: what was computed where and how."""
        return dict(self._metadata)

    def index(self, operator: str) -> int:
        """The index of an operator in the matrix.

        Raises:
            KeyError: no operator has this name
        """
        if operator not in self.operators:
            raise KeyError(f"{operator!r}: the operators are {', '.join(self.operators)}")
        return self.operators.index(operator)

    def read(self, configuration: int) -> Configuration:
        """Reads everything of one configuration.

        Raises:
            KeyError: the result does not have it
        """
        if configuration not in self._places:
            raise KeyError(f"no configuration {configuration}: {self._paths[0]} has {self.configurations}")
        parts = [self._read(path, configuration) for path in self._places[configuration]]
        if len(parts) == 1:
            return parts[0]
        slices: Dict[int, ComplexArray] = {}
        for part in parts:
            slices.update(zip(part.one_point_times, part.one_point))
        sources = [source for part in parts for source in part.sources]
        order = np.argsort(sources, kind="stable")
        times = sorted(slices)
        return Configuration(
            configuration,
            tuple(sources[k] for k in order),
            np.concatenate([part.correlator for part in parts])[order],
            tuple(times),
            np.array([slices[t] for t in times], dtype=np.complex128).reshape(len(times), len(self.operators)),
        )

    def _read(self, path: str, number: int) -> Configuration:
        n = len(self.operators)
        with _open(path) as file:
            group = dict(_configurations(file))[number]
            sources = _integers(path, group, "source_times")
            correlator = _complex(path, group, "correlator", (len(sources), len(self.separations), n, n))
            times: Tuple[int, ...] = ()
            one_point = np.zeros((0, n), dtype=np.complex128)
            if "vev" in group:
                times = _integers(path, group["vev"], "times")
                one_point = _complex(path, group, "vev", (len(times), n))
        return Configuration(number, sources, correlator, times, one_point)

    @cached_property
    def _sums(self) -> Tuple[ComplexArray, npt.NDArray[np.int64], Optional[ComplexArray]]:
        n = len(self.operators)
        numbers = self.configurations
        sums = np.zeros((len(numbers), len(self.separations), n, n), dtype=np.complex128)
        counts = np.zeros(len(numbers), dtype=np.int64)
        one_point = np.zeros((len(numbers), n), dtype=np.complex128)
        complete = len(numbers) > 0
        for k, number in enumerate(numbers):
            read = self.read(number)
            sums[k] = read.correlator.sum(axis=0)
            counts[k] = len(read.sources)
            if read.one_point_times:
                one_point[k] = read.one_point.mean(axis=0)
            else:
                complete = False
        return sums, counts, one_point if complete else None

    @property
    def correlator(self) -> ComplexArray:
        """The average, as [separation, sink operator, source operator].

        Every pair of configuration and source has the same weight. The vacuum is not subtracted.
        """
        sums, counts, _ = self._sums
        if counts.sum() == 0:
            raise ResultError(f"{self._paths[0]}: holds no configuration; has the run finished one?")
        average: ComplexArray = sums.sum(axis=0) / counts.sum()
        return average

    @property
    def per_configuration(self) -> ComplexArray:
        """Averages over the sources of each configuration, as [configuration, separation, sink, source]."""
        sums, counts, _ = self._sums
        averages: ComplexArray = sums / counts[:, np.newaxis, np.newaxis, np.newaxis]
        return averages

    @property
    def one_point(self) -> Optional[ComplexArray]:
        """One-point functions, averaged over time slices, as [configuration, operator].

        None where some configuration has none. `read` has them at every time.
        """
        one_point = self._sums[2]
        return None if one_point is None else one_point.copy()

    def to_pyerrors(
        self,
        part: str = "real",
        complex: bool = False,  # noqa: A002 - as the option of starling export
    ) -> "pyerrors.Corr":
        """A `pyerrors.Corr` of the real or of the imaginary part, for which pyerrors must be installed.

        Operators are multiplied by `factors`, so that the real part is the whole matrix. Slices without a
        separation are undefined. pyerrors needs at least five configurations.

        Args:
            part: "real" or "imag"
            complex: take the numbers as they are; then both parts make up the matrix

        Raises:
            ResultError: the sign of one of several operators is not known, or the data contradict the signs
        """
        import pyerrors

        values = self._part(part, complex)
        n = len(self.operators)
        slices = max(self.separations[-1] + 1, self.temporal_extent or 0)
        ensemble = self.ensemble.replace("|", "_")
        content: List[Any] = [None] * slices
        for k, dt in enumerate(self.separations):
            elements = np.empty((n, n), dtype=object)
            for i in range(n):
                for j in range(n):
                    elements[i, j] = pyerrors.Obs(
                        [values[:, k, i, j]], [ensemble], idl=[list(self.configurations)]
                    )
            content[dt] = elements[0, 0] if n == 1 else elements
        corr = pyerrors.Corr(content)
        corr.tag = f"{self.name} {'re' if part == 'real' else 'im'}"
        return corr

    def to_gvar(
        self,
        part: str = "real",
        complex: bool = False,  # noqa: A002 - as the option of starling export
    ) -> "npt.NDArray[Any]":
        """Means and their covariance as `gvar.GVar`s [separation, sink, source]; gvar must be installed.

        Operators are multiplied by `factors`, so that the real part is the whole matrix.

        Args:
            part: "real" or "imag"
            complex: take the numbers as they are; then both parts make up the matrix

        Raises:
            ResultError: the sign of one of several operators is not known, or the data contradict the signs
        """
        import gvar

        averages: npt.NDArray[Any] = gvar.dataset.avg_data(self._part(part, complex))
        return averages

    def _part(self, part: str, complex: bool) -> npt.NDArray[np.float64]:  # noqa: A002
        if part not in ("real", "imag"):
            raise ValueError(f"part must be 'real' or 'imag': {part!r}")
        values = self.per_configuration
        if not complex:
            factors = self.factors
            values = values * np.outer(factors, factors.conj())
            self._check_real(values)
        return np.ascontiguousarray(values.real if part == "real" else values.imag)

    def _check_real(self, values: ComplexArray) -> None:
        """Refuses imaginary parts beyond 5 standard errors, or as improbable ones where configurations are few."""
        count = len(values)
        if count < 2:
            return
        mean = values.mean(axis=0)
        diagonal = np.abs(np.diagonal(mean, axis1=1, axis2=2))
        scale = np.sqrt(diagonal[:, :, np.newaxis] * diagonal[:, np.newaxis, :])
        error = values.imag.std(axis=0, ddof=1) / math.sqrt(count)
        size = np.abs(mean.imag)
        beyond = (size > _standard_errors(count - 1) * error) & (size > _ROUNDING * scale)
        if not beyond.any():
            return
        t, i, j = (int(k) for k in np.argwhere(beyond)[0])
        signs = self.conjugation or (0,)
        texts = (f"{self.operators[k]} {f'{signs[k]:+d}' if signs[k] else 'of any sign'}" for k in sorted({i, j}))
        raise ResultError(
            f"{self._paths[0]}: the element of sink {self.operators[i]} and source {self.operators[j]} at separation"
            f" {self.separations[t]} has the imaginary part {mean[t, i, j].imag:.4g} +- {error[t, i, j]:.2g} on"
            f" average over {count} configurations, which would be noise with the signs under complex conjugation"
            f" with parity ({', '.join(texts)}); take the numbers as they are with complex=True"
        )

    def __repr__(self) -> str:
        return (
            f"<starling.Result {self.name} on {self.ensemble}: {len(self.operators)} operators,"
            f" {len(self.separations)} separations, {len(self._places)} configurations>"
        )


def open(*paths: PathLike) -> Result:  # noqa: A001 - starling.open is the name that reads well
    """Opens a result: one file, or several files of one definition and ensemble.

    Raises:
        ResultError: a file is not a result, or files do not belong together
        FileNotFoundError: there is no such file
    """
    return Result(*paths)


def _open(path: str) -> h5py.File:
    try:
        return h5py.File(path, "r")
    except FileNotFoundError:
        raise FileNotFoundError(f"{path}: no such file") from None
    except OSError as error:
        raise ResultError(f"{path}: is not a readable HDF5 file: {error}") from None


def _header(path: str, file: h5py.File) -> _Header:
    attributes = file.attrs
    if _plain(attributes.get("format")) == "three-point":
        raise ResultError(f"{path}: holds three-point functions; open it with starling.open_currents")
    if _plain(attributes.get("format")) != "correlator":
        raise ResultError(f"{path}: is not a result: its attribute 'format' is not 'correlator'")
    if _plain(attributes.get("format_version")) != 1:
        raise ResultError(
            f"{path}: has format version {_plain(attributes.get('format_version'))}, expected 1"
        )
    for key in ("name", "ensemble"):
        if key not in attributes:
            raise ResultError(f"{path}: lacks the attribute '{key}'")
    operators = tuple(str(_plain(name)) for name in _list(path, file, "operators"))
    separations: Tuple[int, ...] = ()
    for _, group in _configurations(file):
        found = _integers(path, group, "separations")
        if separations and found != separations:
            raise ResultError(f"{path}: separations differ between configurations")
        separations = found
    return _Header(
        str(_plain(attributes["name"])),
        str(_plain(attributes["ensemble"])),
        operators,
        separations,
        str(_plain(attributes.get("definition", ""))),
    )


def _standard_errors(freedom: int) -> float:
    """Standard errors beyond which a mean of `freedom` + 1 numbers is as improbable as 5 of a Gaussian.

    Solves P(|t| > x) = _BEYOND_NOISE by bisection, with the finite sums of Abramowitz and Stegun 26.7.3 and
    26.7.4 for Student's t. Beyond 10000 x is 5 to 0.1 %.
    """
    if freedom > 10000:
        return 5.0
    low, high = 5.0, 1.2e6
    while high - low > 1e-9 * high:
        middle = (low + high) / 2
        if _probability_beyond(middle, freedom) > _BEYOND_NOISE:
            low = middle
        else:
            high = middle
    return high


def _probability_beyond(x: float, freedom: int) -> float:
    """P(|t| > x) of Student's t distribution."""
    angle = math.atan(x / math.sqrt(freedom))
    cosine, sine = math.cos(angle), math.sin(angle)
    odd = freedom % 2
    term = cosine if odd else 1.0
    total = 0.0
    for k in range(1 + odd, freedom, 2):
        total += term
        term *= cosine * cosine * k / (k + 1)
    within = 2 / math.pi * (angle + sine * total) if odd else sine * total
    return 1 - within


def _check_belongs(header: _Header, first: str, found: _Header, path: str) -> None:
    for key in ("name", "ensemble", "operators", "separations"):
        if getattr(header, key) != getattr(found, key):
            raise ResultError(
                f"{path} does not belong to {first}: its {key} {getattr(found, key)!r} differ from"
                f" {getattr(header, key)!r}"
            )


def _configurations(file: h5py.File) -> List[Tuple[int, h5py.Group]]:
    found = []
    for name in file:
        match = _GROUP.fullmatch(name)
        if match:
            found.append((int(match.group(1)), file[name]))
    return sorted(found, key=lambda entry: entry[0])


def _list(path: str, place: h5py.HLObject, name: str) -> npt.NDArray[Any]:
    """A list: an attribute, or, where it is longer than 64 KiB, a data set of the group."""
    if name in place.attrs:
        return np.atleast_1d(place.attrs[name])
    if isinstance(place, h5py.Group) and isinstance(place.get(name), h5py.Dataset):
        return np.atleast_1d(place[name][...])
    raise ResultError(f"{path}: '{place.name}' lacks the attribute '{name}'")


def _integers(path: str, place: h5py.HLObject, name: str) -> Tuple[int, ...]:
    return tuple(int(value) for value in _list(path, place, name))


def _conjugation(path: str, file: h5py.File, header: _Header) -> Optional[Tuple[int, ...]]:
    if "conjugation" not in file.attrs and "conjugation" not in file:
        return None
    signs = _integers(path, file, "conjugation")
    if len(signs) != len(header.operators):
        raise ResultError(f"{path}: has {len(signs)} signs in 'conjugation' for {len(header.operators)} operators")
    return signs


def _metadata(file: h5py.File) -> Dict[str, Any]:
    metadata = {key: _plain(value) for key, value in file.attrs.items()}
    for name, item in file.items():
        if isinstance(item, h5py.Dataset):
            metadata[name] = _plain(item[...])
    return metadata


def _complex(path: str, group: h5py.Group, name: str, shape: Tuple[int, ...]) -> ComplexArray:
    if name not in group or not isinstance(group[name], h5py.Dataset):
        raise ResultError(f"{path}: '{group.name}' lacks the data set '{name}'")
    dataset = group[name]
    if dataset.shape != shape or dataset.dtype.kind != "c":
        raise ResultError(
            f"{path}: '{dataset.name}': expected complex numbers of shape {shape}, found"
            f" {dataset.dtype} of shape {dataset.shape}"
        )
    values: ComplexArray = dataset[...].astype(np.complex128)
    return values


def _plain(value: Any) -> Any:
    """Attributes as Python's own strings, integers and lists."""
    if isinstance(value, bytes):
        return value.decode()
    if isinstance(value, np.ndarray):
        return [_plain(entry) for entry in value.tolist()]
    if isinstance(value, np.generic):
        return value.item()
    return value
