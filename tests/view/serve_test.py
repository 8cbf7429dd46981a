#!/usr/bin/env python3
"""serve_test.py HAMILTREE MECHANISMS: what `hamiltree view` gives out, to whom, and what it refuses."""

import json
import pathlib
import re
import socket
import subprocess
import sys
import tempfile
import unittest
import urllib.error
import urllib.request

from program import simulate, viewing

PROGRAM, MECHANISMS = sys.argv[1], pathlib.Path(sys.argv[2])


def get(url, **headers):
    try:
        with urllib.request.urlopen(urllib.request.Request(url, headers=headers), timeout=60) as answer:
            return answer.status, dict(answer.headers), answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, dict(error.headers), error.read().decode()


class Serve(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.room = tempfile.TemporaryDirectory()
        cls.run_folder = pathlib.Path(cls.room.name) / "run"
        simulate(PROGRAM, MECHANISMS / "four_bar/model.toml", cls.run_folder, "--until", "0.5")

    @classmethod
    def tearDownClass(cls):
        cls.room.cleanup()

    def test_a_port_is_served_by_one_program(self):
        with viewing(PROGRAM, self.run_folder) as address:
            port = re.search(r":(\d+)/", address)[1]
            self.refused(3, f"cannot listen on port {port} of 127.0.0.1", self.run_folder, "--port", port)

    def test_page_and_recordings_only_with_the_token(self):
        with viewing(PROGRAM, self.run_folder) as address:
            self.assertRegex(address, r"^http://127\.0\.0\.1:\d+/[0-9a-f]{32}/$")
            status, headers, page = get(address)
            self.assertEqual(status, 200)
            self.assertIn("connect-src 'self'", page)
            self.assertIn(json.dumps(str(self.run_folder)), page)
            self.assertEqual(headers["Cache-Control"], "no-store")
            status, _, text = get(address + "recording/0")
            self.assertEqual((status, json.loads(text)["model"]), (200, "four_bar"))
            root = address.rsplit("/", 2)[0]
            for path in ("", "/", "/recording/0", "/" + 32 * "0" + "/", "/report.html"):
                self.assertEqual(get(root + path)[::2], (404, "nothing here\n"), path)
            for path in ("recording/1", "recording/", "summary.json", "../run/summary.json", "%2e%2e/", "recording/00"):
                self.assertEqual(get(address + path)[0], 404, path)

    def test_meshes_are_those_that_the_model_names(self):
        looks = pathlib.Path(__file__).parent.parent / "export/looks"
        out = pathlib.Path(self.room.name) / "looks"
        simulate(PROGRAM, looks / "model.toml", out, "--until", "0.1")
        with viewing(PROGRAM, out) as address:
            meshes = [mesh["file"] for mesh in json.loads(get(address + "recording/0")[2])["meshes"]]
            gltf = meshes.index("tetrahedron.gltf")
            self.assertEqual(get(f"{address}mesh/0/{gltf}")[::2], (200, (looks / "tetrahedron.gltf").read_text()))
            for path in (f"mesh/0/{len(meshes)}", "mesh/0/00", "mesh/0/-1", "mesh/0/model.toml", "mesh/1/0", "mesh/0/"):
                self.assertEqual(get(address + path)[0], 404, path)

    def test_token_is_new_each_time(self):
        with viewing(PROGRAM, self.run_folder) as one, viewing(PROGRAM, self.run_folder) as other:
            self.assertNotEqual(one.split("/")[3], other.split("/")[3])

    def test_listens_on_this_machine_only(self):
        with viewing(PROGRAM, self.run_folder) as address:
            port = int(re.search(r":(\d+)/", address)[1])
            with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as knock:
                self.assertEqual(knock.connect_ex(("127.0.0.1", port)), 0)
            try:
                own = socket.gethostbyname(socket.gethostname())
            except OSError:
                own = "127.0.0.1"
            if not own.startswith("127."):
                with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as knock:
                    self.assertNotEqual(knock.connect_ex((own, port)), 0)

    def test_answers_to_its_own_name_only(self):
        with viewing(PROGRAM, self.run_folder) as address:
            port = re.search(r":(\d+)/", address)[1]
            for host in (f"127.0.0.1:{port}", f"localhost:{port}", "localhost:8080"):
                self.assertEqual(get(address, Host=host)[0], 200, host)
            for host in (f"example.org:{port}", "127.0.0.1.example.org", "localhost.example.org:1", ""):
                self.assertEqual(get(address, Host=host)[::2], (403, "not for this host\n"), host)

    def test_data_are_sent_once(self):
        with viewing(PROGRAM, self.run_folder / "report.html") as address:
            tag = get(address + "recording/0")[1]["ETag"]
            self.assertEqual(get(address + "recording/0", **{"If-None-Match": tag})[0], 304)

    def test_port_can_be_chosen_and_may_be_taken(self):
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            taken.listen()
            self.refused(3, f"cannot listen on port {taken.getsockname()[1]} of 127.0.0.1",
                         self.run_folder, "--port", taken.getsockname()[1])

    def test_refuses_in_one_sentence(self):
        room = pathlib.Path(self.room.name)
        (room / "empty").mkdir(exist_ok=True)
        (room / "other.html").write_text("<html></html>")
        self.refused(3, "there is no such folder or file", room / "nowhere")
        self.refused(3, "there is no report.html, and no checkpoint", room / "empty")
        self.refused(3, "other.html is not a report of a run", room / "other.html")
        self.refused(3, "there is no such folder or file", self.run_folder, room / "nowhere")
        self.refused(2, "RUN", )
        self.refused(2, "RUN", "a", "b", "c")
        self.refused(2, "--port", self.run_folder, "--port", "70000")

    def refused(self, code, sentence, *arguments):
        done = subprocess.run([PROGRAM, "view", *map(str, arguments)], capture_output=True, text=True, timeout=60)
        self.assertEqual(done.returncode, code, done.stderr)
        self.assertIn(sentence, done.stderr)
        self.assertTrue(done.stderr.startswith("hamiltree: ") and done.stderr.count("\n") == 1, done.stderr)
        self.assertEqual(done.stdout, "")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
