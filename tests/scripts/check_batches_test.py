"""Names that check_batches finds, and those that it leaves alone."""

import importlib.machinery
import importlib.util
import pathlib
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "scripts/check_batches"
loader = importlib.machinery.SourceFileLoader("check_batches", str(SCRIPT))
check_batches = importlib.util.module_from_spec(importlib.util.spec_from_loader("check_batches", loader))
loader.exec_module(check_batches)


def source(body, namespace="hamiltree"):
    return f"namespace {namespace} {{\nnamespace {{\n\n{body}\n\n}}  // namespace\n}}  // namespace {namespace}\n"


class CheckBatches(unittest.TestCase):
    def problems(self, sources, headers=()):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)

            def write(kind, texts):
                paths = []
                for i, text in enumerate(texts):
                    paths.append(root / f"{i}.{kind}")
                    paths[-1].write_text(text)
                return paths

            return list(check_batches.problems(write("cpp", sources), write("hpp", headers), root))

    def test_functions_types_and_values(self):
        for first, second in (("std::string quoted(int x) {\n}", "std::string quoted(long x) {\n}"),
                              ("class Page {\n};", "struct Page {\n};"),
                              ("constexpr double kStep = 1.0;", "constexpr int kStep = 2;")):
            found = self.problems([source(first), source(second)])
            self.assertEqual(len(found), 1)
            self.assertIn("0.cpp:4, 1.cpp:4", found[0])

    def test_a_header(self):
        declared = "namespace hamiltree {\n\nstd::string quoted(int x);\n\n}  // namespace hamiltree\n"
        self.assertEqual(len(self.problems([source("std::string quoted(long x) {\n}")], [declared])), 1)

    def test_other_namespaces_and_places(self):
        name = "int count(int x) {\n}"
        self.assertEqual(self.problems([source(name), source(name, "hamiltree::screws")]), [])
        self.assertEqual(self.problems([source(name), source("int sum() {\n  int count(x);\n}")]), [])
        self.assertEqual(self.problems([source("struct Page;"), source("class Page {\n};")]), [])


if __name__ == "__main__":
    unittest.main()
