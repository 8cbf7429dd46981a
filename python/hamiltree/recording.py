"""The results of a run, as arrays with time first."""

from __future__ import annotations

import difflib
import html
import json
import os
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Dict, List, Optional, Union

import numpy as np
import numpy.typing as npt

from ._native import Linearization, Looks, Model, RawRecording
from ._native import show_modes as _native_show_modes
from .errors import UsageError

if TYPE_CHECKING:
    import pandas
    import xarray
    from matplotlib.figure import Figure

Array = npt.NDArray[np.float64]

_MOST_NAMED = 12  # channels in a message


@dataclass(frozen=True)
class Energies:
    """Energies over time, J. Arrays are (samples,)."""

    kinetic: Array
    potential: Array
    #: Work done from outside since the start: drives, applied forces, dissipation.
    work: Array
    #: Size of the error, by the energy that moves: the largest kinetic energy, range of the
    #: potential one, or work; rounding is taken off.
    relative_error: Array

    @property
    def total(self) -> Array:
        return self.kinetic + self.potential

    @property
    def error(self) -> Array:
        """Total energy, less the first one and the work done since."""
        return np.asarray(self.total - self.total[0] - (self.work - self.work[0]))


@dataclass(frozen=True)
class Reaction:
    """The wrench that a joint transmits to its child, at its origin there. (samples, 2 or 3); moments in the
    plane are (samples,)."""

    #: N, in world axes.
    force_W: Array
    #: N m, in world axes.
    moment_W: Array
    #: N, in the joint's own axes.
    force_J: Array
    #: N m, in the joint's own axes.
    moment_J: Array
    #: N m or N, along the coordinate of a driven joint; None of others.
    drive: Optional[Array]


class Recording:
    """A run. Arrays are gathered when they are first asked for, and then kept."""

    def __init__(self, raw: RawRecording, model: Model) -> None:
        self._raw = raw
        #: What was recorded.
        self.model = model

    @cached_property
    def t(self) -> Array:
        """(samples,), s."""
        return self._raw.times()

    @cached_property
    def q(self) -> Array:
        """(samples, coordinates), rad, m; quaternions w, x, y, z."""
        return self._raw.q()

    @cached_property
    def v(self) -> Array:
        """(samples, velocities), rad/s, m/s."""
        return self._raw.v()

    @cached_property
    def p(self) -> Array:
        """(samples, velocities), kg m^2/s, kg m/s."""
        return self._raw.p()

    @cached_property
    def outside_q(self) -> Array:
        """(samples, n): coordinates of the joints that are not in the state, driven ones, then those
        that close loops, as q.JOINT each; angles go on beyond half a turn."""
        return self._raw.outside_q()

    @cached_property
    def outside_v(self) -> Array:
        """(samples, n): their velocities, rad/s, m/s."""
        return self._raw.outside_v()

    @cached_property
    def poses(self) -> Array:
        """(samples, bodies, 7): position of each body's frame in the world, m, and its quat_wxyz."""
        return self._raw.poses()

    @cached_property
    def energy(self) -> Energies:
        energies = self._raw.energies()
        return Energies(
            energies[:, 0],
            energies[:, 1],
            self.work.sum(axis=1),
            self._raw.relative_energy_errors(),
        )

    @cached_property
    def power(self) -> Array:
        """(samples, 3), W: driven, applied, dissipated."""
        return self._raw.power()

    @cached_property
    def work(self) -> Array:
        """(samples, 3), J: integrals of the power since the start."""
        return self._raw.work()

    @cached_property
    def residuals(self) -> Array:
        """(samples, 2): how far loops are open, m, and open at, m/s; angles times the length."""
        return self._raw.residuals()

    @cached_property
    def steps(self) -> Array:
        """(accepted steps, 3): time at the end, s; size, s; order of the method."""
        return self._raw.steps()

    @property
    def body_names(self) -> List[str]:
        return self._raw.body_names()

    @cached_property
    def units(self) -> Dict[str, str]:
        """Unit of every channel: q.JOINT, v.JOINT, p.JOINT, energies and momenta, and those of sensors."""
        return dict(self._raw.columns()[1:])  # but the time

    @cached_property
    def summary(self) -> Dict[str, Any]:
        """The summary document, docs/formats/summary.md."""
        document: Dict[str, Any] = json.loads(self._raw.summary_json())
        return document

    def __getitem__(self, channel: str) -> Array:
        """One channel over time, (samples,), by its name in the trajectory: "q.elbow"."""
        try:
            return self._columns[channel]
        except KeyError:
            known = list(self._columns)
            if len(known) > _MOST_NAMED:  # those that look most like it
                close = difflib.get_close_matches(channel, known, _MOST_NAMED, cutoff=0.0)
                named = f"{len(known)}, as units says, {', '.join(close)} among them"
            else:
                named = ", ".join(known)
            raise KeyError(f'there is no channel "{channel}"; there are {named}') from None

    @cached_property
    def _columns(self) -> Dict[str, Array]:
        table = self._raw.table()
        return {name: table[:, i] for i, (name, _) in enumerate(self._raw.columns()) if i > 0}

    def vector(self, name: str) -> Array:
        """The x, y and z of a channel together, (samples, 2 or 3): "tip.position"."""
        parts = [self._columns[f"{name}.{axis}"] for axis in "xyz" if f"{name}.{axis}" in self._columns]
        if not parts:
            there = [column[:-2] for column in self._columns if column.endswith(".x")]
            raise KeyError(f'there is no vector "{name}"; there is {", ".join(there)}')
        return np.stack(parts, axis=1)

    def reaction(self, sensor: str) -> Reaction:
        """The readings of a ReactionSensor."""
        if not any(name.startswith(sensor + ".joint_force") for name in self._columns):
            end = ".joint_force.x"
            there = [name[: -len(end)] for name in self._columns if name.endswith(end)]
            named = f"there is {', '.join(there)}" if there else "a ReactionSensor makes one"
            raise UsageError(f'there is no reaction sensor "{sensor}" in this run; {named}')

        def moment(name: str) -> Array:
            return self._columns[name] if name in self._columns else self.vector(name)

        return Reaction(
            force_W=self.vector(sensor + ".force"),
            moment_W=moment(sensor + ".moment"),
            force_J=self.vector(sensor + ".joint_force"),
            moment_J=moment(sensor + ".joint_moment"),
            drive=self._columns.get(sensor + ".drive"),
        )

    def to_pandas(self) -> pandas.DataFrame:
        """All columns of trajectory.csv, by the time, s; units in .attrs["units"].

        Written to a file by its own ``to_parquet``, ``to_hdf`` or ``to_csv``.
        """
        import pandas

        index = pandas.Index(self.t, name="t")
        frame = pandas.DataFrame(self._columns, index=index)
        frame.attrs["units"] = {name: self.units[name] for name in frame.columns}
        frame.attrs["model"] = self.summary["model"]["name"]
        return frame

    def to_xarray(self) -> xarray.Dataset:
        """All columns of trajectory.csv over the time, s, each with its unit, and the poses of the
        bodies: position, m, and quat_wxyz.

        Written to a file by its own ``to_netcdf``.
        """
        import xarray

        def variable(dimensions: List[str], values: Array, unit: str) -> xarray.DataArray:
            return xarray.DataArray(values, dims=dimensions, attrs={"units": unit} if unit else {})

        variables = {n: variable(["t"], x, self.units[n]) for n, x in self._columns.items()}
        variables["position"] = variable(["t", "body", "axis"], self.poses[:, :, :3], "m")
        variables["quat_wxyz"] = variable(["t", "body", "part"], self.poses[:, :, 3:], "")
        coordinates = {
            "t": variable(["t"], self.t, "s"),
            "body": self.body_names,
            "axis": list("xyz"),
            "part": list("wxyz"),
        }
        return xarray.Dataset(variables, coordinates, {"model": self.summary["model"]["name"]})

    def write(self, file: Union[str, "os.PathLike[str]"]) -> None:
        """The table of to_pandas() as a file: .csv, .parquet (needs pyarrow) or .h5 (needs PyTables),
        units and all of pandas' attributes included where the format has room; or the dataset of
        to_xarray() as .nc (needs SciPy or netCDF4)."""
        suffix = os.path.splitext(os.fspath(file))[1]
        if suffix == ".csv":
            self.to_pandas().to_csv(file)
        elif suffix == ".parquet":
            self.to_pandas().to_parquet(file, engine="pyarrow")
        elif suffix == ".h5":
            import pandas

            table = self.to_pandas()
            with pandas.HDFStore(os.fspath(file), "w") as store:
                store.put("run", table)
                store.get_storer("run").attrs.units = table.attrs["units"]
        elif suffix == ".nc":
            self.to_xarray().to_netcdf(file)
        else:
            raise UsageError(f"a recording is written as .csv, .parquet, .h5 or .nc, not {suffix!r}")

    def save(
        self, folder: Union[str, "os.PathLike[str]"], *, looks: Optional[Looks] = None
    ) -> None:
        """Writes summary.json, trajectory.csv, steps.csv and report.html."""
        self._raw.save(self.model, looks or Looks(), folder)

    def report(self, *, looks: Optional[Looks] = None) -> str:
        """The report, one self-contained HTML page with plots and a replay; with load_looks() of
        the model's file, bodies look as it says."""
        return self._raw.report_html(self.model, looks or Looks())

    def plot(self) -> Figure:
        """Energies, their error, residuals and coordinates, by matplotlib."""
        from . import plots

        return plots.overview(self)

    def __repr__(self) -> str:
        s = self.summary
        return (
            f'<Recording of "{s["model"]["name"]}": {len(self.t)} samples until '
            f'{self.t[-1]:g} s, {s["status"]}>'
        )

    def _repr_html_(self) -> str:
        return self.to_html()

    def to_html(self, *, looks: Optional[Looks] = None) -> str:
        """The report with its replay, inside a notebook: what the cell of a recording shows."""
        page = html.escape(self.report(looks=looks), quote=True)
        return f'<iframe srcdoc="{page}" width="100%" height="640" style="border:0"></iframe>'


def show_modes(
    model: Model, linear: Linearization, *, most: int = 12, amplitude: float = 0.15
) -> Recording:
    """The modes of a linearization of this model, by frequency, each moving for one period with
    loops closed: a recording whose report, or notebook cell, lets one choose among them.
    ``amplitude`` is that of the joint that moves most, in rad or lengths of the mechanism."""
    return Recording(_native_show_modes(model, linear, most=most, amplitude=amplitude), model)
