"""Installs into an empty folder and uses what is there as a stranger would: install_test.py BUILD.

A consumer builds with find_package and with the flags of pkg-config; the installed program runs, its
manual page and completion are there. Without pkg-config or man the rest is tested: exit code 77.
"""

import os
import pathlib
import platform
import shutil
import subprocess
import sys
import tempfile

BUILD = pathlib.Path(sys.argv[1]).resolve()
HERE = pathlib.Path(__file__).resolve().parent
MODEL = HERE.parents[1] / "mechanisms" / "four_bar" / "model.toml"


def run(*command, **options):
    done = subprocess.run([str(c) for c in command], capture_output=True, text=True, **options)
    assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"
    return done.stdout


def complete(script, words):
    """The words that bash offers after these."""
    names = " ".join(f"'{w}'" for w in words)
    line = f"source '{script}'; COMP_WORDS=({names}); COMP_CWORD={len(words) - 1}; _hamiltree; "
    return run("bash", "-c", line + 'printf "%s\\n" "${COMPREPLY[@]}"').split()


with tempfile.TemporaryDirectory() as folder:
    root = pathlib.Path(folder) / "prefix"
    run("cmake", "--install", BUILD, "--prefix", root)
    consumer = pathlib.Path(folder) / "consumer"
    run("cmake", "-S", HERE / "consumer", "-B", consumer, f"-DCMAKE_PREFIX_PATH={root}",
        "-DCMAKE_BUILD_TYPE=Release")
    run("cmake", "--build", consumer)
    assert run(consumer / "consumer", MODEL).startswith("four_bar ")

    flags = next(root.rglob("hamiltree.pc"))
    if shutil.which("pkg-config"):
        environment = dict(os.environ, PKG_CONFIG_PATH=str(flags.parent))
        said = run("pkg-config", "--cflags", "--libs", "hamiltree", env=environment).split()
        program = pathlib.Path(folder) / "by_pkg_config"
        run("c++", HERE / "consumer" / "main.cpp", "-o", program, *said)
        assert run(program, MODEL).startswith("four_bar ")
        # With other instructions than those of the library, or with the sanitizer of addresses, Eigen
        # would free vectors wrongly.
        other = ["-fsanitize=address"] + ["-mavx"] * (platform.machine() == "x86_64")
        for option in other:
            refused = subprocess.run(["c++", HERE / "consumer" / "main.cpp", "-o", program, option, *said],
                                     capture_output=True, text=True)
            assert refused.returncode != 0, option
            assert "compile_this_for_the_instructions_and_sanitizers_of_hamiltree" in refused.stderr

    program = root / "bin" / "hamiltree"
    assert "four_bar" in run(program, "info", MODEL)
    page = (root / "share" / "man" / "man1" / "hamiltree.1").read_text()
    for part in (".SS simulate", "\\-\\-formulation", ".SS generate", "Exit codes"):
        assert part in page, part
    assert "describe" not in page
    if shutil.which("man"):
        warnings = subprocess.run(
            ["man", "--warnings", "-l", str(root / "share/man/man1/hamiltree.1")],
            capture_output=True, text=True, env=dict(os.environ, MANWIDTH="60", PAGER="cat"))
        assert warnings.returncode == 0 and not warnings.stderr, warnings.stderr
    script = root / "share" / "bash-completion" / "completions" / "hamiltree"
    assert "simulate" in complete(script, ["hamiltree", "sim"])
    assert complete(script, ["hamiltree", "simulate", "--formulation", "hd"]) == ["hdca"]
    assert "--until" in complete(script, ["hamiltree", "simulate", "--un"])
missing = [tool for tool in ("pkg-config", "man") if not shutil.which(tool)]
if missing:
    print(f"skipped: there is no {' and no '.join(missing)}")
    sys.exit(77)
print("ok")
