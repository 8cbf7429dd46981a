"""scripts/check_layers finds what it must find, and nothing else, in small trees made for it."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "scripts" / "check_layers"

CMAKE = """\
hamiltree_module(base)
hamiltree_module(math LINKS hamiltree_base Eigen3::Eigen)
hamiltree_module(space LINKS hamiltree_math)
hamiltree_module(model LINKS hamiltree_space)
hamiltree_module(forces LINKS hamiltree_model)
hamiltree_module(plan LINKS hamiltree_model)
hamiltree_module(formulations LINKS hamiltree_forces hamiltree_plan)
hamiltree_module(integrators LINKS hamiltree_math SUNDIALS::arkode)
hamiltree_module(simulation LINKS hamiltree_formulations hamiltree_integrators)
hamiltree_module(io LINKS hamiltree_simulation)
"""


class CheckLayersTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        self.write("src/hamiltree/CMakeLists.txt", CMAKE)
        self.write("src/hamiltree/base/error.hpp", "#include <string>\n")
        self.write("src/hamiltree/model/model.hpp", '#include "hamiltree/base/error.hpp"\n')

    def write(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def check(self):
        run = subprocess.run([sys.executable, str(SCRIPT), "--root", str(self.root)],
                             capture_output=True, text=True, check=False)
        self.assertEqual(run.stderr, "")
        return run.returncode, run.stdout.splitlines()

    def assert_clean(self):
        self.assertEqual(self.check(), (0, []))

    def assert_problem(self, start):
        code, lines = self.check()
        self.assertEqual(code, 1)
        self.assertEqual(len(lines), 1, lines)
        self.assertTrue(lines[0].startswith(start), lines[0])

    def test_clean_tree(self):
        self.write("src/hamiltree/model/joints/free.hpp", '#include "hamiltree/model/model.hpp"\n')
        self.write("src/hamiltree/hamiltree.hpp", '#include "hamiltree/io/load.hpp"\n')
        self.write("apps/hamiltree/main.cpp",
                   '#include "options.hpp"\n#include "hamiltree/io/load.hpp"\n')
        self.assert_clean()

    def test_upward_include(self):
        self.write("src/hamiltree/base/text.cpp",
                   '// one\n\n  #  include  "hamiltree/model/model.hpp"\n')
        self.assert_problem("src/hamiltree/base/text.cpp:3: base must not include hamiltree/model/")

    def test_upward_include_in_angle_brackets(self):
        self.write("src/hamiltree/base/text.cpp", "#include <hamiltree/model/model.hpp>\n")
        self.assert_problem("src/hamiltree/base/text.cpp:1: ")

    def test_same_line(self):
        self.write("src/hamiltree/plan/cost.hpp", '#include "hamiltree/forces/loads.hpp"\n')
        self.assert_problem("src/hamiltree/plan/cost.hpp:1: plan must not include")

    def test_narrowed_module(self):
        self.write("src/hamiltree/integrators/euler.hpp", '#include "hamiltree/model/model.hpp"\n')
        self.assert_problem("src/hamiltree/integrators/euler.hpp:1: integrators must not include")

    def test_header_that_gathers_modules(self):
        self.write("src/hamiltree/model/model.cpp", '#include "hamiltree/hamiltree.hpp"\n')
        self.assert_problem("src/hamiltree/model/model.cpp:1: model must not include")

    def test_relative_include(self):
        self.write("src/hamiltree/model/model.cpp", '#include "../io/load.hpp"\n')
        self.assert_problem('src/hamiltree/model/model.cpp:1: "../io/load.hpp"')

    def test_unknown_module(self):
        self.write("src/hamiltree/magic/wand.hpp", "\n")
        self.assert_problem("src/hamiltree/magic/wand.hpp:1: magic is not in the layer table")

    def test_upward_include_of_a_folder(self):
        self.write("src/hamiltree/formulations/recursive/recursive.cpp",
                   '#include "hamiltree/formulations/formulation.hpp"\n'
                   '#include "hamiltree/formulations/choice/choice.hpp"\n')
        self.assert_problem("src/hamiltree/formulations/recursive/recursive.cpp:2: "
                            "formulations/recursive must not include hamiltree/formulations/choice/")

    def test_own_folder_below_the_others(self):
        self.write("src/hamiltree/formulations/formulation.hpp",
                   '#include "hamiltree/formulations/dense/dense.hpp"\n')
        self.assert_problem("src/hamiltree/formulations/formulation.hpp:1: formulations/. must not")

    def test_folders_on_the_same_line(self):
        self.write("src/hamiltree/io/import/urdf/urdf.cpp",
                   '#include "hamiltree/io/import/urdf/urdf.hpp"\n'
                   '#include "hamiltree/io/import/xml/xml_element.hpp"\n'
                   '#include "hamiltree/io/import/mjcf/mjcf.hpp"\n')
        self.assert_problem("src/hamiltree/io/import/urdf/urdf.cpp:3: io/import/urdf must not")

    def test_file_with_a_line_of_its_own(self):
        self.write("src/hamiltree/simulation/simulation.cpp",
                   '#include "hamiltree/simulation/branches/branches.hpp"\n')
        self.assert_clean()
        self.write("src/hamiltree/simulation/simulation_probe.cpp",
                   '#include "hamiltree/simulation/branches/branches.hpp"\n')
        self.assert_problem("src/hamiltree/simulation/simulation_probe.cpp:1: simulation/. must")

    def test_unknown_folder(self):
        self.write("src/hamiltree/formulations/magic/wand.hpp", "\n")
        self.assert_problem("src/hamiltree/formulations/magic/wand.hpp:1: formulations/magic/wand.hpp "
                            "is not in the folder table")

    def test_tests_are_not_scanned(self):
        self.write("tests/model/model_test.cpp", '#include "hamiltree/io/load.hpp"\n')
        self.assert_clean()

    def test_forbidden_link(self):
        self.write("src/hamiltree/CMakeLists.txt",
                   CMAKE.replace("hamiltree_module(plan LINKS hamiltree_model)",
                                 "hamiltree_module(plan LINKS hamiltree_forces)"))
        self.assert_problem("src/hamiltree/CMakeLists.txt:6: plan must not link forces")

    def test_commented_link_does_not_count(self):
        self.write("src/hamiltree/CMakeLists.txt",
                   "# hamiltree_module(base LINKS hamiltree_io)\n" + CMAKE)
        self.assert_clean()

    def test_include_without_link(self):
        self.write("src/hamiltree/CMakeLists.txt",
                   CMAKE.replace("hamiltree_forces hamiltree_plan", "hamiltree_forces"))
        self.write("src/hamiltree/formulations/rate.hpp", '#include "hamiltree/plan/plan.hpp"\n')
        self.assert_problem("src/hamiltree/formulations/rate.hpp:1: formulations includes")


if __name__ == "__main__":
    unittest.main()
