"""Plots are drawn without a display. Skipped without matplotlib."""

import importlib
import pathlib
import sys

try:
    import matplotlib
except ImportError:
    print("skipped: there is no python3-matplotlib")
    sys.exit(77)
matplotlib.use("Agg")

import hamiltree as ht
from hamiltree import plots

MECHANISMS = pathlib.Path(__file__).resolve().parents[2] / "mechanisms"

run = ht.simulate(ht.load(MECHANISMS / "four_bar" / "model.toml"), 0.5)
figure = run.plot()
assert len(figure.axes) == 4, figure.axes
line = plots.channels(run, ["q.A", "v.A"]).lines[0]
assert (line.get_ydata() == run["q.A"]).all()
assert line.get_label() == "q.A / rad", line.get_label()
assert len(plots.energies(run).lines) == 3
try:
    plots.channels(run, ["q.a"])
    raise SystemExit("a channel that is not there was drawn")
except KeyError as error:
    assert "there is no channel" in str(error), error

# Where it is missing, the error says what to install.
sys.modules["matplotlib.pyplot"] = None  # type: ignore[assignment]
del sys.modules["hamiltree.plots"]
try:
    importlib.import_module("hamiltree.plots")
except ModuleNotFoundError as error:
    assert "python3-matplotlib" in str(error), error
else:
    raise AssertionError("plots were imported without matplotlib")
