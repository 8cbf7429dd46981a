"""Runs the code blocks of a page as a reader would type them: blocks.py PAGE PROGRAM_FOLDER.

From top to bottom, in a folder that is empty but for build/ and mechanisms/, as in the project's
own, and with the program on the path.

sh          is run and must succeed
console     lines after "$ " are run and must succeed; what stands below such a line is what it
            prints, but for numbers, and "..." for any lines
python      all blocks are one program, each run when its turn comes
toml, xml   is a file: a comment "file: NAME" stands before it. "file: NAME with OTHER" puts the
            text of OTHER before that of the block. A model in TOML must be accepted by the program,
            a study must run
text, cmake, c, cpp   is shown only

A comment "needs: NAME" names a Python package without which the page is skipped, with exit code 77.
A comment "file: NAME from PATH" copies a file of the project, which the page must name; one with
lines of text is itself a file that the reader does not see.
"""

import importlib.util
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
PART = re.compile(
    r"<!-- file: (?P<file>\S+)(?: from (?P<source>\S+))?(?: with (?P<other>\S+))?"
    r"(?: -->|\n(?P<hidden>.*?)^-->)"
    r"|^```(?P<language>\w+)\n(?P<code>.*?)^```$",
    re.MULTILINE | re.DOTALL,
)
NUMBER = re.compile(r"[-+]?\d+(\.\d+)?(e[-+]?\d+)?")
SHOWN = ("text", "cmake", "c", "cpp")

page = pathlib.Path(sys.argv[1]).resolve()
program_folder = pathlib.Path(sys.argv[2]).resolve()
environment = dict(os.environ, PATH=f"{program_folder}:{os.environ['PATH']}")
python_names: dict = {"__name__": "__main__"}


def shell(commands: str, **options) -> "subprocess.CompletedProcess[str]":
    command = ["bash", "-euo", "pipefail", "-c", commands]
    return subprocess.run(command, env=environment, text=True, **options)


def console(code: str) -> None:
    """Each command with the lines below it, up to the next one."""
    for part in re.split(r"^\$ ", code, flags=re.MULTILINE)[1:]:
        command, shown = part.split("\n", 1)
        said = shell(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        if said.returncode != 0:
            sys.exit(f"{command}: exit code {said.returncode}\n{said.stdout}")
        lines = [re.sub(r" +", " +", re.escape(NUMBER.sub("0", line)).replace(r"\ ", " "))
                 for line in shown.rstrip().split("\n")]
        pattern = "".join(r"(\n.*)?" if line == r"\.\.\." else r"\n" + line for line in lines)
        printed = "\n" + NUMBER.sub("0", said.stdout).rstrip()
        if shown.strip() and not re.fullmatch(pattern, printed, re.DOTALL):
            sys.exit(f"{command}: prints\n{said.stdout}\ninstead of\n{shown}")


def run(language: str, code: str, line: int) -> None:
    if language == "sh":
        if shell(code).returncode != 0:
            sys.exit("the block fails")
    elif language == "console":
        console(code)
    elif language == "python":
        # Blank lines in front keep the numbers of lines those of the page.
        exec(compile("\n" * line + code, str(page), "exec"), python_names)
    elif language not in SHOWN:
        sys.exit(f"a block of {language} is neither run nor a file")


text = page.read_text(encoding="utf-8")
text_seen = re.sub("<!--.*?-->", "", text, flags=re.DOTALL)
for package in re.findall(r"^<!-- needs: (\w+) -->$", text, re.MULTILINE):
    if importlib.util.find_spec(package) is None:
        print(f"skipped: there is no {package} (./dev setup --all)")
        sys.exit(77)
with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    os.symlink(program_folder, "build")
    os.symlink(ROOT / "mechanisms", "mechanisms")
    waiting = None
    for part in PART.finditer(text):
        line = text.count("\n", 0, part.start()) + 1
        print(f"{page.relative_to(ROOT)}:{line}", flush=True)
        if part["source"]:
            if part["source"] not in text_seen:
                sys.exit(f'{page}: the reader is not told that {part["file"]} is {part["source"]}')
            shutil.copy(ROOT / part["source"], part["file"])
        elif part["hidden"]:
            pathlib.Path(part["file"]).write_text(part["hidden"], encoding="utf-8")
        elif part["file"]:
            waiting = part
        elif waiting:
            base = pathlib.Path(waiting["other"]).read_text() if waiting["other"] else ""
            pathlib.Path(waiting["file"]).write_text(base + part["code"], encoding="utf-8")
            if "[sample]" in part["code"]:
                run("sh", f"hamiltree sweep {waiting['file']} --out sweep --quiet", line)
            elif part["language"] == "toml":
                run("sh", f"hamiltree info {waiting['file']} >info.txt", line)
            waiting = None
        else:
            run(part["language"], part["code"], line)
