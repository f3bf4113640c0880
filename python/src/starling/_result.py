"""Results: correlation matrices on every configuration."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Dict, List, Optional, Tuple

import h5py
import numpy as np
import numpy.typing as npt

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

if TYPE_CHECKING:
    import gvar
    import pyerrors

# Imaginary parts further from zero than noise is with this probability contradict the signs: 5 standard errors of a Gaussian.
_BEYOND_NOISE = math.erfc(5 / math.sqrt(2))
# Imaginary parts below this share of the diagonal elements are rounding.
_ROUNDING = 1e-10

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


class Result(Files):
    """One correlation matrix. `open` makes it."""

    def __init__(self, *paths: PathLike) -> None:
        self._conjugation: Optional[Tuple[int, ...]] = None
        super().__init__(*paths)

    def _read_header(self, path: str, file: h5py.File) -> Dict[str, Any]:
        kind = plain(file.attrs.get("format"))
        if kind == "three-point":
            raise ResultError(f"{path}: holds three-point functions; open it with starling.open_currents")
        if kind != "correlator":
            raise ResultError(f"{path}: is not a result: its attribute 'format' is not 'correlator'")
        found = header(path, file, ("operators",), ("separations",))
        if self._conjugation is None and ("conjugation" in file.attrs or "conjugation" in file):
            signs = integers(path, file, "conjugation")
            if len(signs) != len(found["operators"]):
                raise ResultError(
                    f"{path}: has {len(signs)} signs in 'conjugation' for {len(found['operators'])} operators"
                )
            self._conjugation = signs
        return found

    @property
    def operators(self) -> Tuple[str, ...]:
        """The names of the operators, in the order of the matrix."""
        return tuple(self._header["operators"])

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
        parts = [self._read(path, configuration) for path in self._files_of(configuration)]
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
        with open_file(path) as file:
            group = dict(configurations(file))[number]
            sources = integers(path, group, "source_times")
            correlator = complex_numbers(path, group, "correlator", (len(sources), len(self.separations), n, n))
            times: Tuple[int, ...] = ()
            one_point = np.zeros((0, n), dtype=np.complex128)
            if "vev" in group:
                times = integers(path, group["vev"], "times")
                one_point = complex_numbers(path, group, "vev", (len(times), n))
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
            raise self._empty()
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
