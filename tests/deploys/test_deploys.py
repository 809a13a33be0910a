"""`check git:BRANCH`: what deploys did to the dates of pages, in real repositories."""

from __future__ import annotations

import gzip

import pytest

from sitemap_plugins.core.messages import FileError, GitError, OptionsError
from sitemap_plugins.deploys import check
from sitemap_plugins.deploys.check import MAX_DEPLOYS, check_deploys
from tests.check.checked_site import NOW, index, url, urlset
from tests.cli.command import run
from tests.full import FULL
from tests.git_repository import ENVIRON, GitRepository

MAY, JUNE, JULY = "2024-05-01", "2024-06-01", "2024-07-01"


def site(folder="", *, others=(), **pages):
    """Return the files of a deploy; a page's value is its date and its text."""
    entries = [url(f"{folder}{name}/", date) for name, (date, _) in pages.items()]
    files = {f"{folder}{name}/index.html": text for name, (_, text) in pages.items()}
    return {f"{folder}sitemap.xml": urlset(*entries), **files, **dict(others)}


@pytest.fixture
def repository(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return GitRepository(tmp_path)


def deployed(repository, *trees):
    for tree in trees:
        repository.commit(tree)
    return repository.write()


def checked(target="git:main"):
    return check_deploys(
        target,
        now=NOW,
        environ=ENVIRON,
        track=lambda items, _description: iter(items),
    )


def found(code, target="git:main"):
    return [
        each.problem.partition(" in ")[0]
        for each in checked(target).findings
        if each.code == code
    ]


def summary(target="git:main"):
    return [each.problem for each in checked(target).findings if each.code == "deploys"]


def test_dates_are_compared_with_the_bytes_of_their_pages(repository):
    old = site(a=(MAY, "1"), b=(MAY, "1"), c=(MAY, "1"), d=(JULY, "1"), e=(MAY, "1"))
    new = site(a=(JUNE, "1"), b=(JUNE, "2"), c=(MAY, "2"), d=(JUNE, "2"), e=(MAY, "1"))
    *_, last = deployed(repository, old, new)

    result = checked()
    end = f"in {last[:10]} of 2017-07-14"
    moved = (
        "'https://example.com/a/': moved from '2024-05-01' to '2024-06-01'"
        f" {end}, and the page is the same"
    )
    totals = (
        "in 1 deploy, 3 of 5 dates moved (60 %); of 3 pages whose date moved, 1 did"
        " not change by a byte (33 %)"
    )
    back = "'https://example.com/d/': went back from '2024-07-01' to '2024-06-01' "

    assert [(*each.kind, each.problem) for each in result.findings] == [
        ("moved-unchanged", "warning", moved),
        ("deploys", "info", totals),
        ("date-went-back", "info", f"{back}{end}"),
        ("date-kept", "info", f"'https://example.com/c/': stays '2024-05-01' {end}"),
    ]
    assert (1, 5, "https://example.com/") == (result.files, result.urls, result.site)


def test_equal_moments_are_the_same_date_and_missing_ones_are_not_compared(repository):
    old = site(a=("2024-05-01T02:00:00+02:00", "1"), b=("", "1"), c=("x", "1"))
    new = site(
        a=("2024-05-01T00:00:00Z", "1"), b=(MAY, "1"), c=(MAY, "1"), d=(MAY, "1")
    )
    deployed(repository, old, new)

    assert ["in 1 deploy, 0 of 1 dates moved (0 %)"] == summary()


def test_an_index_in_a_folder_is_read_with_its_compressed_parts(repository):
    def tree(date):
        part = gzip.compress(urlset(url("1.0/a/", date)).encode(), mtime=0)
        return {
            "1.0/sitemap.xml": index("https://example.com/1.0/pages.xml.gz"),
            "1.0/pages.xml.gz": part,
            "1.0/a/index.html": "1",
        }

    deployed(repository, tree(MAY), tree(JUNE), {**tree(JULY), "2.0/index.html": "x"})

    assert [
        "'https://example.com/1.0/a/': moved from '2024-06-01' to '2024-07-01'"
    ] == (found("moved-unchanged", "git:main:1.0/")[:1])
    totals = "in 2 deploys, 2 of 2 dates moved (100 %); of 2 pages whose date moved, 2"
    assert summary("git:main:1.0/sitemap.xml")[0].startswith(totals)


def test_a_link_to_the_sitemap_is_followed_within_the_branch(repository):
    def tree(date):
        link = {"sitemap.xml": (b"120000", "1.0/sitemap.xml")}
        return {**site("1.0/", a=(date, "1")), **link}

    outside = {"sitemap.xml": (b"120000", "/etc/passwd"), "a": "1"}
    deployed(repository, tree(MAY), tree(JUNE), outside)

    assert 1 == len(found("moved-unchanged", "git:main~1"))
    with pytest.raises(FileError, match="there is no such file in the repository"):
        checked()


def test_the_forms_of_urls_and_odd_names_lead_to_their_files(repository):
    names = {"a.html": "a", "é ü/index.html": "%C3%A9%20%C3%BC", "c.html": "c.html"}

    def tree(date):
        entries = [url(path, date) for path in names.values()]
        return {"sitemap.xml": urlset(*entries), **dict.fromkeys(names, "1")}

    deployed(repository, tree(MAY), tree(JUNE))

    assert 3 == len(found("moved-unchanged"))


def test_a_commit_that_changes_no_listed_page_is_not_a_deploy(repository):
    trees = [site(a=(MAY, "1"), others={"index.yaml": str(n)}) for n in range(3)]
    moved = site(a=(JUNE, "1"), others={"index.yaml": "3"})
    deployed(repository, *trees, moved, {**moved, "index.yaml": "4"})

    assert 1 == len(found("moved-unchanged"))
    assert summary()[0].startswith("in 1 deploy, 1 of 1 dates moved")


@FULL
def test_at_most_the_last_deploys_are_compared(repository):
    deployed(
        repository,
        *(site(a=(f"2024-01-01T00:{n:02}:00Z", "1")) for n in range(MAX_DEPLOYS + 5)),
    )

    assert summary()[0].startswith(f"in {MAX_DEPLOYS} deploys, ")


def test_a_range_holds_its_own_deploys(repository):
    trees = [site(a=(f"2024-01-{n:02}", "1")) for n in range(1, 6)]
    deployed(repository, *trees)

    assert summary("git:main~3..main")[0].startswith("in 2 deploys, ")


def test_deploys_whose_sitemap_cannot_be_read_are_skipped(repository):
    broken = {"sitemap.xml": "<urlset", "a/index.html": "1"}
    older, newer = site(a=(MAY, "1")), site(a=(JUNE, "1"))
    deployed(repository, {"README": "x"}, older, broken, {"README": "y"}, newer)

    assert 1 == len(found("moved-unchanged"))

    deployed(repository, broken)
    with pytest.raises(
        FileError, match=r"git:[0-9a-f]{40}:sitemap.xml:1: it is not well"
    ):
        checked()


@pytest.mark.parametrize(
    ("target", "said"),
    [
        (
            "git:main",
            "'main' has only one deploy with sitemap.xml",
        ),
        ("git:main:b/", "'main' has no commit with a file beside 'b/sitemap.xml'"),
        ("git:main:", "'main' has no sitemap.xml, but '1.0/sitemap.xml' and '2.0/site"),
        ("git:", "'git:' is not git:REVISION:PATH"),
    ],
)
def test_why_there_is_nothing_to_compare_is_one_sentence(repository, target, said):
    folders = ("1.0/", "2.0/") if target == "git:main:" else ("",)
    tree = {}
    for folder in folders:
        tree |= site(folder, a=(MAY, "1"))
    deployed(repository, tree)

    with pytest.raises(OptionsError, match=said):
        checked(target)


@pytest.mark.parametrize("revision", ["none", "--output=x", "--all --output=x"])
def test_an_unknown_revision_is_not_an_option_of_git(repository, tmp_path, revision):
    deployed(repository, site(a=(MAY, "1")))

    with pytest.raises(GitError):
        checked(f"git:{revision}")
    assert not (tmp_path / "x").exists()


def test_command_exits_as_for_other_targets(repository, tmp_path):
    deployed(repository, site(a=(MAY, "1")), site(a=(JUNE, "1")))

    code, out, err = run(tmp_path, "check", "git:main")
    assert (1, "") == (code, err)
    assert "warning[moved-unchanged] " in out
    assert 0 == run(tmp_path, "check", "git:main", "--fail-on", "error").returncode

    code, out, err = run(tmp_path, "check", "git:none")
    assert (2, "") == (code, out)
    assert err.startswith("Error: git does not know the revision (fatal: bad revision")
    for option in ("--links", "--no-fetch", "--required=a"):
        assert "not for a branch" in run(tmp_path, "check", "git:main", option).err


def bomb(repository, levels):
    """Add a tree that holds 10 times the one below it, on each level."""
    blob = repository.git("hash-object", "-w", "--stdin", stdin=b"1")
    tree = repository.git("mktree", stdin=f"100644 blob {blob}\tf".encode())
    for _ in range(levels):
        lines = "".join(f"040000 tree {tree}\t{name}\n" for name in range(10))
        tree = repository.git("mktree", stdin=lines.encode())
    return tree


def test_a_tree_that_holds_itself_many_times_is_not_listed_to_its_end(
    repository, monkeypatch
):
    monkeypatch.setattr(check, "MAX_LISTING", 1 << 20)
    commits = deployed(repository, site(a=(MAY, "1")), site(a=(JUNE, "1")))
    tree = repository.git("ls-tree", commits[-1])
    tree += f"\n040000 tree {bomb(repository, 9)}\tbomb"
    root = repository.git("mktree", stdin=tree.encode())
    last = repository.git("commit-tree", root, "-p", commits[-1], "-m", "x")

    with pytest.raises(FileError, match=r"the folder '.' has too many files"):
        checked(f"git:{last}")


def test_a_sitemap_of_too_many_urls_is_refused(repository, monkeypatch):
    monkeypatch.setattr(check, "MAX_URLS", 1)
    deployed(repository, site(a=(MAY, "1"), b=(MAY, "1")))

    with pytest.raises(FileError, match="the sitemap lists more than 1 URLs"):
        checked()


def test_programs_that_a_branch_names_do_not_run(repository, tmp_path):
    run_it = f"!touch {tmp_path}/ran"
    for name in ("filter.x.smudge", "diff.x.textconv", "diff.x.command"):
        repository.git("config", name, run_it)
    attributes = {".gitattributes": "* filter=x diff=x"}
    old, new = (site(a=(date, "1"), others=attributes) for date in (MAY, JUNE))
    for tree in (old, new):
        repository.commit(tree)
    repository.write(checkout=False)

    assert 1 == len(found("moved-unchanged"))
    assert not (tmp_path / "ran").exists()
