#!/usr/bin/env python3
"""browser_test.py HAMILTREE MECHANISMS: what `hamiltree view` shows in headless Chromium: two runs over one
another, a run that goes on, and all of it by the keyboard alone."""

import pathlib
import struct
import subprocess
import sys
import tempfile
import time
import unittest
import zlib

from program import simulate, viewing

from browser import IN_SOFTWARE, Browser

PROGRAM, MECHANISMS = sys.argv[1], pathlib.Path(sys.argv[2])
FOUR_BAR = MECHANISMS / "four_bar/model.toml"


def pixels(png):
    """Red, green and blue of each pixel of a PNG with 8 bits a channel."""
    data, at, packed = png.read_bytes(), 8, b""
    while at < len(data):
        length, kind = struct.unpack(">I4s", data[at:at + 8])
        part = data[at + 8:at + 8 + length]
        if kind == b"IHDR":
            width, height, depth, colour = struct.unpack(">IIBB", part[:10])
            assert depth == 8 and colour in (2, 6), (depth, colour)
        packed += part if kind == b"IDAT" else b""
        at += length + 12
    step = 3 if colour == 2 else 4
    rows, above, size = zlib.decompress(packed), bytearray(width * step), width * step + 1
    for y in range(height):
        how, row = rows[y * size], bytearray(rows[y * size + 1:(y + 1) * size])
        for i, up in enumerate(above):
            left, corner = (row[i - step], above[i - step]) if i >= step else (0, 0)
            nearest = min((abs(up - corner), 0, left), (abs(left - corner), 1, up),
                          (abs(left + up - 2 * corner), 2, corner))[2]
            row[i] = row[i] + (0, left, up, (left + up) // 2, nearest)[how] & 255
        yield from zip(row[::step], row[1::step], row[2::step])
        above = row


class View(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.browser = Browser(*IN_SOFTWARE)
        cls.browser.resize(1200, 900)
        cls.addClassCleanup(cls.browser.close)
        room = tempfile.TemporaryDirectory()
        cls.addClassCleanup(room.cleanup)
        cls.room = pathlib.Path(room.name)

    def text(self, selector):
        return self.browser.run(f"document.querySelector({selector!r}).textContent")

    def wait_until(self, holds, what, seconds=120):
        end = time.monotonic() + seconds
        while not holds():
            self.assertLess(time.monotonic(), end, what)
            time.sleep(0.05)

    def test_two_runs(self):
        simulate(PROGRAM, FOUR_BAR, self.room / "fine", "--until", "1")
        simulate(PROGRAM, FOUR_BAR, self.room / "coarse", "--until", "1", "--every", "0.05", "--rtol", "1e-3")
        with viewing(PROGRAM, self.room / "fine", self.room / "coarse") as address:
            self.browser.open(address)
            self.wait_until(lambda: "Beside it" in self.text("#summary"), "the second run is there")
            self.assertIn("coarse", self.text("#summary"))
            names = self.browser.run("[...document.querySelectorAll('.legend .name')].map((n) => n.textContent)")
            self.assertIn("kinetic", names)
            self.assertIn(f"kinetic ({self.room / 'coarse'})", names)
            for key in ("End", "Home"):
                self.browser.key(key)
            self.assertEqual(self.browser.complaints, [])

    def test_two_runs_of_unlike_length(self):
        for until in ("1", "2"):
            simulate(PROGRAM, FOUR_BAR, self.room / f"for_{until}", "--until", until)
        with viewing(PROGRAM, self.room / "for_1", self.room / "for_2") as address:
            self.browser.open(address)
            self.wait_until(lambda: "Beside it" in self.text("#summary"), "the second run is there")
            ends = self.browser.run("[...document.querySelectorAll('.figure')].slice(0, 2).map((figure) => "
                                    "['.frame', '.curve'].map((s) => Math.max(...[...figure.querySelectorAll(s)]"
                                    ".map((path) => path.getBBox()).map(({ x, width }) => x + width))))")
            for frame, curve in ends:
                self.assertLessEqual(curve, frame + 0.1, "curves end where the time axis does")
        with viewing(PROGRAM, self.room / "for_2", self.room / "for_1") as address:
            self.browser.open(address)
            self.wait_until(lambda: "Beside it" in self.text("#summary"), "the second run is there")
            told = lambda: self.browser.run("[...document.querySelectorAll('.figure')][0]"
                                            ".querySelectorAll('.legend .value')[1].textContent")
            self.browser.run("document.querySelector('.figure').scrollIntoView()")  # others do not move
            self.assertNotEqual(told(), "")
            self.browser.key("End")
            self.wait_until(lambda: told() == "", "a run that has ended has no value")
            self.assertEqual(self.browser.complaints, [])

    def test_space_opens_what_has_the_focus(self):
        simulate(PROGRAM, FOUR_BAR, self.room / "details", "--until", "0.1")
        with viewing(PROGRAM, self.room / "details") as address:
            self.browser.open(address)
            self.browser.run("document.querySelector('details summary').focus()")
            self.browser.key(" ", code=32)
            self.assertTrue(self.browser.run("document.querySelector('details').open"))
            self.assertEqual(self.text("#play"), "Play")

    def test_run_that_goes_on(self):
        out = self.room / "live"
        running = subprocess.Popen([PROGRAM, "simulate", FOUR_BAR, "--out", out, "--quiet", "--until", "20",
                                    "--every", "0.1", "--checkpoint", "0.5", "--integrator", "rk4",
                                    "--step", "1e-5", "--formulation", "recursive"])
        try:
            self.wait_until((out / "checkpoint.json").exists, "there is a checkpoint")
            with viewing(PROGRAM, out) as address:
                self.browser.open(address)
                first = int(self.browser.run("document.getElementById('time').max"))
                self.assertEqual(self.text("#status"), "unfinished")
                self.browser.key("End")
                self.wait_until(lambda: int(self.browser.run("document.getElementById('time').max")) > first,
                                "samples come in")
                at = self.browser.run("[document.getElementById('time').value, document.getElementById('time').max]")
                self.assertEqual(at[0], at[1], "the end is followed")
                self.wait_until(lambda: self.text("#status") == "completed", "the run ends")
                self.assertEqual(self.browser.run("document.getElementById('time').max"), "200")
                self.assertEqual(self.browser.complaints, [])
        finally:
            running.terminate()
            running.wait()

    def test_keyboard_alone(self):
        simulate(PROGRAM, FOUR_BAR, self.room / "keys", "--until", "1", "--formulation", "hdca")  # it has a plan
        with viewing(PROGRAM, self.room / "keys") as address:
            self.browser.open(address)
            self.browser.key("End")
            self.assertEqual(self.browser.run("document.getElementById('time').value"), "500")
            reached = set()
            for _ in range(60):
                self.browser.key("Tab", code=9)
                reached.add(self.browser.run("document.activeElement.id || document.activeElement.textContent"))
            self.assertLessEqual({"time", "play", "speed", "trace"}, reached)
            if self.browser.run("document.getElementById('layers').hidden"):
                self.skipTest("built without the viewer (./dev viewer)")
            self.assertLessEqual({"stage", "Forces", "Open loops", "Plan", "Names", "Picture", "Animation"}, reached)
            for key, told in (("f", "Forces on the child"), ("o", "Loops are open"), ("p", "Round 2 of 3"),
                              ("]", "Round 3 of 3"), ("b", "crank: centre of mass")):
                self.browser.key(key)
                self.assertIn(told, self.text(".told"))
            self.assertEqual(self.browser.complaints, [])

    def test_ground_without_looks(self):
        """What stands still is seen as pins where the ground has no looks, also where bodies have."""
        arm = ('format = 1\nname = "arm"\nspace = "spatial"\ngravity = [0.0, 0.0, -9.81]\n'
               '[[body]]\nname = "arm"\nmass = 1.0\ncom = [0.3, 0.0, 0.0]\ninertia = [0.01, 0.02, 0.02]\n'
               '[[joint]]\nname = "pin"\ntype = "revolute"\nparent = "ground"\nchild = "arm"\n'
               '[[visual]]\nbody = "arm"\ntype = "box"\nsize = [0.2, 0.05, 0.05]\nat = { position = [0.4, 0.0, 0.0] }\n')
        ground = '[[visual]]\nbody = "ground"\ntype = "sphere"\nradius = 1e-5\n'
        steel = []  # pixels of this colour; words have it, too
        for name, text in (("bare", arm), ("seen", arm + ground)):
            model = self.room / f"{name}.toml"
            model.write_text(text)
            simulate(PROGRAM, model, self.room / name, "--until", "0.1")
            with viewing(PROGRAM, self.room / name) as address:
                self.browser.open(address)
                if self.browser.run("document.getElementById('layers').hidden"):
                    self.skipTest("built without the viewer (./dev viewer)")
                time.sleep(1.0)  # until it is drawn
                self.browser.screenshot(self.room / f"{name}.png", of="#stage")
                self.assertEqual(self.browser.complaints, [])
            steel.append(sum(20 < b - r and r < 190 for r, _, b in pixels(self.room / f"{name}.png")))
        self.assertGreater(steel[0], steel[1] + 100, "the pin is drawn where the ground has no looks")

    def test_reactions_that_are_not_known(self):
        """A flat parallelogram in motion, whose bars take any force."""
        model = self.room / "flat.toml"
        text = 'format = 1\nspace = "planar"\ngravity = [0.0, -9.81]\n'
        for name, com in (("a", 0.5), ("b", 1.0), ("c", 0.5)):
            text += f'[[body]]\nname = "{name}"\nmass = 1.0\ncom = [{com}, 0.0]\ninertia = 0.1\n'
        for name, parent, child, at, more in (("A", "ground", "a", 0.0, "initial = { q = 0.0, v = 2.0 }"),
                                              ("B", "a", "b", 1.0, "initial = { v = -2.0 }"),
                                              ("C", "b", "c", 2.0, "at_child = { position = [1.0, 0.0] }"),
                                              ("D", "ground", "c", 2.0, "")):
            text += (f'[[joint]]\nname = "{name}"\ntype = "revolute"\nparent = "{parent}"\nchild = "{child}"\n'
                     f'at_parent = {{ position = [{at}, 0.0] }}\n{more}\n')
        model.write_text(text)
        simulate(PROGRAM, model, self.room / "flat", "--until", "0.5")
        with viewing(PROGRAM, self.room / "flat") as address:
            self.browser.open(address)
            if self.browser.run("document.getElementById('layers').hidden"):
                self.skipTest("built without the viewer (./dev viewer)")
            self.browser.key("f")
            self.assertIn("Those of 4 joints are not known now, as at a singular pose.", self.text(".told"))
            self.browser.key("End")
            self.assertNotIn("not known", self.text(".told"))
            self.assertEqual(self.browser.complaints, [])

    def test_modes(self):
        page = self.room / "modes.html"
        subprocess.run([PROGRAM, "linearize", FOUR_BAR.parents[1] / "stewart/model.toml", "--report", page,
                        "--modes", "3"], check=True, stdout=subprocess.DEVNULL)
        self.browser.open(page.as_uri())
        self.assertEqual(self.text("#status"), "modes")
        shown = lambda: self.browser.run("['min', 'max'].map((end) => Number(document.getElementById('time')[end]))")
        self.assertEqual(shown(), [0, 48])
        self.browser.run("document.querySelectorAll('#summary input')[1].click()")
        self.assertEqual(shown(), [49, 97])
        self.wait_until(lambda: "mode 2 at 9" in self.text("#clock"), "it moves")
        self.assertEqual(self.browser.run("document.querySelectorAll('#plots .figure').length"), 0)
        self.assertEqual(self.browser.complaints, [])


if __name__ == "__main__":
    result = unittest.main(argv=sys.argv[:1], verbosity=2, exit=False).result
    sys.exit(1 if not result.wasSuccessful() else 77 if result.skipped else 0)
