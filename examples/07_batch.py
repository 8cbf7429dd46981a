"""Rates of a thousand states at once, eight in the lanes of the processor."""

import math

import numpy as np

import hamiltree as ht

BODIES, COUNT = 7, 1000
chain = ht.Mechanism("chain", space="spatial", gravity=(0.0, 0.0, -9.81))
parent = "ground"
for i in range(BODIES):
    turned = ht.Frame((0.3, 0.0, 0.0), axis_angle=(1.0, 0.0, 0.0, 0.5 * math.pi))
    chain.add(
        ht.Body(name=f"link_{i}", mass=1.0, com=(0.15, 0.0, 0.0), inertia=(0.001, 0.01, 0.01)),
        ht.Joint(name=f"pin_{i}", parent=parent, child=f"link_{i}", at_parent=turned),
    )
    parent = f"link_{i}"
model = ht.Model(chain)

q = np.array([[math.sin(k + i) for i in range(BODIES)] for k in range(COUNT)])
p = np.array([[0.1 * math.cos(k + i) for i in range(BODIES)] for k in range(COUNT)])
batch = ht.Batch(model)
q_dot, p_dot = batch.rates(q, p)  # (1000, 7), (1000, 7)
print("in_lanes", int(batch.in_lanes))
for value in q_dot[500]:
    print("q_dot", value)
for value in p_dot[500]:
    print("p_dot", value)
