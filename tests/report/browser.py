"""A headless Chromium, by its DevTools protocol over two pipes, so that no package is needed."""

from __future__ import annotations

import base64
import json
import os
import select
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


def find_browser() -> str | None:
    return next((found for name in NAMES if (found := shutil.which(name))), None)


class Browser:
    """One page. What goes wrong in it, and what it asks the network for, is in `problems` and `requests`."""

    def __init__(self, program: str, patience: float = 60) -> None:
        self.patience = patience
        self.problems: list[str] = []
        self.requests: list[str] = []
        self._profile = tempfile.TemporaryDirectory(prefix="reprise-browser-")
        to_browser, self._out = os.pipe()
        self._in, from_browser = os.pipe()

        def pipes() -> None:
            # The protocol is spoken on descriptors 3 and 4; these may be those of the pipes themselves.
            first, second = os.dup(to_browser), os.dup(from_browser)
            os.dup2(first, 3)
            os.dup2(second, 4)

        self._process = subprocess.Popen(
            [program, "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
             "--disable-background-networking", "--disable-component-update", "--hide-scrollbars",
             f"--user-data-dir={self._profile.name}", "--remote-debugging-pipe", "about:blank"],
            preexec_fn=pipes, close_fds=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        os.close(to_browser)
        os.close(from_browser)
        self._buffer = b""
        self._number = 0
        self._session: str | None = None
        targets = self.send("Target.getTargets")["targetInfos"]
        page = next(t for t in targets if t["type"] == "page")
        self._session = self.send("Target.attachToTarget", targetId=page["targetId"], flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.send(f"{domain}.enable")

    def close(self) -> None:
        try:
            self._session = None
            self.send("Browser.close")
        except (OSError, RuntimeError, TimeoutError):
            self._process.kill()
        self._process.wait(30)
        self._profile.cleanup()

    def send(self, method: str, **params: object) -> dict:
        self._number += 1
        number = self._number
        message: dict = {"id": number, "method": method, "params": params}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._out, json.dumps(message).encode() + b"\0")
        end = time.monotonic() + self.patience
        while True:
            answer = self._receive(end)
            if answer.get("id") == number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']['message']}")
                return answer["result"]
            self._notice(answer)

    def _receive(self, end: float) -> dict:
        while b"\0" not in self._buffer:
            if not select.select([self._in], [], [], max(0.0, end - time.monotonic()))[0]:
                raise TimeoutError("the browser does not answer")
            piece = os.read(self._in, 1 << 20)
            if not piece:
                raise RuntimeError("the browser has ended")
            self._buffer += piece
        message, self._buffer = self._buffer.split(b"\0", 1)
        return json.loads(message)

    def _notice(self, event: dict) -> None:
        method, params = event.get("method"), event.get("params", {})
        if method == "Runtime.exceptionThrown":
            details = params["exceptionDetails"]
            self.problems.append(details.get("exception", {}).get("description", details["text"]))
        elif method == "Runtime.consoleAPICalled" and params["type"] in ("error", "warning", "assert"):
            self.problems.append(" ".join(str(a.get("value", a.get("description"))) for a in params["args"]))
        elif method == "Log.entryAdded" and params["entry"]["level"] in ("error", "warning"):
            self.problems.append(params["entry"]["text"])
        elif method == "Network.requestWillBeSent":
            url = params["request"]["url"]
            if not url.startswith(("blob:", "data:", "about:")):
                self.requests.append(url)

    def open(self, path: Path, hash_: str = "") -> float:
        """Returns how long the page took until it was ready [s]."""
        self.send("Page.navigate", url="about:blank")
        began = time.monotonic()
        self.send("Page.navigate", url=path.resolve().as_uri() + hash_)
        self.wait("document.documentElement?.dataset.ready === 'true'", step=0.01)
        return time.monotonic() - began

    def evaluate(self, expression: str) -> object:
        """The value of an expression, or of its promise."""
        result = self.send("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in result:
            details = result["exceptionDetails"]
            raise RuntimeError(f"{expression}: {details.get('exception', {}).get('description', details['text'])}")
        return result["result"].get("value")

    def wait(self, expression: str, step: float = 0.05) -> None:
        end = time.monotonic() + self.patience
        while not self.evaluate(expression):
            if time.monotonic() > end:
                raise TimeoutError(f"never true: {expression}")
            time.sleep(step)

    def click(self, selector: str) -> None:
        self.evaluate(f"document.querySelector({json.dumps(selector)}).click()")

    def mouse(self, kind: str, x: float, y: float, **more: object) -> None:
        self.send("Input.dispatchMouseEvent", type=kind, x=x, y=y, **more)

    def key(self, key: str) -> None:
        text = key if len(key) == 1 else ""
        self.send("Input.dispatchKeyEvent", type="keyDown", key=key, text=text)
        self.send("Input.dispatchKeyEvent", type="keyUp", key=key)

    def size(self, width: int, height: int) -> None:
        self.send("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)

    def theme(self, theme: str) -> None:
        self.send("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": theme}])

    def picture(self, path: Path) -> None:
        path.write_bytes(base64.b64decode(self.send("Page.captureScreenshot", format="png")["data"]))
