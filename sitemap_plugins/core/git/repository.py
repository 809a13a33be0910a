"""A git repository: its files, those that are edited, its log, the commits to ignore.

Files are given by their real paths; paths and object names are bytes, as in git's
output.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections import defaultdict
from collections.abc import (
    Callable,
    Collection,
    Generator,
    Iterable,
    Iterator,
    Mapping,
    Sequence,
)
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from sitemap_plugins.core.git import log
from sitemap_plugins.core.git.log import Change, Commit
from sitemap_plugins.core.git.program import Clock, Git
from sitemap_plugins.core.messages import Environ, GitError, Notice, Notices, quoted
from sitemap_plugins.core.untrusted_files import (
    is_inside,
    is_relative,
    read_regular_file,
    root_above,
    seen_from,
)

IGNORE_REVS_FILE = ".git-blame-ignore-revs"
"""The name that GitHub, GitLab and the manual of `git blame` use."""

MAX_IGNORE_REVS = 1 << 20
"""Room for 25,000 commits; Sphinx's own list holds 203."""

MAX_BOUNDARY = 1 << 24
"""Bytes of the list of a shallow clone's oldest commits: room for 400,000."""

MAX_COPY = 1 << 24
"""Bytes of a file that is compared with those of the last commit; texts have fewer."""

MAX_BYTES = 1 << 32
"""Bytes of all old versions that are read.

Twelve times the 276 versions of a catalog of packaging.python.org, which take two
seconds. Git's own time limit ends what takes longer.
"""

MAX_RENAMED = 20_000
"""Files of one commit whose contents git compares with each other."""

_SHA1_DIGITS = 40

_DIFF = ("--no-color", "--no-ext-diff", "--no-textconv", "--ignore-submodules=all")
_LOG = ("log", *log.LOG_ARGUMENTS, "--no-show-signature", "--no-relative", *_DIFF)
_RAW = ("--raw", "-z", "--no-abbrev", "--no-relative", *_DIFF)
_RENAMES = ("--diff-filter=ADR", f"-l{MAX_RENAMED}")
_GLOBS = "--no-literal-pathspecs"
"""For one command, paths can be patterns."""

_SHOW = (
    "-r",
    "--root",
    "--always",
    *log.LOG_ARGUMENTS,
    "--diff-merges=first-parent",
    *_DIFF,
)
_STATUS = (
    "status",
    "--porcelain=v1",
    "-z",
    "--untracked-files=all",
    "--no-renames",
    "--ignore-submodules=all",
)
_SUBJECTS = (
    "log",
    "--no-walk",
    "-z",
    "--format=%H %<(200,trunc)%s",
    "--encoding=UTF-8",
    "--no-patch",
    "--no-color",
    "--no-show-signature",
    "--stdin",
)
_FILTER = re.compile(rb"filter\.(.*)\.[^.]+", re.DOTALL)  # A name can be empty.
_OBJECT_NAME = re.compile(rb"[0-9a-f]{40}(?:[0-9a-f]{24})?")
_FOUND = re.compile(rb"([0-9a-f]+) ([a-z]+) [0-9]+\n")
"""An object, its kind and its size, as `git cat-file --batch-check` prints them."""


def has_changes(folder: Path, environ: Environ) -> bool:
    """Tell whether git tracks files in a folder that differs from the last commit.

    Raises:
        GitError: Git is not installed, refuses or fails, or there is no commit yet.
    """
    top = os.path.realpath(folder)
    if root_above(top, {}) is None:
        return False
    repository = Repository.open(top, environ=environ)
    paths = ["--", seen_from(str(repository.root), top)]
    if not repository.git.run("ls-files", "-z", *paths):
        return False
    return bool(repository.git.run(*_STATUS, *paths, without=repository.filters))


@dataclass(frozen=True, kw_only=True)
class Repository:
    """A repository at its last commit.

    Every method raises GitError if git fails or takes too long.
    """

    root: Path
    """The working tree's real path."""

    head: bytes
    """The last commit."""

    boundary: frozenset[bytes]
    """Commits of a shallow clone without their parents: their changes are unknown."""

    git: Git
    """How to run git here."""

    history: Git | None = None
    """How to read the history elsewhere, without contents of files; None for here."""

    fetch: Callable[[Collection[bytes]], Git | Notice] | None = None
    """Fetches contents by the names of blobs; None if nothing may be fetched.

    Returns how to read them, or why that failed, now or earlier.
    """

    @classmethod
    def open(
        cls,
        folder: str | Path,
        *,
        environ: Environ,
        took: float = 0,
        clock: Clock | None = None,
    ) -> Repository:
        """Open the repository that a folder belongs to.

        `took` and `clock` are as in `Git.at`.

        Raises:
            GitError: Git is not installed, refuses or fails, or there is no commit yet.
        """
        git = Git.at(Path(folder), environ, took=took, clock=clock)
        question = ("--is-shallow-repository", "--revs-only", "HEAD", "--show-toplevel")
        answer = git.run("rev-parse", *question)
        shallow, _, rest = answer.removesuffix(b"\n").partition(b"\n")
        head, _, root = rest.partition(b"\n")
        if not _OBJECT_NAME.fullmatch(head):
            # The answer has no line for a missing commit, so that `head` is the root.
            text = f"{folder} has no commits yet"
            raise GitError(text, cure="commit the pages", code="no-commits")
        git = git._replace(folder=Path(os.path.realpath(os.fsdecode(root))))
        boundary = _boundary(git) if shallow == b"true" else frozenset()
        return cls(root=git.folder, head=head, boundary=boundary, git=git)

    def path(self, file: str) -> bytes | None:
        """Return git's path for a file's real path; None outside the working tree."""
        folder = os.path.join(self.root, "")
        if not file.startswith(folder):
            return None
        return os.fsencode(file.removeprefix(folder).replace(os.sep, "/"))

    def files(self) -> frozenset[str]:
        """Return the names of all files, relative to the root, with slashes.

        Includes files that are not committed yet, but not those that git ignores.
        """
        listing = self.git.run(
            "ls-files", "-z", "--cached", "--others", "--exclude-standard"
        )
        return frozenset(os.fsdecode(name) for name in listing.split(b"\0") if name)

    def blobs(self, paths: Collection[bytes]) -> dict[bytes, bytes]:
        """Return the blob of each path that is a file in the last commit."""
        files = self._tree("--", *_pathspecs(paths))
        return {path: files[path] for path in paths if path in files}

    def _tree(self, *pathspecs: str) -> dict[bytes, bytes]:
        listing = self.git.run("ls-tree", "-r", "-z", self.head.decode(), *pathspecs)
        return log.parse_tree(listing)

    def find(self, name: bytes) -> tuple[bytes, bytes]:
        """Return the object that a revision names, and its kind; both empty for none.

        See gitrevisions: also `COMMIT^:FOLDER`.
        """
        # In the input, git does not take a name for an option.
        line = name.replace(b"\n", b"") + b"\n"
        answer = self.whole.run("cat-file", "--batch-check", stdin=line)
        found = _FOUND.fullmatch(answer)
        return (found[1], found[2]) if found else (b"", b"")

    def names_in(self, commit: bytes, folder: bytes) -> list[bytes]:
        """Return the paths of all files below a folder of a commit.

        If `folder` is empty, return the paths of all files of the commit.
        """
        paths = ("--", os.fsdecode(folder)) if folder else ()
        form = ("-r", "-z", "--name-only", commit.decode())
        listing = self.whole.run("ls-tree", *form, *paths)
        return listing.removesuffix(b"\0").split(b"\0")

    def originals(self, paths: Iterable[bytes]) -> dict[bytes, bytes]:
        """Return for each path the file of the last commit that it copies, if any.

        A path copies a file if that is the only one with the same bytes and, but for
        its case, the same name. So a copy that a build makes, of CHANGELOG.md for
        example, is dated as the file is.
        """
        path_of = {self.root / os.fsdecode(path): path for path in paths}
        same = self._same_bytes(path_of, by_name=True)
        return {path_of[file]: original for file, original in same.items()}

    def same_bytes(self, files: Iterable[Path]) -> dict[Path, str]:
        """Return for each file the only one of the last commit with the same bytes.

        `files` can be anywhere; the names are relative to the root, with slashes.
        """
        same = self._same_bytes(files)
        return {file: os.fsdecode(path) for file, path in same.items()}

    def _same_bytes(
        self, files: Iterable[Path], *, by_name: bool = False
    ) -> dict[Path, bytes]:
        """Return for each file the only one of the last commit with the same bytes.

        With `by_name`, files of another name do not count; case does not matter.
        """
        blobs = {file: self._blob_names(file) for file in files}
        if not any(blobs.values()):
            return {}
        paths: dict[tuple[bytes, bytes], list[bytes]] = defaultdict(list)
        for path, blob in self._tree().items():
            key = (blob, _name(path) if by_name else b"")
            # Two show that a file is not the only one: there can be thousands.
            paths[key] = [*paths[key][:1], path]
        found = {}
        for file, names in blobs.items():
            name = os.fsencode(file.name).lower() if by_name else b""
            same = [path for blob in names for path in paths[blob, name]]
            if len(same) == 1:
                found[file] = same[0]
        return found

    def _blob_names(self, file: Path) -> list[bytes]:
        """Return the names that git can give to a file's bytes.

        There is no name for a file that is empty, cannot be read or has too many bytes.
        """
        try:
            content = read_regular_file(file, max_bytes=MAX_COPY)
        except OSError:
            return []
        if not content:
            return []
        contents = [content]
        # With `core.autocrlf`, the default of Git for Windows, a text has other line
        # ends in the working tree than in a commit. Git takes a file with NUL for no
        # text.
        if b"\r\n" in content and b"\0" not in content:
            contents.append(content.replace(b"\r\n", b"\n"))
        sha = hashlib.sha1 if len(self.head) == _SHA1_DIGITS else hashlib.sha256
        names = []
        for each in contents:
            blob = b"blob %d\0%b" % (len(each), each)
            names.append(sha(blob, usedforsecurity=False).hexdigest().encode())
        return names

    def edited(self, paths: Collection[bytes]) -> set[bytes]:
        """Return the paths that differ from the last commit, but those git ignores.

        A file with a filter that the repository's own configuration sets up counts as
        unchanged: only the filter could tell, and it is not run.
        """
        filters = self.filters
        listing = self.git.run(*_STATUS, "--", *_pathspecs(paths), without=filters)
        edited = log.parse_status(listing).intersection(paths)
        if filters and edited:
            names = self.git.run(
                "check-attr", "-z", "--stdin", "filter", stdin=b"\0".join(edited)
            )
            edited -= log.parse_filters(names, filters)
        return edited

    def edits(
        self, paths: Collection[bytes], blobs: Mapping[bytes, bytes]
    ) -> Iterator[tuple[bytes, bytes | None, bytes | None]]:
        """Yield each path with its content in the last commit and its present content.

        A content is None if it is missing or cannot be read. `blobs` has the blobs of
        paths in the last commit.
        """
        if not paths:
            return
        with self.contents() as contents:
            for path in paths:
                old = None
                if path in blobs:
                    old = contents.read(blobs[path])
                new = None
                with suppress(OSError):
                    file = self.root / os.fsdecode(path)
                    new = read_regular_file(file, max_bytes=MAX_COPY)
                yield path, old, new

    @contextmanager
    def contents(self) -> Iterator[Contents]:
        """Start to read contents of blobs."""
        with ExitStack() as closer:
            yield Contents(self, closer)

    @property
    def whole(self) -> Git:
        """What reads all of the history: elsewhere, if it was fetched."""
        return self.history or self.git

    @cached_property
    def settings(self) -> Sequence[tuple[bytes, bytes]]:
        """Names and values of the repository's own configuration, in order."""
        return self.git.settings()

    @cached_property
    def filters(self) -> frozenset[bytes]:
        """The filters that the repository's own configuration sets up, by name.

        `git status` would run them to compare a file. The user's filters (Git LFS) are
        not among them.
        """
        found = (_FILTER.fullmatch(key) for key, _ in self.settings)
        return frozenset(match[1] for match in found if match)

    def may_lack_contents(self) -> bool:
        """Tell whether contents can be missing, as after `clone --filter=blob:none`.

        A history that was fetched lacks contents too.
        """
        if self.history:
            return True
        return any(key.endswith(b".promisor") for key, _ in self.settings)

    def log(
        self, *arguments: str, starts: Iterable[bytes], paths: Iterable[bytes] = ()
    ) -> Generator[Commit]:
        """Yield the commits of `git log` from some commits down.

        If a start begins with a caret, the log ends at that commit. Closing the
        iterator ends git.
        """
        pathspecs = map(os.fsdecode, paths)
        command = (*_LOG, *arguments, "--stdin", "--", *pathspecs)
        with closing(self.whole.stream(*command, stdin=b"\n".join(starts))) as chunks:
            yield from log.parse_log(chunks)

    def renames(
        self, commits: Iterable[bytes], patterns: Sequence[str], *, kept: int
    ) -> Generator[Commit]:
        """Yield commits, in their order, with the renames among files of patterns.

        A file counts as renamed if it kept at least `kept` per cent of its content. For
        less than 100, git reads the contents of all files that were added or deleted.
        """
        form = (*_LOG, *_RENAMES, f"-M{kept}%", "--no-walk=unsorted", "--stdin")
        command = (_GLOBS, *form, "--", *patterns)
        with closing(self.whole.stream(*command, stdin=b"\n".join(commits))) as chunks:
            yield from log.parse_log(chunks)

    def uncommitted_renames(self, patterns: Sequence[str]) -> list[Change]:
        """Return how the working tree differs from the last commit, with renames."""
        command = ("diff", *_RAW, *_RENAMES, "-M", self.head.decode(), "--", *patterns)
        listing = self.git.run(_GLOBS, *command, without=self.filters)
        return log.parse_changes(listing)

    def with_contents(self, blobs: Collection[bytes]) -> Repository | None:
        """Return the repository with a history that has the contents of `blobs`.

        Contents that are missing are fetched. The result is None if that fails.
        """
        if not self.may_lack_contents():
            return self
        folders = [_objects(self.git)]
        lacking = {*blobs} - self.git.objects()
        if lacking:
            fetched = self.fetch(lacking) if self.fetch else None
            if not isinstance(fetched, Git):
                return None
            folders.append(_objects(fetched))
        # In quotes, git takes a colon as a part of the name, and a backslash (92) as
        # the beginning of an escape.
        names = (f'"{each.replace(chr(92), chr(92) * 2)}"' for each in folders)
        own = {"GIT_ALTERNATE_OBJECT_DIRECTORIES": os.pathsep.join(names)}
        environ = {**self.whole.environ, **own}
        return replace(self, history=self.whole._replace(environ=environ))

    @contextmanager
    def commits(
        self, paths: Iterable[bytes]
    ) -> Iterator[Callable[[bytes], Iterator[Commit]]]:
        """Start to read single commits with one git process.

        The context's value is a function that takes a commit's name, and yields the
        commit, or nothing if the repository does not have it. The changes of the commit
        are those of `paths` against its first parent.
        """
        arguments = [*_SHOW, "--", *map(os.fsdecode, paths)]
        with self.whole.commits(*arguments) as show:
            yield lambda name: log.parse_log([show(name)])

    def subjects(self, commits: Iterable[str]) -> dict[str, str]:
        """Return the first line of each commit's message, by the commit's full name.

        Git cuts a line at 200 characters.
        """
        listing = self.whole.run(*_SUBJECTS, stdin="\n".join(sorted(commits)).encode())
        found = {}
        for item in filter(None, listing.split(b"\0")):
            name, _, text = item.partition(b" ")
            found[name.decode()] = text.decode("utf-8", "replace").rstrip()
        return found


class Contents:
    """Reads contents by the names of blobs: in one run of git, one more if fetched."""

    def __init__(self, repository: Repository, closer: ExitStack) -> None:
        """Start to read; `closer` ends it."""
        self._fetch = repository.fetch
        self._closer = closer
        git = repository.git
        self._present: frozenset[bytes] | None = None
        """The blobs that the clone has; None for all."""
        if repository.may_lack_contents():
            # Git before 2.45 fails when it is asked for another blob, since it may not
            # fetch one. The empty name, of a missing file, is never fetched.
            self._present = git.objects() | {b""}
        self._own = closer.enter_context(git.blobs(max_bytes=MAX_COPY))
        self._fetched: Callable[[bytes], bytes | None] | None = None
        self._tried: set[bytes] = set()
        self._left = MAX_BYTES

    def fetch(
        self, blobs: Iterable[bytes], older: Callable[[], Iterable[bytes]] = set
    ) -> None:
        """Fetch the blobs that the clone lacks, all in one go, if wanted and possible.

        From the second call on, fetch the contents that `older` names as well, so that
        a few calls are enough.
        """
        if self._fetch is None or self._present is None:
            return
        lacking = {*blobs} - self._present - self._tried
        if not lacking:
            return
        if self._tried:
            lacking |= {*older()} - self._present
        self._tried |= lacking
        git = self._fetch(lacking)
        if isinstance(git, Notice):
            self._fetch = None
        else:
            contents = git.blobs(max_bytes=MAX_COPY)
            self._fetched = self._closer.enter_context(contents)

    def read(self, blob: bytes) -> bytes | None:
        """Return the content of a blob.

        The result is None for a blob that is larger than `MAX_COPY`, or missing, as old
        versions are after `git clone --filter=blob:none`, and for any blob once
        `MAX_BYTES` have been read.
        """
        is_here = self._present is None or blob in self._present
        read = self._own if is_here else self._fetched
        if read is None or self._left <= 0:
            return None
        found = read(blob)
        self._left -= len(found or b"")
        return found


def _name(path: bytes) -> bytes:
    return path.rpartition(b"/")[2].lower()


def _objects(git: Git) -> str:
    """Return the folder in which a repository keeps what it has."""
    name = git.run("rev-parse", "--git-path", "objects").removesuffix(b"\n")
    return str(Path(git.folder, os.fsdecode(name)))


def _boundary(git: Git) -> frozenset[bytes]:
    """Return the commits at which a shallow clone's history ends."""
    name = git.run("rev-parse", "--git-path", "shallow").removesuffix(b"\n")
    file = Path(git.folder, os.fsdecode(name))
    try:
        content = read_regular_file(file, root=git.folder, max_bytes=MAX_BOUNDARY)
    except OSError as error:
        text = f"{file} cannot be read ({error})"
        cure = "make it readable, or clone again"
        raise GitError(text, cure=cure, code="git-failed") from None
    return frozenset(content.split())


def _pathspecs(paths: Collection[bytes]) -> list[str]:
    return [os.fsdecode(path) for path in log.cover_paths(paths)]


_Ignored = tuple[frozenset[bytes], Notices]
"""Commits in full names, and notices."""


def read_ignore_revs(root: Path, *, option: str | bool | tuple[str, ...]) -> _Ignored:
    """Return the commits that a repository's file for `blame.ignoreRevsFile` lists.

    A notice says why the file, or a line of it, cannot be used. A line contains one
    full name; a comment begins with `#`. The option is `Options.ignore_revs`: False for
    no file, True for the usual name, which may be missing, or another name, relative to
    the root. If the option has several names, any of these files may be missing.
    """
    if option is False:
        return frozenset(), ()
    if isinstance(option, str):
        return _read_ignored(root, option)
    if option is True:
        option = (IGNORE_REVS_FILE,)
    every: frozenset[bytes] = frozenset()
    about: Notices = ()
    for name in option:
        if os.path.lexists(os.path.join(root, name)):
            listed, problems = _read_ignored(root, name)
            every |= listed
            about += problems
    return every, about


def _read_ignored(root: Path, name: str) -> _Ignored:
    """Return the commits that one file lists."""
    if not (is_relative(name) and is_inside(os.path.normpath(name))):
        problem = f"{quoted(name)} does not name a file below the repository's root"
        return _unread(problem)
    file = Path(root, name)
    try:
        content = read_regular_file(file, root=root, max_bytes=MAX_IGNORE_REVS)
    except (OSError, ValueError) as error:
        # ValueError: the name contains a NUL character.
        reason = getattr(error, "strerror", None) or error
        return _unread(f"{quoted(name)} cannot be read ({reason})")
    commits, wrong = _parse_ignored(content)
    if not wrong:
        return commits, ()
    # The option can name any file of the repository, so nothing of the file is quoted.
    problem = f"line {wrong} of {file} is not a full commit name"
    return commits, (Notice("ignore-revs", problem, cure="write all of it"),)


def _parse_ignored(content: bytes) -> tuple[frozenset[bytes], int]:
    """Return the commits of a list, and its first line that names none; 0 for none."""
    commits = set()
    wrong = 0
    for number, text in enumerate(content.splitlines(), 1):
        line = text.partition(b"#")[0].strip().lower()
        if _OBJECT_NAME.fullmatch(line):
            commits.add(line)
        elif line and not wrong:
            wrong = number
    return frozenset(commits), wrong


def _unread(problem: str) -> _Ignored:
    text = f"{problem}, so no commit is ignored"
    return frozenset(), (Notice("ignore-revs", text, cure="correct `ignore_revs`"),)
