"""A pendulum, what several threads get, and Ctrl-C, for the tests of the package."""

import pathlib
import signal
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


def interrupt(test, call):
    """Ctrl-C while call() goes on, which raises it; what it has done by then is for the test to look at."""
    main = threading.main_thread().ident
    timer = threading.Timer(0.1, signal.pthread_kill, (main, signal.SIGINT))
    timer.start()
    with test.assertRaises(KeyboardInterrupt):
        call()
    timer.join()
