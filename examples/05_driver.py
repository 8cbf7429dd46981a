"""A crank that is driven, and the effort that this takes."""

import hamiltree as ht

turn = ht.SmoothStep(from_=0.0, to=3.0, start=0.5, duration=2.0)
mechanism = ht.Mechanism("driven_arm", space="planar", gravity=(0.0, -9.81)).add(
    ht.Body(name="crank", mass=1.0, com=(0.2, 0.0), inertia=0.01),
    ht.Body(name="bob", mass=1.0, com=(0.2, 0.0), inertia=0.01),
    ht.Joint(name="motor", parent="ground", child="crank", drive=turn),
    ht.Joint(name="pin", parent="crank", child="bob", at_parent=(0.4, 0.0)),
    ht.ReactionSensor(name="motor", joint="motor"),
)
run = ht.simulate(ht.Model(mechanism), until=3.0, every=0.01)
effort = run.reaction("motor").drive
assert effort is not None  # the joint is driven
print("pin", run["q.pin"][-1])
print("effort_of_the_motor", effort[150])
print("work_of_the_motor", run.work[-1, 0])
