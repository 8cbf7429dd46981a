"""cmake/ccache.cmake: what is kept between builds never breaks one."""

import os
import pathlib
import shutil
import subprocess
import tempfile
import time
import unittest

SETTINGS = pathlib.Path(__file__).resolve().parents[2] / "cmake" / "ccache.cmake"
PROJECT = f"""
cmake_minimum_required(VERSION 3.25)
project(Kept LANGUAGES CXX)
include({SETTINGS})
add_library(kept OBJECT source.cpp)
target_precompile_headers(kept PRIVATE ${{PROJECT_SOURCE_DIR}}/header.hpp)
target_compile_options(kept PRIVATE -fpch-preprocess)
"""


class CcacheTest(unittest.TestCase):
    def build(self, folder, header, source):
        """A build from nothing with what the builds before have left in the cache."""
        pathlib.Path(folder, "header.hpp").write_text(f"#pragma once\n{header}\n", encoding="utf-8")
        pathlib.Path(folder, "source.cpp").write_text(f'#include "header.hpp"\n{source}\n',
                                                      encoding="utf-8")
        time.sleep(1.1)  # ccache leaves files alone that are of the second of the build
        shutil.rmtree(pathlib.Path(folder, "build"), ignore_errors=True)
        environment = {name: value for name, value in os.environ.items() if not name.startswith("CCACHE_")}
        environment["CCACHE_DIR"] = str(pathlib.Path(folder, "cache"))
        for command in (["cmake", "-B", "build", "-G", "Ninja", "-DCMAKE_CXX_COMPILER=g++"],
                        ["cmake", "--build", "build"]):
            run = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True,
                                 check=False)
            self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        counts = subprocess.run(["ccache", "--print-stats"], env=environment, capture_output=True,
                                text=True, check=True).stdout.splitlines()
        return {line.split("\t")[0]: int(line.split("\t")[1]) for line in counts}

    def test_edits_of_precompiled_headers(self):
        with tempfile.TemporaryDirectory() as folder:
            pathlib.Path(folder, "CMakeLists.txt").write_text(PROJECT, encoding="utf-8")
            self.build(folder, "struct Kept { int a; };  // one", "int f(Kept x) { return x.a; }")
            again = self.build(folder, "struct Kept { int a; };  // one", "int f(Kept x) { return x.a; }")
            self.assertEqual((again["cache_miss"], again["direct_cache_hit"]), (2, 2))
            self.build(folder, "struct Kept { int a; };  // two", "int f(Kept x) { return x.a + 1; }")
            self.build(folder, "struct Kept { int a, b; };  // two", "int f(Kept x) { return x.b; }")


if __name__ == "__main__":
    unittest.main()
