"""What results of all kinds have in common: files of one definition and ensemble, configurations and sources."""

from __future__ import annotations

import os
import re
from typing import Any, Dict, List, Tuple, Union

import h5py
import numpy as np
import numpy.typing as npt

ComplexArray = npt.NDArray[np.complex128]
PathLike = Union[str, "os.PathLike[str]"]

_GROUP = re.compile(r"cfg_(\d{4,})")


class ResultError(ValueError):
    """A file is not a result, files do not belong together, or a matrix is not real. The message names the file."""


class Files:
    """Results of one definition in one or several files.

    Attributes of all files are read at once, numbers when they are asked for.
    """

    def __init__(self, *paths: PathLike) -> None:
        if not paths:
            raise TypeError("a result needs at least one file")
        self._paths = [os.fspath(path) for path in paths]
        self._places: Dict[int, List[str]] = {}
        self._metadata: Dict[str, Any] = {}
        self._header: Dict[str, Any] = {}
        seen: Dict[Tuple[int, int], str] = {}
        for path in self._paths:
            with open_file(path) as file:
                found = self._read_header(path, file)
                if not self._header:
                    self._metadata = _metadata(file)
                for key, value in found.items():
                    # A file without configurations has no axes.
                    before = self._header.get(key) or value
                    if value and value != before:
                        raise ResultError(
                            f"{path} does not belong to {self._paths[0]}: its {key} {value!r} differ from {before!r}"
                        )
                    self._header[key] = before
                for number, group in configurations(file):
                    self._places.setdefault(number, []).append(path)
                    for source in integers(path, group, "source_times"):
                        if (number, source) in seen:
                            raise ResultError(
                                f"configuration {number}, source {source} is in {seen[number, source]}"
                                f" and in {path}; it would count twice"
                            )
                        seen[number, source] = path
        self._sources = tuple(sorted({source for _, source in seen}))

    def _read_header(self, path: str, file: h5py.File) -> Dict[str, Any]:
        """What all files must have in common."""
        raise NotImplementedError

    @property
    def name(self) -> str:
        """The name of the definition."""
        return str(self._header["name"])

    @property
    def ensemble(self) -> str:
        """The name of the ensemble."""
        return str(self._header["ensemble"])

    @property
    def definition(self) -> str:
        """The text of the definition (YAML)."""
        return str(plain(self._metadata.get("definition", "")))

    @property
    def separations(self) -> Tuple[int, ...]:
        """The separations of sink and source in lattice units, in the order of the axis."""
        return tuple(self._header["separations"])

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
        """All attributes of the first file, such as `runs`: what was computed where and how."""
        return dict(self._metadata)

    def _files_of(self, configuration: int) -> List[str]:
        if configuration not in self._places:
            raise KeyError(f"no configuration {configuration}: {self._paths[0]} has {self.configurations}")
        return self._places[configuration]

    def _empty(self) -> ResultError:
        return ResultError(f"{self._paths[0]}: holds no configuration; has the run finished one?")


def open_file(path: str) -> h5py.File:
    """An HDF5 file to read."""
    try:
        return h5py.File(path, "r")
    except FileNotFoundError:
        raise FileNotFoundError(f"{path}: no such file") from None
    except OSError as error:
        raise ResultError(f"{path}: is not a readable HDF5 file: {error}") from None


def header(path: str, file: h5py.File, lists: Tuple[str, ...], axes: Tuple[str, ...]) -> Dict[str, Any]:
    """Name, ensemble, lists of names, and axes that all configurations must have in common."""
    attributes = file.attrs
    version = plain(attributes.get("format_version"))
    if version != 1:
        raise ResultError(f"{path}: has format version {version}, expected 1")
    found: Dict[str, Any] = {}
    for key in ("name", "ensemble"):
        if key not in attributes:
            raise ResultError(f"{path}: lacks the attribute '{key}'")
        found[key] = str(plain(attributes[key]))
    for key in lists:
        found[key] = tuple(str(plain(name)) for name in entries(path, file, key))
    for axis in axes:
        found[axis] = ()
        for _, group in configurations(file):
            values = integers(path, group, axis)
            if found[axis] and values != found[axis]:
                raise ResultError(f"{path}: '{group.name}' has the {axis} {values}, others have {found[axis]}")
            found[axis] = values
    return found


def configurations(file: h5py.File) -> List[Tuple[int, h5py.Group]]:
    """The configurations of a file by ascending number."""
    found = []
    for name in file:
        match = _GROUP.fullmatch(name)
        if match:
            found.append((int(match.group(1)), file[name]))
    return sorted(found, key=lambda entry: entry[0])


def entries(path: str, place: h5py.HLObject, name: str) -> npt.NDArray[Any]:
    """A list: an attribute, or, where it is longer than 64 KiB, a data set of the group."""
    if name in place.attrs:
        return np.atleast_1d(place.attrs[name])
    if isinstance(place, h5py.Group) and isinstance(place.get(name), h5py.Dataset):
        return np.atleast_1d(place[name][...])
    raise ResultError(f"{path}: '{place.name}' lacks the attribute '{name}'")


def integers(path: str, place: h5py.HLObject, name: str) -> Tuple[int, ...]:
    """A list of integers."""
    return tuple(int(value) for value in entries(path, place, name))


def _metadata(file: h5py.File) -> Dict[str, Any]:
    metadata = {key: plain(value) for key, value in file.attrs.items()}
    for name, item in file.items():
        if isinstance(item, h5py.Dataset):
            metadata[name] = plain(item[...])
    return metadata


def complex_numbers(path: str, group: h5py.Group, name: str, shape: Tuple[int, ...]) -> ComplexArray:
    """A data set of complex numbers."""
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


def plain(value: Any) -> Any:
    """Attributes as Python's own strings, integers and lists."""
    if isinstance(value, bytes):
        return value.decode()
    if isinstance(value, np.ndarray):
        return [plain(entry) for entry in value.tolist()]
    if isinstance(value, np.generic):
        return value.item()
    return value
