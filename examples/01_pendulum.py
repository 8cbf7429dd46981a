"""A rod on a pin, made by the builder: swing it, watch the energy."""

import hamiltree as ht

mechanism = ht.Mechanism("pendulum", space="planar", gravity=(0.0, -9.81)).add(
    ht.Body(name="rod", mass=1.0, com=(0.5, 0.0), inertia=1.0 / 12.0),
    ht.Joint(name="pin", parent="ground", child="rod", initial_q=0.3),
)
run = ht.simulate(ht.Model(mechanism), until=5.0)

print("samples", len(run.t))
print("angle", run["q.pin"][-1])
print("momentum", run["p.pin"][-1])
print("energy_error_below_1e-7", int(run.energy.relative_error.max() < 1e-7))
