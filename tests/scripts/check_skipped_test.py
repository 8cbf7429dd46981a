"""scripts/check_skipped counts tests, and refuses skipped ones that are not on the list."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "scripts" / "check_skipped"
PASSED = '<testcase name="a.Passes" status="run"/>'
FAILED = '<testcase name="a.Fails" status="fail"><failure message=""/></testcase>'
SKIPPED = """<testcase name="a.Skips/0" status="notrun"><skipped message="SKIP_RETURN_CODE=77"/>
             <system-out>no browser</system-out></testcase>"""
DISABLED = '<testcase name="a.Waits" status="disabled"><system-out>Disabled</system-out></testcase>'
NOT_BUILT = """<testcase name="a.IsNotBuilt" status="notrun">
               <skipped message="Unable to find executable"/></testcase>"""


class CheckSkippedTest(unittest.TestCase):
    def check(self, *tests, allowed=""):
        """The exit code and the lines that are printed."""
        with tempfile.TemporaryDirectory() as folder:
            results = pathlib.Path(folder, "results.xml")
            results.write_text(f"<testsuite>{''.join(tests)}</testsuite>", encoding="utf-8")
            pathlib.Path(folder, "allowed.txt").write_text(allowed, encoding="utf-8")
            run = subprocess.run([sys.executable, SCRIPT, "results.xml", "allowed.txt"], cwd=folder,
                                 capture_output=True, text=True, check=False)
        return run.returncode, (run.stdout + run.stderr).splitlines()

    def test_all_pass(self):
        self.assertEqual(self.check(PASSED, PASSED), (0, ["2 passed, 0 failed, 0 skipped"]))

    def test_failures_count(self):
        self.assertEqual(self.check(PASSED, FAILED), (1, ["1 passed, 1 failed, 0 skipped"]))

    def test_program_that_is_not_there_is_a_failure(self):
        self.assertEqual(self.check(PASSED, NOT_BUILT, allowed="a.* any\n"),
                         (1, ["allowed.txt: a.*: nothing of this name was skipped",
                              "1 passed, 1 failed, 0 skipped"]))

    def test_no_test_is_a_failure(self):
        self.assertEqual(self.check(), (1, ["0 passed, 0 failed, 0 skipped"]))

    def test_skipped_without_being_listed(self):
        self.assertEqual(self.check(PASSED, SKIPPED),
                         (1, ["a.Skips/0 was skipped and is not in allowed.txt:", "no browser",
                              "1 passed, 0 failed, 1 skipped"]))

    def test_disabled_is_skipped(self):
        self.assertEqual(self.check(PASSED, DISABLED)[0], 1)
        self.assertEqual(self.check(PASSED, DISABLED, allowed="a.Waits takes hours\n")[0], 0)

    def test_listed(self):
        self.assertEqual(self.check(PASSED, SKIPPED, allowed="# why\n\na.Skips/* no browser here\n"),
                         (0, ["1 passed, 0 failed, 1 skipped"]))

    def test_listed_without_need_is_told(self):
        self.assertEqual(self.check(PASSED, allowed="a.Skips/* no browser here\n"),
                         (0, ["allowed.txt: a.Skips/*: nothing of this name was skipped",
                              "1 passed, 0 failed, 0 skipped"]))

    def test_results_that_are_none(self):
        code, lines = self.check("<")
        self.assertEqual((code, len(lines)), (1, 1))
        self.assertIn("results.xml: these are no results of ctest", lines[0])

    def test_reason_is_asked_for(self):
        self.assertEqual(self.check(PASSED, allowed="\na.Skips/*\n"),
                         (1, ["allowed.txt:2: a.Skips/*: the reason is missing"]))


if __name__ == "__main__":
    unittest.main()
