"""A pendulum, and what several threads get, for the tests of the package."""

import pathlib
import threading

import hamiltree as ht

MECHANISMS = pathlib.Path(__file__).resolve().parents[2] / "mechanisms"
GRAVITY = 9.81


def pendulum(*parts):
    return ht.Mechanism("pendulum", space="planar", gravity=(0.0, -GRAVITY)).add(
        ht.Body(name="rod", mass=2.0, com=(0.5, 0.0), inertia=2.0 / 12.0),
        ht.Joint(name="pin", parent="ground", child="rod", initial_q=0.3),
        *parts,
    )


def beside_each_other(work):
    """What four threads get that call work() at the same time."""
    results = [None] * 4

    def keep(i):
        results[i] = work()

    threads = [threading.Thread(target=keep, args=(i,)) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return results
