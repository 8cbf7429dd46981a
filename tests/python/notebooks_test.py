"""The notebooks of docs/notebooks run from top to bottom, and what they show. Skipped where there is
no nbclient."""

import importlib.util
import os
import pathlib
import sys
import tempfile
import types
from typing import Any, List

import numpy as np

import hamiltree as ht

missing = [n for n in ("nbclient", "ipykernel", "tqdm", "pandas", "xarray", "gymnasium")
           if importlib.util.find_spec(n) is None]
if missing:
    print(f"skipped: there is no {', '.join(missing)} (./dev setup --all)")
    sys.exit(77)

import nbclient
import nbformat

ROOT = pathlib.Path(__file__).resolve().parents[2]
NOTEBOOKS = sorted((ROOT / "docs" / "notebooks").glob("*.ipynb"))


def outputs_of(notebook: Any) -> List[Any]:
    return [output for cell in notebook.cells for output in cell.get("outputs", [])]


def check_notebooks() -> None:
    assert len(NOTEBOOKS) >= 3, NOTEBOOKS
    for file in NOTEBOOKS:
        notebook = nbformat.read(file, as_version=4)
        nbformat.validate(notebook)
        assert not outputs_of(notebook), f"{file}: outputs are not kept in the project"
        with tempfile.TemporaryDirectory() as folder:
            os.symlink(ROOT / "mechanisms", pathlib.Path(folder) / "mechanisms")
            nbclient.NotebookClient(notebook, timeout=120, resources={"metadata": {"path": folder}}).execute()
        text = str([output.get("data", output.get("text")) for output in outputs_of(notebook)])
        is_watched = any("watch(" in cell.source for cell in notebook.cells)
        assert ("<iframe" in text) == is_watched, file
        print(f"{file.name}: runs", flush=True)


def check_live() -> None:
    """While a run goes on, the cell has a drawing of the bodies where they then are."""
    from hamiltree.notebook import Drawing, watch

    shown: List[str] = []
    display = types.SimpleNamespace(
        HTML=lambda text: text,
        display=lambda *_, **__: types.SimpleNamespace(update=shown.append),
    )
    kept = {name: sys.modules.get(name) for name in ("IPython", "IPython.display")}
    sys.modules["IPython"] = types.ModuleType("IPython")
    sys.modules["IPython.display"] = display  # type: ignore[assignment]
    try:
        model = ht.load(ROOT / "mechanisms" / "four_bar" / "model.toml")
        run = watch(model, until=0.5, every=0.05, refresh=0.0)
    finally:
        for name, module in kept.items():
            sys.modules.pop(name)
            if module is not None:
                sys.modules[name] = module
    drawings, end = shown[:-1], shown[-1]
    assert len(drawings) == len(run.t) and len(set(drawings)) == len(drawings)
    assert end.startswith("<iframe")
    assert [f"{t:.4g} s" in d for t, d in zip(run.t, drawings)] == [True] * len(run.t)

    # A joint is where two bodies meet, whichever of the two says where.
    drawing = Drawing(model)
    drawing.svg(0.0, run.poses[0])
    points = [p for p in drawing._bodies]
    ends = [{tuple(np.round(q @ _turn(pose[3:]).T + pose[:3], 9)) for q in body}
            for body, pose in zip(points, run.poses[3])]
    assert all(ends[i] & ends[i + 1] for i in range(len(ends) - 1)), ends


def _turn(quat_wxyz: Any) -> Any:
    from hamiltree.notebook import _rotation

    return _rotation(quat_wxyz)


def check_progress() -> None:
    import tqdm.auto

    bars: List[Any] = []
    kept = tqdm.auto.tqdm

    class Bar(kept):  # type: ignore[valid-type, misc]
        def __init__(self, **options: Any) -> None:
            super().__init__(file=open(os.devnull, "w"), **options)
            bars.append(self)

    tqdm.auto.tqdm = Bar
    try:
        model = ht.load(ROOT / "mechanisms" / "four_bar" / "model.toml")
        seen: List[float] = []
        run = ht.simulate(model, until=0.5, every=0.1, progress=True, on_step=seen.append)
        plain = ht.simulate(model, until=0.5, every=0.1)
        assert np.array_equal(run.q, plain.q) and len(seen) == len(run.steps)
        assert bars[0].n == bars[0].total == 0.5
        try:
            ht.simulate(model, until=0.5, progress=True, on_step=lambda t: 1 / 0)
            raise SystemExit("an error did not reach the caller")
        except ZeroDivisionError:
            pass
        assert bars[1].disable or bars[1].n < bars[1].total
    finally:
        tqdm.auto.tqdm = kept


def check_files() -> None:
    """A recording in one call, read back to the same numbers."""
    import pandas
    import xarray

    model = ht.load(ROOT / "mechanisms" / "four_bar" / "model.toml")
    run = ht.simulate(model, until=0.2, every=0.02)
    table = run.to_pandas()
    with tempfile.TemporaryDirectory() as folder:
        for suffix, needs, read in (
            ("csv", None, lambda f: pandas.read_csv(f, index_col="t", float_precision="round_trip")),
            ("parquet", "pyarrow", pandas.read_parquet),
            ("h5", "tables", pandas.read_hdf),
            ("nc", "scipy", None),
        ):
            if needs is not None and importlib.util.find_spec(needs) is None:
                print(f"no {needs}: .{suffix} is not tried")
                continue
            file = pathlib.Path(folder) / f"run.{suffix}"
            run.write(file)
            if read is None:
                with xarray.open_dataset(file) as data:
                    assert np.array_equal(data["q.A"], run["q.A"])
                    assert data["q.A"].attrs["units"] == "rad"
            else:
                assert np.array_equal(read(file).to_numpy(), table.to_numpy()), suffix
        try:
            run.write(pathlib.Path(folder) / "run.xls")
            raise SystemExit("a recording was written as .xls")
        except ht.UsageError as error:
            assert ".csv, .parquet, .h5 or .nc" in str(error)


if __name__ == "__main__":
    check_live()
    check_progress()
    check_files()
    check_notebooks()
