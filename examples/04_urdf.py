"""A robot from a URDF file falls; what its damper takes is in the energy balance."""

import hamiltree as ht

model = ht.load("examples/arm.urdf")
run = ht.simulate(model, until=2.0, every=0.01)
print("shoulder", run["q.shoulder"][-1])
print("elbow", run["q.elbow"][-1])
print("dissipated", run.work[-1, 2])
print("balance_below_1e-7", int(run.energy.relative_error.max() < 1e-7))
