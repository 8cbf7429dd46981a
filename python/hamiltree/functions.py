"""Functions of the engine as functions of the package, which pickle knows by their names: process
pools take them. pybind11's own cannot be pickled."""

from __future__ import annotations

import types
from typing import Any, Callable, Dict


def _known_by_name(function: Callable[..., Any]) -> Callable[..., Any]:
    def call(*args: Any, **kwargs: Any) -> Any:
        return function(*args, **kwargs)

    call.__name__ = call.__qualname__ = function.__name__
    call.__doc__ = function.__doc__
    call.__module__ = str(__package__)
    return call


def functions_of(engine: types.ModuleType) -> Dict[str, Callable[..., Any]]:
    """Those of its public names."""
    public = {name: getattr(engine, name) for name in engine.__all__}
    return {
        name: _known_by_name(thing)
        for name, thing in public.items()
        if isinstance(thing, types.BuiltinFunctionType)
    }
