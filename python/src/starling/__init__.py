"""Reads what Starling writes: results (HDF5) and written-out definitions (JSON).

>>> import starling
>>> r = starling.open("results/a1_rhopi.h5")
>>> r.correlator.shape      # [separation, sink operator, source operator]
(8, 4, 4)

The package reads files only. It starts no program and writes nothing.
"""

from ._current import CurrentConfiguration, CurrentResult, open_currents
from ._expansion import Baryon, Expansion, Meson, Operator, Term, read_expansion
from ._files import ResultError
from ._result import Configuration, Result, open

__all__ = [
    "Baryon",
    "Configuration",
    "CurrentConfiguration",
    "CurrentResult",
    "Expansion",
    "Meson",
    "Operator",
    "Result",
    "ResultError",
    "Term",
    "open",
    "open_currents",
    "read_expansion",
]
__version__ = "0.1.0"
