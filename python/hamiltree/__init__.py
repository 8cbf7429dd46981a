"""Multibody dynamics in Hamilton's canonical form.

SI units and radians throughout; arrays are float64, time or the batch axis first.

>>> import hamiltree as ht
>>> model = ht.load("mechanisms/four_bar/model.toml")
>>> run = ht.simulate(model, until=10.0)
>>> run.energy.relative_error.max()
"""

# "as" says that a name is of the package; those of the engine are listed in _native.pyi.
from ._native import *
from ._native import __version__ as __version__
from .errors import (
    HamiltreeError as HamiltreeError,
    ModelError as ModelError,
    SimulationError as SimulationError,
    UsageError as UsageError,
)
from .gradient import Gradient as Gradient, LeastSquares as LeastSquares, gradient as gradient
from .model import Model as Model, load as load, load_looks as load_looks
from .recording import (
    Energies as Energies,
    Reaction as Reaction,
    Recording as Recording,
    show_modes as show_modes,
)
from .simulation import (
    Simulation as Simulation,
    simulate as simulate,
    simulate_batch as simulate_batch,
)
from .sweep import Sweep as Sweep, sweep as sweep
