"""Planning by sampling, as predictive controllers do: 41 pushes are rolled out from where the cart
is, the best is applied for one period, and so on. The pole starts tilted and ends upright."""

import numpy as np

import hamiltree as ht

PUSHES = np.arange(-20.0, 21.0)  # N, on the cart
PERIOD, HORIZON = 0.05, 0.3  # s

mechanism = ht.Mechanism("cart_with_pole", space="planar", gravity=(0.0, -9.81)).add(
    ht.Body(name="cart", mass=1.0),
    ht.Body(name="pole", mass=0.2, com=(0.0, 0.5), inertia=0.01),
    ht.Joint(name="rail", type="prismatic", parent="ground", child="cart"),
    ht.Joint(name="pin", parent="cart", child="pole", initial_q=0.2),
)
model = ht.Model(mechanism)
rollout = ht.Rollout(model, integrator="rk4", step=0.01)
start = model.state()
q_now, p_now, t = start.q.reshape(1, 2), start.p.reshape(1, 2), 0.0
efforts = np.stack([PUSHES, np.zeros_like(PUSHES)], axis=1)  # (41, velocities)
for _ in range(40):
    q, p = np.repeat(q_now, len(PUSHES), axis=0), np.repeat(p_now, len(PUSHES), axis=0)
    rollout.advance(q, p, HORIZON, t=t, efforts=efforts)
    cost = 0.1 * (q[:, 0] ** 2 + p[:, 0] ** 2) + 10.0 * (q[:, 1] ** 2 + p[:, 1] ** 2)
    best = int(cost.argmin())
    rollout.advance(q_now, p_now, PERIOD, t=t, efforts=efforts[best : best + 1])
    t += PERIOD
print("cart", q_now[0, 0])
print("pole", q_now[0, 1])
print("upright", int(abs(q_now[0, 1]) < 0.1))
