"""scripts/run_extended knows its parts, and one that fails does not keep the next from running. The
tools that it calls are replaced by one that prints its arguments and fails where it reads "tsan" or the
path of test_plan."""

import os
import pathlib
import subprocess
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "scripts" / "run_extended"
TOOL = """#!/bin/sh
echo "$*"
case "$*" in *tsan* | *tests/test_plan*) exit 3 ;; esac
"""


class RunExtendedTest(unittest.TestCase):
    def run_parts(self, *arguments):
        with tempfile.TemporaryDirectory() as folder:
            for name in ("cmake", "ctest", "valgrind"):
                tool = pathlib.Path(folder, name)
                tool.write_text(TOOL, encoding="utf-8")
                tool.chmod(0o755)
            environment = dict(os.environ, PATH=f"{folder}:{os.environ['PATH']}")
            return subprocess.run([SCRIPT, *arguments], env=environment, capture_output=True,
                                  text=True, check=False)

    def test_list(self):
        lines = self.run_parts("--list").stdout.splitlines()
        names = [line.split()[0] for line in lines]
        self.assertEqual(len(names), len(set(names)))
        self.assertLessEqual({"comma", "asan-build", "asan-1", "tsan", "valgrind", "fuzz", "mutants-1",
                              "long"}, set(names))
        self.assertEqual(len({len(line) - len(line.split(maxsplit=1)[1]) for line in lines}), 1)

    def test_unknown_part(self):
        run = self.run_parts("asan-build", "asan-9")
        self.assertEqual(run.returncode, 2)
        self.assertIn("asan-9 is none of comma asan-build", run.stderr)

    def test_part_that_passes(self):
        run = self.run_parts("asan-build")
        self.assertEqual((run.returncode, run.stderr), (0, "dev: part asan-build passed after 0 min\n"))

    def test_part_that_fails(self):
        run = self.run_parts("tsan")
        self.assertEqual((run.returncode, run.stderr), (3, "dev: part tsan FAILED after 0 min\n"))

    def test_programs_after_one_that_failed(self):
        run = self.run_parts("valgrind")
        self.assertEqual(run.returncode, 1)
        self.assertIn("build/tests/test_export", run.stdout)

    def test_parts_after_one_that_failed(self):
        run = self.run_parts("tsan", "asan-build")
        self.assertEqual(run.returncode, 1)
        self.assertIn("part asan-build passed", run.stderr)
        self.assertTrue(run.stderr.endswith("these parts failed: tsan\n"), run.stderr)


if __name__ == "__main__":
    unittest.main()
