"""Create real repositories with any history.

A commit is given as its whole tree, so that a merge can contain any change.
"""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

ENVIRON = {
    "PATH": os.environ["PATH"],
    "GIT_CONFIG_GLOBAL": str(Path(__file__).with_name("gitconfig")),
    "GIT_CONFIG_NOSYSTEM": "1",
}
if "SYSTEMROOT" in os.environ:  # Windows has no sockets without it.
    ENVIRON["SYSTEMROOT"] = os.environ["SYSTEMROOT"]
"""Environment of git in tests, without settings of the machine."""

START = 1_500_000_000
"""The first commit's time where a test does not give one;
the others follow by the minute."""


class GitRepository:
    """A repository in a folder, made with options of `git init`;
    `write` writes all commits."""

    def __init__(
        self, folder: Path, *options: str, hash_function: str = "sha1"
    ) -> None:
        self.folder = folder
        self._script = b""
        self._count = 0
        folder.mkdir(parents=True, exist_ok=True)
        form = f"--object-format={hash_function}"
        self.git("init", "--quiet", "--initial-branch=main", form, *options)

    def git(self, *arguments: str, stdin: bytes = b"") -> str:
        identity = {
            f"GIT_{who}_{what}": "t"
            for who in ("AUTHOR", "COMMITTER")
            for what in ("NAME", "EMAIL")
        }
        done = subprocess.run(
            ["git", *arguments],
            cwd=self.folder,
            env=ENVIRON | identity,
            input=stdin,
            capture_output=True,
            check=False,
        )
        assert 0 == done.returncode, done.stderr
        return os.fsdecode(done.stdout).rstrip("\n")

    def commit(self, tree, *, parents=None, time=None) -> int:
        """Add a commit, after the last one by default; return its number, from 1."""
        if parents is None:
            parents = [self._count] if self._count else []
        self._count += 1
        time = START + 60 * self._count if time is None else time
        lines = [
            b"commit refs/made/%d" % self._count,
            b"mark :%d" % self._count,
            b"committer T <t@example.com> %d +0000" % time,
            _data(b"commit %d" % self._count),
        ]
        lines += [
            b"%s :%d" % (b"merge" if i else b"from", p) for i, p in enumerate(parents)
        ]
        lines.append(b"deleteall")
        for path, content in tree.items():
            mode, text = content if isinstance(content, tuple) else (b"100644", content)
            lines += [
                b"M %s inline %s" % (mode, _quoted(_bytes(path))),
                _data(_bytes(text)),
            ]
        self._script += b"\n".join(lines) + b"\n"
        return self._count

    def write(self, *, checkout=True) -> list[str]:
        """Write the commits, the last one as HEAD;
        return their names, by their numbers."""
        self._script += b"reset refs/heads/main\nfrom :%d\n" % self._count
        marks = self.folder / ".git" / "marks"
        options = (f"--import-marks-if-exists={marks}", f"--export-marks={marks}")
        self.git("fast-import", "--quiet", "--force", *options, stdin=self._script)
        self._script = b""
        if checkout:
            self.git("reset", "--quiet", "--hard")
        known = dict(line.split() for line in marks.read_text().splitlines())
        return ["", *(known[f":{number}"] for number in range(1, self._count + 1))]


def _bytes(text) -> bytes:
    return text if isinstance(text, bytes) else os.fsencode(text)


def _data(content: bytes) -> bytes:
    return b"data %d\n%s" % (len(content), content)


def _quoted(path: bytes) -> bytes:
    for plain, escaped in ((b"\\", b"\\\\"), (b'"', b'\\"'), (b"\n", b"\\n")):
        path = path.replace(plain, escaped)
    return b'"%s"' % path
