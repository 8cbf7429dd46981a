"""A closed loop from a model file, and what its joints have to bear."""

import numpy as np

import hamiltree as ht

model = ht.load("mechanisms/four_bar/model.toml")
run = ht.simulate(model, until=2.0, every=0.01)

reactions = ht.Formulation(model).reactions(run.q, run.p)  # (samples, joints, 6)
force_A = reactions[:, model.joint_names.index("A"), :3]

print("crank", run["q.A"][-1])
print("largest_force_at_A", np.linalg.norm(force_A, axis=1).max())
print("loop_open_by_less_than_1e-12", int(run.residuals[:, 0].max() < 1e-12))
