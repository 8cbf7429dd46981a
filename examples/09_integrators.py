"""The same four-bar by four methods: what they cost, and how well they keep the energy."""

from typing import Any, Dict

import hamiltree as ht

model = ht.load("mechanisms/four_bar/model.toml")
methods: Dict[str, Dict[str, Any]] = {
    "dormand_prince": {"rtol": 1e-8, "atol": 1e-8},
    "adams": {"rtol": 1e-8, "atol": 1e-8},
    "rk4": {"step": 1e-3},
    "spark_2": {"step": 2e-3},
}
for name, options in methods.items():
    run = ht.simulate(model, until=2.0, every=0.02, integrator=name, **options)
    print(f"{name}.steps", len(run.steps))
    print(f"{name}.crank", run["q.A"][-1])
    kept = run.summary["energy"]["max_relative_error"] < 1e-5
    print(f"{name}.energy_kept_to_1e-5", int(kept))
