#!/usr/bin/env python3
"""report_test.py REPORT_SAMPLE: opens synthetic reports in headless Chromium, with and without WebGL,
exercises them as a reader would, and asks that no script failed and nothing went to the console.
"""

import pathlib
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "support"))
from browser import IN_SOFTWARE, WITHOUT_WEBGL, Browser, PageError  # noqa: E402

PAGES = ("planar", "loop", "spatial", "hostile", "single", "mechanism", "looks", "events",
         "brief", "crossed", "empty")
THOUSAND = 1000  # bodies, of the page that is timed
LEAST_RATE = 30  # pictures a second
LONG = 30001  # samples, of the page that is opened on time
LONGEST_OPENING = 3  # s

failures = 0


def fail(name, why):
    global failures
    failures += 1
    print(f"FAIL: {name}: {why}")


def exercise(browser, folder, page, with_viewer, name):
    try:
        browser.open((folder / f"{page}.html").as_uri())
        told = ""
        if page != "empty":
            script = (HERE / "exercise.js").read_text()
            told = browser.run(f"({script})({str(with_viewer).lower()})", timeout=240) or ""
        assert browser.run("document.body.dataset.ready") == "true", "the script did not reach its end"
        assert not browser.run("document.body.dataset.error"), browser.run("document.body.dataset.error")
        assert not browser.complaints, browser.complaints
        print(f"ok: {name}" + (f", {told} pictures in the animation" if told else ""))
    except (PageError, AssertionError) as error:
        fail(name, error)


# Pictures a second while every sample is drawn and its pixels waited for.
MEASURE = """(() => {
  const time = document.getElementById("time");
  const gl = document.getElementById("stage").getContext("webgl2");
  const rounds = 60;
  const start = performance.now();
  for (let k = 0; k < rounds; k += 1) {
    time.value = Math.round((k / rounds) * time.max);
    time.dispatchEvent(new Event("input"));
    gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(4));
  }
  return (1000 * rounds) / (performance.now() - start);
})()"""


def time_thousand(browser, folder):
    browser.open((folder / "thousand.html").as_uri())
    assert browser.run("JSON.parse(document.getElementById('data').textContent).bodies.length") == THOUSAND
    rate = max(browser.run(MEASURE) for _ in range(3))
    print(f"{THOUSAND} bodies: {rate:.0f} pictures a second in software, {LEAST_RATE} asked for")
    # A machine with other work to do is no reason to fail; a page that is ten times too slow is.
    if rate < LEAST_RATE / 10:
        fail("thousand", f"{rate:.1f} pictures a second")


# Whether each pixel of the picture has a colour, as bodies have.
COLOURFUL = """(() => {
  const sheet = document.createElement("canvas");
  [sheet.width, sheet.height] = [400, 300];
  const context = sheet.getContext("2d");
  document.getElementById("play").click();
  document.getElementById("play").click();
  for (const canvas of document.querySelectorAll("#view canvas")) context.drawImage(canvas, 0, 0, 400, 300);
  const { data } = context.getImageData(0, 0, 400, 300);
  return Array.from({ length: data.length / 4 }, (_, i) =>
    Math.max(...data.slice(4 * i, 4 * i + 3)) - Math.min(...data.slice(4 * i, 4 * i + 3)) > 60);
})()"""


def compare_far_away(browser, folder):
    """Graphics cards count in seven digits."""
    pictures = []
    for page in ("near", "far"):
        browser.open((folder / f"{page}.html").as_uri())
        browser.run(READY)
        pictures.append(browser.run(COLOURFUL))
    other = sum(a != b for a, b in zip(*pictures)) / sum(pictures[0])
    print(f"far from the origin {100 * other:.1f} % of a mechanism look otherwise")
    if not other < 0.02:
        fail("far", "the mechanism is drawn otherwise than at the origin")


# All that is visible is drawn.
READY = """new Promise((done) => {
  const look = () => document.body.dataset.ready === "true"
    ? requestAnimationFrame(() => requestAnimationFrame(() => done(true))) : setTimeout(look, 5);
  look();
})"""


def time_opening(browser, folder):
    """A report that shows as much as one of ten million samples: both are thinned to what a screen shows."""
    times = []
    for _ in range(3):
        start = time.monotonic()
        browser.open((folder / "long.html").as_uri())
        browser.run(READY)
        times.append(time.monotonic() - start)
    samples = browser.run("JSON.parse(document.getElementById('data').textContent).t.length")
    print(f"{LONG} samples, {samples} shown: opened in {min(times):.1f} s, {LONGEST_OPENING} s asked for")
    assert 1000 < samples < 5000, samples
    # As above.
    if min(times) > 10 * LONGEST_OPENING:
        fail("long", f"opened in {min(times):.1f} s")


def main(sample):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        subprocess.run([sample, folder], check=True)
        with Browser(*WITHOUT_WEBGL) as browser:
            for page in PAGES:
                exercise(browser, folder, page, False, f"{page}, simple")
            compare_far_away(browser, folder)
        if "hamiltreeViewer=" not in (folder / "planar.html").read_text():
            print("SKIP: the program was built without the viewer (./dev viewer)")
            return 1 if failures else 77
        with Browser(*IN_SOFTWARE) as browser:
            browser.resize(1300, 900)
            for page in PAGES:
                exercise(browser, folder, page, True, f"{page}, viewer")
            browser.theme("dark")
            browser.resize(360, 800, phone=True)
            for page in ("loop", "spatial", "mechanism", "looks", "events"):
                exercise(browser, folder, page, True, f"{page}, viewer, dark, on a phone")
            browser.resize(1300, 900)
            browser.theme("light")
            compare_far_away(browser, folder)
            time_opening(browser, folder)
            time_thousand(browser, folder)
        return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
