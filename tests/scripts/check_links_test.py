"""scripts/check_links finds broken links and leaves good ones alone."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "scripts" / "check_links"


class CheckLinksTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        self.write("docs/theory.md", "# The theory of `everything`, part 1\n\n## Twice\n\n## Twice\n")

    def write(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def problems(self, text):
        self.write("README.md", text)
        run = subprocess.run([sys.executable, str(SCRIPT), "--root", str(self.root)],
                             capture_output=True, text=True, check=False)
        self.assertEqual(run.stderr, "")
        lines = run.stdout.splitlines()
        self.assertEqual(run.returncode, 1 if lines else 0)
        return lines

    def test_good_links(self):
        self.assertEqual(self.problems(
            "[a](docs/theory.md) [b](docs) [c](#here) ![d](docs/theory.md \"title\")\n"
            "[e](docs/theory.md#the-theory-of-everything-part-1) [f](docs/theory.md#twice-1)\n"
            "[g](https://example.org/nothing) <img src=\"docs/theory.md\">\n\n# Here\n\n"
            "[h]: docs/theory.md\n"), [])

    def test_missing_file(self):
        self.assertEqual(self.problems("\n[a](docs/practice.md)\n"),
                         ["README.md:2: docs/practice.md: no such file"])

    def test_missing_reference_and_image(self):
        self.assertEqual(len(self.problems("[a]: gone.md\n\n![b](gone.svg) <img src=\"gone.svg\">\n")),
                         3)

    def test_missing_heading(self):
        self.assertEqual(self.problems("[a](docs/theory.md#practice)\n"),
                         ["README.md:1: docs/theory.md#practice: no such heading"])

    def test_outside(self):
        self.assertEqual(len(self.problems("[a](../)\n")), 1)

    def test_code_is_not_prose(self):
        self.assertEqual(self.problems("`[a](gone.md)`\n\n```\n[b](gone.md)\n```\n"), [])

    def test_built_folders_are_skipped(self):
        self.write("build-asan/page.md", "[a](gone.md)\n")
        self.assertEqual(self.problems("\n"), [])


if __name__ == "__main__":
    unittest.main()
