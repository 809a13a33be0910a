"""Print the mutants of a module that no test noticed,
and the share of those that a test noticed.

`nox -s mutation` runs this after mutmut. Mutants that differ only in the words of a
text are
ignored: tests compare codes and values, not every word.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections import Counter

RESULT = re.compile(r"^ *(\S+): (.+)$", re.MULTILINE)
TEXT = re.compile(r"""[bfr]*("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')""", re.IGNORECASE)


def mutmut(*arguments):
    """Return what mutmut prints."""
    command = [sys.executable, "-m", "mutmut", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def changed_lines(diff):
    """Return the removed and the added lines of a diff."""
    lines = [line for line in diff.splitlines() if not line.startswith(("---", "+++"))]
    return [
        "\n".join(line[1:] for line in lines if line.startswith(sign)) for sign in "-+"
    ]


def is_text_only(diff):
    """Return whether a mutant differs from the code only in the words of texts."""
    before, after = (TEXT.sub('""', lines) for lines in changed_lines(diff))
    return before == after


def main():
    """Print each survivor's change, then the counts."""
    counts = Counter()
    for name, outcome in RESULT.findall(mutmut("results", "--all", "true")):
        diff = "" if outcome == "killed" else mutmut("show", name)
        if diff and is_text_only(diff):
            continue
        counts[outcome] += 1
        if diff:
            print(f"{name}: {outcome}", *changed_lines(diff), sep="\n")
    total = counts.total()
    print(f"{counts['killed']} of {total} mutants killed; {dict(counts)}")


if __name__ == "__main__":
    main()
