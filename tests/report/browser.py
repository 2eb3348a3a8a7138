"""A headless Chromium by way of chromedriver's HTTP protocol; nothing but the standard library."""

import json
import re
import shutil
import subprocess
import tempfile
import urllib.request

FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
         "--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-dev-shm-usage",
         "--hide-scrollbars", "--window-size=1240,1600"]


class Browser:
    """One browser with an empty profile; ends with its block."""

    def __enter__(self) -> "Browser":
        self.profile = tempfile.mkdtemp()
        self.driver = subprocess.Popen(["chromedriver", "--port=0"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                       text=True)
        self.session = ""
        try:
            self.address = f"http://127.0.0.1:{self.port()}"
            options = {"args": [*FLAGS, f"--user-data-dir={self.profile}"], "binary": shutil.which("chromium")}
            logs = {"browser": "ALL", "performance": "ALL"}
            capabilities = {"browserName": "chrome", "goog:chromeOptions": options, "goog:loggingPrefs": logs}
            answer = self.ask("POST", "/session", {"capabilities": {"alwaysMatch": capabilities}})
            self.session = f"/session/{answer['sessionId']}"
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        if self.session:
            self.ask("DELETE", self.session)
        self.driver.terminate()
        self.driver.wait(20)
        shutil.rmtree(self.profile, ignore_errors=True)

    def port(self) -> int:
        """The port that chromedriver chose."""
        for line in self.driver.stdout:
            if match := re.search(r"started successfully on port (\d+)", line):
                return int(match[1])
        raise RuntimeError("chromedriver did not start")

    def ask(self, method: str, path: str, body: dict | None = None) -> object:
        """One request to chromedriver, past any proxy."""
        data = json.dumps(body or {}).encode() if method == "POST" else None
        request = urllib.request.Request(self.address + path, data, {"Content-Type": "application/json"}, method=method)
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        with opener.open(request, timeout=60) as answer:
            return json.load(answer)["value"]

    def open(self, address: str) -> None:
        """Loads a page and forgets what was logged before."""
        self.ask("POST", f"{self.session}/url", {"url": "about:blank"})
        self.log("browser"), self.log("performance")
        self.ask("POST", f"{self.session}/url", {"url": address})

    def log(self, kind: str) -> list[dict]:
        """What was logged since the last call."""
        return self.ask("POST", f"{self.session}/se/log", {"type": kind})

    def run(self, script: str) -> object:
        """The value of the promise that an asynchronous function's body returns."""
        wrapped = f"const done = arguments[0]; (async () => {{ {script} }})().then(done, e => done({{error: String(e)}}));"
        return self.ask("POST", f"{self.session}/execute/async", {"script": wrapped, "args": []})

    def screenshot(self) -> str:
        """What is seen, as PNG in base64."""
        return self.ask("GET", f"{self.session}/screenshot")
