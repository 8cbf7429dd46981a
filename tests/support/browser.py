"""Debian's headless Chromium, driven over a pipe in its own protocol (CDP): nothing to install.

Tests that need it exit with code 77 (skipped) where there is none or it does not start.
"""

import base64
import json
import os
import queue
import shutil
import subprocess
import sys
import tempfile
import threading

WITHOUT_WEBGL = ("--disable-3d-apis",)
# Graphics by the processor alone, as on a machine without a GPU.
IN_SOFTWARE = ("--disable-gpu", "--enable-unsafe-swiftshader")


def skip(why):
    print(f"SKIP: {why}")
    sys.exit(77)


class PageError(Exception):
    """The exceptions of scripts, and promises that failed."""


class Browser:
    """One browser, with one page. `complaints` gathers errors of scripts and of the console."""

    def __init__(self, *options):
        path = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
        if not path:
            skip("no chromium here; on Debian: apt-get install chromium")
        # Chromium's other processes may still write there when the first one has ended.
        self._profile = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        read_commands, self._commands = os.pipe()
        self._answers, write_answers = os.pipe()

        def to_3_and_4():  # where the browser looks for them
            commands, answers = os.dup(read_commands), os.dup(write_answers)
            os.dup2(commands, 3)
            os.dup2(answers, 4)

        self._process = subprocess.Popen(
            [path, "--headless", "--no-sandbox", "--disable-dev-shm-usage", "--disable-quic", "--no-first-run",
             "--disable-background-networking", "--disable-component-update", "--disable-sync",
             "--remote-debugging-pipe", f"--user-data-dir={self._profile.name}", *options, "about:blank"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, preexec_fn=to_3_and_4, close_fds=False)
        os.close(read_commands)
        os.close(write_answers)
        self._messages = queue.Queue()
        threading.Thread(target=self._listen, daemon=True).start()
        self._count = 0
        self._session = None
        self._loaded = 0
        self.complaints = []
        try:
            targets = self.call("Target.getTargets")["targetInfos"]
            page = next(target for target in targets if target["type"] == "page")
            self._session = self.call("Target.attachToTarget", targetId=page["targetId"],
                                      flatten=True)["sessionId"]
            for domain in ("Page", "Runtime", "Log"):
                self.call(f"{domain}.enable")
        except (queue.Empty, StopIteration, BrokenPipeError):
            self.close()
            skip(f"{path} does not start here")

    def _listen(self):
        pending = b""
        while chunk := os.read(self._answers, 1 << 16):
            *whole, pending = (pending + chunk).split(b"\0")
            for text in whole:
                self._messages.put(json.loads(text))

    def _hear(self, message):
        """Events that the browser sends unasked."""
        method, told = message.get("method"), message.get("params", {})
        if method == "Page.loadEventFired":
            self._loaded += 1
        elif method == "Runtime.exceptionThrown":
            details = told["exceptionDetails"]
            self.complaints.append(details.get("exception", {}).get("description", details["text"]))
        elif method == "Runtime.consoleAPICalled" and told["type"] in ("error", "warning", "assert"):
            self.complaints.append(" ".join(str(a.get("value", a)) for a in told["args"]))
        elif method == "Log.entryAdded" and told["entry"]["level"] == "error":
            self.complaints.append(told["entry"]["text"])

    def call(self, method, timeout=60, **parameters):
        self._count += 1
        message = {"id": self._count, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._commands, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._messages.get(timeout=timeout)
            if answer.get("id") == self._count:
                if "error" in answer:
                    raise PageError(answer["error"]["message"])
                return answer["result"]
            self._hear(answer)

    def open(self, url, timeout=60):
        """Returns once the page has loaded."""
        loaded = self._loaded
        self.complaints = []
        self.call("Page.navigate", url=url)
        while self._loaded == loaded:
            self._hear(self._messages.get(timeout=timeout))

    def run(self, script, timeout=60):
        """The value of an expression, or what its promise comes to."""
        result = self.call("Runtime.evaluate", timeout=timeout, expression=script, awaitPromise=True,
                           returnByValue=True, userGesture=True)
        if "exceptionDetails" in result:
            details = result["exceptionDetails"]
            raise PageError(details.get("exception", {}).get("description", details["text"]))
        return result["result"].get("value")

    def resize(self, width, height, phone=False):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height,
                  deviceScaleFactor=2 if phone else 1, mobile=phone)

    def theme(self, name):
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": name}])

    def key(self, key, code=0):
        """Pressed and released on the keyboard, wherever the focus is."""
        text = {"text": key} if len(key) == 1 else {}
        for kind in ("keyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=key, windowsVirtualKeyCode=code,
                      **(text if kind == "keyDown" else {}))

    def screenshot(self, path, of=None):
        """The page as it is seen, or the element that the selector `of` finds."""
        clip = {}
        if of:
            box = self.run(f"(({{x, y, width, height}}) => ({{x, y, width, height, scale: 1}}))"
                           f"(document.querySelector({of!r}).getBoundingClientRect())")
            clip = {"clip": box}
        with open(path, "wb") as out:
            out.write(base64.b64decode(self.call("Page.captureScreenshot", format="png", **clip)["data"]))

    def close(self):
        self._process.terminate()
        self._process.wait(timeout=20)
        self._profile.cleanup()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()
