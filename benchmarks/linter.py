"""What `check` finds in `benchmarks/faults`: faulty and odd but valid sites.

    python -m benchmarks.linter [--list] [NAME …]

The cases were written from the standards and from what Google and Bing document,
before the code of `check` was read. A fault counts as found if there is any finding,
and as found in its place if one finding's message, URL, file or line shows it. `--list`
prints each case with its findings; names choose cases.
"""

from __future__ import annotations

import json
import sys
import tempfile
import threading
from collections import Counter
from contextlib import chdir
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from click.testing import CliRunner

from benchmarks.faults import files, folders, served, valid
from benchmarks.faults.cases import HOST, Answer, Case
from sitemap_plugins.cli.commands import commands

if TYPE_CHECKING:
    from collections.abc import Iterable

Finding = dict[str, Any]
"""A finding as `--format json` prints it."""

LIVE = ["--rate", "1000", "--retries", "0", "--timeout", "2"]


class _Handler(BaseHTTPRequestHandler):
    """Answers with the case's answers; the site's host is this server."""

    answers: ClassVar[dict[str, Answer]] = {}

    def do_GET(self) -> None:
        body, status, headers = self.answers.get(self.path, Answer("nothing", 404))
        content = body.encode() if isinstance(body, str) else body
        address = f"http://{self.headers['Host']}"
        content = content.replace(HOST.encode(), address.encode())
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value.replace(HOST, address))
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_: object) -> None:
        """Print nothing."""


def check(*arguments: str) -> list[Finding]:
    """Return the findings of a command; what it refuses is a finding too."""
    command = ["check", *arguments, "--format", "json", "--verbose"]
    result = CliRunner().invoke(commands, command)
    try:
        return json.loads(result.stdout)["findings"]
    except ValueError:
        # It reads no feeds, and says so.
        message = result.stderr.strip()
        return [{"code": "refused", "severity": "info", "message": message}]


def findings_on_disk(case: Case) -> list[Finding]:
    """Write the case's files into a project of their own and check the target."""
    for name, content in case.files.items():
        file = Path("site", name)
        file.parent.mkdir(parents=True, exist_ok=True)
        is_text = isinstance(content, str)
        file.write_bytes(content.encode() if is_text else content)
    return check(str(Path("site", case.target)))


def findings_served(case: Case, server: ThreadingHTTPServer) -> list[Finding]:
    """Serve the case's answers and check its target."""
    _Handler.answers = {**case.files}
    return check(f"http://127.0.0.1:{server.server_port}{case.target}", *LIVE)


def is_in_place(case: Case, findings: Iterable[Finding]) -> bool:
    """Tell whether a finding shows where the fault is."""
    lines = _lines_with(case)
    for finding in findings:
        shown = " ".join(str(value) for value in finding.values())
        if case.at in shown or finding.get("line") in lines:
            return True
    return False


def _lines_with(case: Case) -> set[int]:
    """Return the lines of the case's files that have the text of the fault."""
    lines = set()
    for content in case.files.values():
        text = content if isinstance(content, str) else ""
        for number, line in enumerate(text.splitlines(), 1):
            if case.at and case.at in line:
                lines.add(number)
    return lines


def outcome(case: Case, findings: list[Finding]) -> str:
    """Return the column of the table that the case belongs in."""
    if not case.fault:
        loud = [each for each in findings if each["severity"] != "info"]
        return "false alarm" if loud else "quiet"
    if not findings or findings[0]["code"] == "refused":
        return "missed"
    return "found" if is_in_place(case, findings) else "wrong place"


def run() -> None:
    """Check all cases, or the chosen ones, and print the table."""
    chosen = {argument for argument in sys.argv[1:] if argument != "--list"}
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    kinds = {
        "files": files.faulty(),
        "folders": folders.faulty(),
        "served": served.faulty(),
        "odd but valid": valid.valid(),
    }
    print("| cases | number | found | wrong place | missed | false alarm |")
    print("|---|---|---|---|---|---|")
    listed = []
    for kind, cases in kinds.items():
        counts: Counter[str] = Counter()
        for case in cases:
            if chosen and case.name not in chosen:
                continue
            with tempfile.TemporaryDirectory() as folder, chdir(folder):
                if kind == "served":
                    findings = findings_served(case, server)
                else:
                    findings = findings_on_disk(case)
            column = outcome(case, findings)
            counts[column] += 1
            listed.append(f"{column:12} {case.name}: {case.fault} [{case.rule}]")
            for finding in findings[:5]:
                words = f"{finding['severity']} {finding['code']}: {finding['message']}"
                line = f"{finding.get('file', '')}:{finding.get('line', '')}"
                listed.append(f"      {line} {words[:300]}")
        columns = ("found", "wrong place", "missed", "false alarm")
        numbers = " | ".join(str(counts[column]) for column in columns)
        print(f"| {kind} | {counts.total()} | {numbers} |")
    if "--list" in sys.argv:
        print("\n".join(listed))


if __name__ == "__main__":
    run()
