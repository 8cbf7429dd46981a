"""Multibody dynamics in Hamilton's canonical form.

SI units and radians throughout; arrays are float64, time or the batch axis first.

>>> import hamiltree as ht
>>> model = ht.load("mechanisms/four_bar/model.toml")
>>> run = ht.simulate(model, until=10.0)
>>> run.energy.relative_error.max()
"""

from . import _native
from ._native import *
from ._native import __version__
from .errors import (
    HamiltreeError,
    ModelError,
    SimulationError,
    UsageError,
)
from .functions import functions_of
from .gradient import Gradient, LeastSquares, gradient
from .model import Model, load, load_looks
from .recording import (
    Energies,
    Reaction,
    Recording,
    show_modes,
)
from .simulation import (
    Simulation,
    simulate,
    simulate_batch,
)
from .sweep import Sweep, sweep

globals().update(functions_of(_native))

# Those of the engine are listed in _native.pyi.
__all__ = [
    "Energies",
    "Gradient",
    "HamiltreeError",
    "LeastSquares",
    "Model",
    "ModelError",
    "Reaction",
    "Recording",
    "Simulation",
    "SimulationError",
    "Sweep",
    "UsageError",
    "__version__",
    "gradient",
    "load",
    "load_looks",
    "show_modes",
    "simulate",
    "simulate_batch",
    "sweep",
]
__all__ += _native.__all__
