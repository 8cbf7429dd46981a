"""Loading models, and how a notebook shows them."""

from __future__ import annotations

import html
import numbers
import os
import warnings
from typing import Mapping, Optional, Union

import numpy as np

from ._native import Looks, Model, load_with_log


def load(
    file: Union[str, "os.PathLike[str]"],
    *,
    set: Optional[Mapping[str, Union[bool, int, float, str]]] = None,
    strict: bool = False,
    balance_inertia: bool = False,
    accept_inertia: bool = False,
    fixed_base: bool = False,
    keyframe: str = "",
    no_actuators: bool = False,
    control: Union[str, "os.PathLike[str]"] = "",
    files_elsewhere: bool = False,
) -> Model:
    """Reads a model file: native TOML, URDF, SDF or MJCF, recognised by its content.

    ``set`` changes values by their paths, as in ``{"body.crank.mass": 2.0}``. The other options are
    those of the command line's import. What an importer has to tell becomes a warning.
    Throws ModelError naming file, line and element; UsageError for ``fixed_base``, ``keyframe``,
    ``no_actuators`` and ``control`` where the file's format does not know them; FileNotFoundError.
    """
    if not os.path.exists(file):
        raise FileNotFoundError(f"there is no model file {os.fspath(file)}")
    overrides = [f"{path}={_text(value)}" for path, value in (set or {}).items()]
    model, _, log = load_with_log(
        file,
        overrides,
        strict=strict,
        balance_inertia=balance_inertia,
        accept_inertia=accept_inertia,
        fixed_base=fixed_base,
        keyframe=keyframe,
        no_actuators=no_actuators,
        control=os.fspath(control),
        files_elsewhere=files_elsewhere,
    )
    for line in log:
        warnings.warn(line, stacklevel=2)
    return model


def load_looks(
    file: Union[str, "os.PathLike[str]"],
    *,
    fixed_base: bool = False,
    accept_inertia: bool = False,
    files_elsewhere: bool = False,
) -> Looks:
    """How the bodies of a model file look, for Recording.report() and save(), read with the options
    with which the model was loaded. Throws as load().
    """
    return load_with_log(
        file,
        [],
        strict=False,
        balance_inertia=False,
        accept_inertia=accept_inertia,
        fixed_base=fixed_base,
        keyframe="",
        no_actuators=False,
        control="",
        files_elsewhere=files_elsewhere,
    )[1]


def _text(value: Union[bool, int, float, str]) -> str:
    """The value as a native file has it: a whole number stays one."""
    if isinstance(value, str):
        return value
    if isinstance(value, (bool, np.bool_)):
        return "true" if value else "false"
    return repr(int(value) if isinstance(value, numbers.Integral) else float(value))


def _counted(count: int, one: str, many: str) -> str:
    return f"{count} {one if count == 1 else many}"


def _repr_html(self: Model) -> str:
    """A table of the joints, for notebooks."""
    loops = range(self.body_count, self.joint_count)
    described = {joint.name: joint for joint in self._mechanism_before.joints}
    rows = []
    for number, name in enumerate(self.joint_names):
        joint = described[name]
        cells = (name, joint.type, joint.parent, joint.child, "closes a loop" if number in loops else "")
        rows.append("<tr>" + "".join(f"<td>{html.escape(c)}</td>" for c in cells) + "</tr>")
    head = "".join(f"<th>{c}</th>" for c in ("joint", "type", "parent", "child", ""))
    return (
        f"<b>{html.escape(self.name)}</b>: {self.space}, {_counted(self.body_count, 'body', 'bodies')}, "
        f"{_counted(self.joint_count, 'joint', 'joints')}, {_counted(self.loop_count, 'loop', 'loops')}"
        f"<table><tr>{head}</tr>{''.join(rows)}</table>"
    )


setattr(Model, "_repr_html_", _repr_html)

__all__ = ["Model", "load"]
