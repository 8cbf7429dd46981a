"""Plots of runs, by matplotlib. Each draws on given axes, or on new ones, and gives them back."""

from __future__ import annotations

from typing import Optional, Sequence

import numpy as np

try:
    import matplotlib.pyplot as plt
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
except ModuleNotFoundError as error:
    raise ModuleNotFoundError(
        "plots are drawn by matplotlib: apt-get install python3-matplotlib, or pip install matplotlib",
        name=error.name,
    ) from error

from .recording import Recording

_SMALLEST = 1e-18  # what is exactly zero still has a place on a logarithmic axis


def _axes(axes: Optional[Axes]) -> Axes:
    if axes is None:
        _, axes = plt.subplots()
    return axes


def energies(run: Recording, axes: Optional[Axes] = None) -> Axes:
    """Kinetic, potential and total energy, J."""
    axes = _axes(axes)
    axes.plot(run.t, run.energy.kinetic, label="kinetic")
    axes.plot(run.t, run.energy.potential, label="potential")
    axes.plot(run.t, run.energy.total, label="total")
    axes.set(xlabel="t / s", ylabel="energy / J")
    axes.legend()
    return axes


def energy_error(run: Recording, axes: Optional[Axes] = None) -> Axes:
    """Relative error of the energy balance."""
    axes = _axes(axes)
    axes.semilogy(run.t, np.maximum(run.energy.relative_error, _SMALLEST))
    axes.set(xlabel="t / s", ylabel="relative energy error")
    return axes


def residuals(run: Recording, axes: Optional[Axes] = None) -> Axes:
    """How far the loops are open."""
    axes = _axes(axes)
    axes.semilogy(run.t, np.maximum(run.residuals[:, 0], _SMALLEST), label="position / m")
    axes.semilogy(run.t, np.maximum(run.residuals[:, 1], _SMALLEST), label="velocity / (m/s)")
    axes.set(xlabel="t / s", ylabel="loops open by")
    axes.legend()
    return axes


def channels(run: Recording, names: Sequence[str], axes: Optional[Axes] = None) -> Axes:
    """Channels by name: coordinates, velocities, momenta, sensors."""
    axes = _axes(axes)
    for name in names:
        values, unit = run[name], run.units[name]
        axes.plot(run.t, values, label=f"{name} / {unit}" if unit else name)
    axes.set(xlabel="t / s")
    axes.legend()
    return axes


def step_sizes(run: Recording, axes: Optional[Axes] = None) -> Axes:
    """Size of every accepted step, s."""
    axes = _axes(axes)
    axes.semilogy(run.steps[:, 0], run.steps[:, 1])
    axes.set(xlabel="t / s", ylabel="step / s")
    return axes


def overview(run: Recording) -> Figure:
    """Energies, their error, residuals and step sizes on one figure."""
    figure: Figure = plt.figure(figsize=(10.0, 7.0), layout="constrained")
    grid = figure.subplots(2, 2)
    energies(run, grid[0, 0])
    energy_error(run, grid[0, 1])
    residuals(run, grid[1, 0])
    step_sizes(run, grid[1, 1])
    figure.suptitle(str(run.summary["model"]["name"]))
    return figure
