"""Change a module in many small ways, and print the changes that no test notices.

`python -m tests.mutation sitemap_plugins/core/urls.py tests/unit/test_urls.py` rewrites
the module, so that `nox -s mutation` runs it in a copy. mutmut makes the changes, called
mutants, of functions without decorators. Those of a text of several words are left out:
tests compare codes and values. Rules, so that what is printed is true:

- Each mutant has a process of its own, forked from one that has only collected tests.
  Nothing that a test made is there before, and its temporary folders are its own. (In a
  folder for all, pytest removes what another run of it has not locked.)
- First all tests run without a mutant, and must pass. This also tells which functions
  each of them calls, in any process: commands and generators import the module, too.
- A mutant meets the tests that call its function, then those that share a fixture with
  them, which may call it only once. First come the files that call most functions of its
  module, and of each file the quickest tests. It is killed if one fails.
- After 25 mutants, the tests of the last one run without it. If one fails now, the run
  ends, and what it found since the last such time is void.
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import difflib
import functools
import itertools
import json
import math
import os
import random
import re
import resource
import shutil
import signal
import sys
import tempfile
import time
import traceback
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from mutmut.mutation.file_mutation import mutate_file_contents
from mutmut.mutation.trampoline import set_mutant_under_test

from tests.mutated import CALLS

SEED = 58
"""Of the mutants that `--sample` draws."""
BATCH = 25
"""Mutants until tests run without one again."""
MEMORY = 6 << 30
"""Bytes that a process may map: a loop without an end may also fill a list."""
TICK = 0.05
"""Seconds between looks at what runs. They are counted, and not read from a clock, so
that a process which is stopped for a while is not taken for one that stalls."""
PATIENCE = 30
"""Seconds that a test may take beside ten times of what the slowest one took without a
mutant."""
LONGEST = 1200
"""Seconds that a test may take without a mutant."""
UNNOTICED = r"^(?:survived|not reached) (\S+)"
"""How lines about mutants that no test noticed begin."""
RECORD = "stats"
"""The mutant by which each function writes that it is called."""
TEXT = re.compile(
    r"""
    '(?:[^'\\]|\\.)*'    # a text
    | "(?:[^"\\]|\\.)*"  # or, if it has an apostrophe
    """,
    re.VERBOSE,
)


def mutate(file):
    """Write all mutants of a module into it;
    return the name of each with the lines that it changes."""
    mutated = mutate_file_contents(str(file), file.read_text("utf-8"))
    theirs = "from mutmut.mutation.trampoline import"
    code = mutated.code.replace(theirs, "from tests.mutated import", 1)
    file.write_text(code, "utf-8")
    functions = {}
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            functions[node.name] = node

    changes = {}
    for name in mutated.mutant_names:
        original = f"{name.rpartition('__mutmut_')[0]}__mutmut_orig"
        before, after = (lines(functions[each]) for each in (original, name))
        if without_prose(before) != without_prose(after):
            changes[f"{dotted(file)}.{name}"] = difference(before, after)
    return changes


def dotted(file):
    """Return the name by which a module is imported."""
    return str(file.with_suffix("")).replace(os.sep, ".").removesuffix(".__init__")


@functools.cache
def lines(function):
    """Return the lines of a function, without a mutant's name."""
    text = re.sub(r"def \w+__mutmut_\w+", "def _", ast.unparse(function), count=1)
    return tuple(text.splitlines())


def without_prose(code):
    """Return code without the texts that have a space."""
    return [TEXT.sub(_without_words, line) for line in code]


def _without_words(text):
    return "''" if " " in text[0].strip("' ") else text[0]


def difference(before, after):
    found = difflib.unified_diff(before, after, lineterm="", n=0)
    return "\n".join(line for line in found if line[:2] not in ("--", "++", "@@"))


@dataclass
class Trial:
    """Tests that run in a process of their own."""

    mutant: str
    """Empty for none."""
    items: list[pytest.Item]
    limit: float
    """Seconds that one of them may take."""
    stops: bool = True
    """Whether the first test that fails is the last one."""
    folder: Path | None = None
    is_late: bool = False
    """Whether a test reached its limit."""
    ended: int = 0
    """Tests that have ended."""
    ticks: int = 0
    """Since then."""

    def look(self):
        """See at a tick how far the process is."""
        progress = self.folder / "progress"
        ended = progress.stat().st_size if progress.exists() else 0
        self.ticks = self.ticks + 1 if ended == self.ended else 0
        self.ended = ended
        if ended < len(self.items):
            self.is_late = self.ticks * TICK > self.limit

    def results(self):
        """Return what `_result` says of each test that has ended."""
        file = self.folder / "results"
        if not file.exists():
            return []
        return [json.loads(line) for line in file.read_text("utf-8").splitlines()]


class Trials:
    """Runs trials, some at a time."""

    def __init__(self, workers, folder):
        self._workers = workers
        self._folder = folder
        self._started = 0
        self._reports = []

    def run(self, trials):
        """Yield each trial when it has ended."""
        running = {}
        try:
            yield from self._run(iter(trials), running)
        finally:
            for pid in running:
                kill(pid)

    def _run(self, waiting, running):
        while True:
            while len(running) < self._workers and (trial := next(waiting, None)):
                running[self._start(trial)] = trial
            if not running:
                return
            time.sleep(TICK)
            for pid, trial in list(running.items()):
                ended, _ = os.waitpid(pid, os.WNOHANG)
                trial.look()
                if ended or trial.is_late:
                    kill(pid)
                    if not ended:
                        os.waitpid(pid, 0)
                    del running[pid]
                    yield trial
                    shutil.rmtree(trial.folder, ignore_errors=True)

    def _start(self, trial):
        self._started += 1
        trial.folder = self._folder / str(self._started)
        trial.folder.mkdir()
        pid = os.fork()
        if not pid:
            try:
                self._become(trial)
            except BaseException:  # noqa: BLE001 to print it where somebody reads it
                (trial.folder / "error").write_text(traceback.format_exc(), "utf-8")
            finally:
                os._exit(0)
        return pid

    def _become(self, trial):
        os.setpgid(0, 0)
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        null = os.open(os.devnull, os.O_RDWR)
        for standard in (0, 1, 2):
            os.dup2(null, standard)
        temporary = trial.folder / "tmp"
        temporary.mkdir()
        os.environ["TMPDIR"] = tempfile.tempdir = str(temporary)
        set_mutant_under_test(trial.mutant)
        for item, following in zip(trial.items, [*trial.items[1:], None], strict=True):
            result = self._result(item, following, trial.folder)
            with (trial.folder / "results").open("a", encoding="utf-8") as file:
                file.write(json.dumps(result) + "\n")
            with (trial.folder / "progress").open("a", encoding="utf-8") as file:
                file.write(".")
            if trial.stops and result["why"]:
                return

    def pytest_runtest_logreport(self, report):
        self._reports.append(report)

    def _result(self, item, following, folder):
        """Run a test; return its name, whether it passed, why it failed, its seconds,
        and the functions that it called."""
        calls = folder / f"calls{len(self._reports)}"
        os.environ[CALLS] = str(calls)
        before = len(self._reports)
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
        reports = self._reports[before:]
        failed = [report for report in reports if report.failed]
        return {
            "test": item.nodeid,
            "passed": all(report.passed for report in reports),
            "why": why(failed[0]) if failed else "",
            "seconds": sum(report.duration for report in reports),
            "calls": calls.read_text("utf-8").split() if calls.exists() else [],
        }


def kill(pid):
    """Kill the process of a trial, if it has not ended, and what its tests started."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(pid, signal.SIGKILL)


def shared_fixtures(item):
    """Return the fixtures of a test that others use once they are made."""
    definitions = item._fixtureinfo.name2fixturedefs
    used = [found[-1] for found in definitions.values()]
    return {each for each in used if each.scope in ("class", "module")}


def why(report):
    """Return the beginning of what pytest says of a test that failed."""
    crash = getattr(report.longrepr, "reprcrash", None)
    text = crash.message if crash else str(report.longrepr)
    return f"{report.when}: {text[:200]}"


@dataclass
class Mutation:
    """Runs in place of pytest's own loop over the tests."""

    changes: dict[str, str]
    """Of each mutant, by its name."""
    names: list[str]
    """Of those to run."""
    trials: Trials
    seconds: float
    """Those that tests may take for one mutant, as they take without one."""
    counts: Counter = field(default_factory=Counter)
    """Mutants by what became of them."""
    _seconds: dict[str, float] = field(default_factory=dict)
    """Of each test that passes."""
    _calling: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    """The tests that call each function."""

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session):
        files = defaultdict(list)
        for item in session.items:
            files[item.path].append(item)
        if not self._all_pass([*files.values()]):
            self.counts["void"] += 1
            return True
        for trial in self.trials.run(self._trials([*files.values()])):
            if trial.mutant:
                self._judge(trial)
            elif not self._is_sound(trial):
                self.counts["void"] += 1
                break
        return True

    def _all_pass(self, files):
        """Run each file of tests without a mutant, and see what each test calls."""
        trials = [Trial(RECORD, items, LONGEST, stops=False) for items in files]
        for trial in self.trials.run(trials):
            if not self._is_sound(trial):
                return False
            for result in trial.results():
                if result["passed"]:
                    self._seconds[result["test"]] = result["seconds"]
                    for function in result["calls"]:
                        self._calling[function].add(result["test"])
        total = sum(self._seconds.values())
        print(f"{len(self._seconds)} tests pass in {total:.0f} s", flush=True)
        return True

    def _is_sound(self, trial):
        """Print which tests fail without a mutant; return whether none does."""
        failed = [result for result in trial.results() if result["why"]]
        for result in failed:
            print(f"void: without a mutant fails {result['test']}: {result['why']}")
        if trial.ended < len(trial.items):
            test = trial.items[trial.ended].nodeid
            print(f"void: without a mutant does not end {test}")
            error = trial.folder / "error"
            print(error.read_text("utf-8") if error.exists() else "")
            return False
        print(f"{trial.ended} tests run without a mutant", flush=True)
        return not failed

    def _trials(self, files):
        """Yield a trial for each mutant, and one without any after each batch."""
        last = None
        for number, name in enumerate(self.names, 1):
            items = self._chosen(files, name.partition("__mutmut_")[0])
            if items:
                # Another one than before may be the first that uses a fixture.
                slowest = max(map(self._seconds_of, items))
                last = Trial(name, items, PATIENCE + 10 * slowest)
                yield last
            else:
                self._tell(name, "not reached")
            if last and (number % BATCH == 0 or number == len(self.names)):
                yield Trial("", last.items, LONGEST, stops=False)

    def _chosen(self, files, function):
        """Return the tests that reach a function, in the order to run."""
        calling = self._calling[function]
        module = function.rpartition(".")[0]
        near = []
        others = []
        for items in files:
            passing = [item for item in items if item.nodeid in self._seconds]
            direct = [item for item in passing if item.nodeid in calling]
            if direct:
                direct.sort(key=self._seconds_of)
                near.append(direct)
                fixtures = set().union(*map(shared_fixtures, direct))
                others += [
                    item
                    for item in passing
                    if item not in direct and fixtures & shared_fixtures(item)
                ]
        near.sort(key=lambda direct: self._calls_of(direct, module), reverse=True)
        return self._in_time([*itertools.chain.from_iterable(near), *others])

    def _in_time(self, items):
        """Return the first test, and those after it that the time for a mutant allows."""
        chosen = []
        seconds = 0
        for item in items:
            seconds += self._seconds_of(item)
            if chosen and seconds > self.seconds:
                break
            chosen.append(item)
        return chosen

    def _calls_of(self, items, module):
        """Return how many functions of a module tests call: most are called by those
        that are about it."""
        names = {item.nodeid for item in items}
        return sum(
            function.rpartition(".")[0] == module and not names.isdisjoint(tests)
            for function, tests in self._calling.items()
        )

    def _seconds_of(self, item):
        return self._seconds[item.nodeid]

    def _judge(self, trial):
        results = trial.results()
        if trial.is_late:
            self._tell(trial.mutant, "time limit", trial.items[trial.ended].nodeid)
        elif results and results[-1]["why"]:
            test, reason = results[-1]["test"], results[-1]["why"]
            self._tell(trial.mutant, "killed", f"{test}: {reason!r}")
        elif trial.ended < len(trial.items):
            test = trial.items[trial.ended].nodeid
            self._tell(trial.mutant, "killed", f"{test}: its process ended")
        else:
            self._tell(trial.mutant, "survived", f"{trial.ended} tests")

    def _tell(self, name, outcome, more=""):
        self.counts[outcome] += 1
        print(f"{outcome} {name} {more}")
        if outcome in ("survived", "not reached"):
            print(self.changes[name])
        sys.stdout.flush()


def main():
    """Mutate modules, run their tests, and print what they do not notice."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--sample", type=int, help="how many mutants to draw a module")
    parser.add_argument(
        "--only", type=Path, help="the output of a run, whose survivors run again"
    )
    parser.add_argument(
        "--seconds",
        type=float,
        default=math.inf,
        help="which the tests of one mutant may take; the quickest run",
    )
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    parser.add_argument("modules", help="a module, or a pattern such as 'core/*.py'")
    parser.add_argument("tests", nargs=argparse.REMAINDER)
    given = parser.parse_args()
    unnoticed = ""
    if given.only:
        unnoticed = given.only.read_text("utf-8")
    kept = set(re.findall(UNNOTICED, unnoticed, re.MULTILINE))
    changes = {}
    names = []
    for module in sorted(Path().glob(given.modules)):
        if kept and not any(name.startswith(f"{dotted(module)}.x") for name in kept):
            continue
        found = mutate(module)
        drawn = [name for name in found if name in kept or not kept]
        random.Random(SEED).shuffle(drawn)
        names += drawn[: given.sample]
        changes |= found
    os.environ["PYTHONPATH"] = str(Path.cwd())
    with tempfile.TemporaryDirectory(prefix="mutation-") as folder:
        os.environ["TMPDIR"] = tempfile.tempdir = folder
        trials = Trials(given.workers, Path(folder))
        mutation = Mutation(changes, names, trials, given.seconds)
        # Other tracebacks parse the source, which all the mutants make long.
        arguments = ["-qq", "-s", "-p", "no:cacheprovider", "--tb=native", *given.tests]
        pytest.main(arguments, plugins=[mutation, trials])
    counts = ", ".join(f"{n} {outcome}" for outcome, n in mutation.counts.most_common())
    print(f"{given.modules}: {len(names)} of {len(changes)} mutants: {counts}")
    return bool(mutation.counts["void"])


if __name__ == "__main__":
    sys.exit(main())
