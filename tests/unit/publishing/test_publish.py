"""Files on disk: replaced whole, equal ones untouched, our old ones removed,
others kept."""

from __future__ import annotations

import gzip
import os
import re
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from sitemap_plugins.core.messages import OutputError
from sitemap_plugins.core.publishing import staging, xml
from sitemap_plugins.core.publishing.plan import File
from sitemap_plugins.core.publishing.publish import publish, stylesheet, write_files
from sitemap_plugins.core.publishing.staging import staging_folder
from sitemap_plugins.core.records import Entry
from tests.written import content_of

try:
    import fcntl
except ImportError:  # On Windows.
    fcntl = None

HEAD = xml.urlset_header("sitemap.xml", links=False)
LONG_AGO = 1_000_000_000


def ours(text=b""):
    """Return the bytes of a file of the set `sitemap.xml`."""
    return HEAD + text + xml.URLSET_FOOTER


def written(folder, *files, filename="sitemap.xml"):
    """Publish files, given as name and bytes, and return their names."""
    made = (File(name=name, chunks=[content]) for name, content in files)
    written, notices = publish(made, output_dir=folder, filename=filename)
    assert () == notices
    return [file.name for file in written]


def test_files_are_written_in_order_and_nothing_else_is_left(tmp_path):
    names = written(tmp_path, ("b.xml", b"B"), ("a.xml", b"A"))

    assert ["b.xml", "a.xml"] == names
    assert {"a.xml": b"A", "b.xml": b"B"} == content_of(tmp_path)


def test_chunks_are_joined_without_separators(tmp_path):
    file = File(name="sitemap.xml", chunks=iter([b"a", b"", b"\r\n", b"b"]))

    publish([file], output_dir=tmp_path, filename="sitemap.xml")

    assert {"sitemap.xml": b"a\r\nb"} == content_of(tmp_path)


def test_different_file_is_replaced(tmp_path):
    (tmp_path / "sitemap.xml").write_bytes(b"the host's own")

    written(tmp_path, ("sitemap.xml", b"new"))

    assert {"sitemap.xml": b"new"} == content_of(tmp_path)


FEED = b"<?xml version='1.0'?>\n<feed xmlns='http://www.w3.org/2005/Atom'/>"


@pytest.mark.parametrize(
    ("name", "content", "new"),
    [
        ("feed.xml", FEED, ours()),
        ("feed.xml", b"<!-- <urlset> --><rss/>", ours()),
        ("feed.xml", b"<!doctype html><html>", ours()),
        ("feed.xml", b"text", ours()),
        ("feed.txt", b"text", b"https://example.com/\n"),
        ("feed.xml.gz", gzip.compress(FEED, mtime=0), ours()),
    ],
)
def test_sitemap_does_not_replace_a_file_of_another_kind(tmp_path, name, content, new):
    (tmp_path / name).write_bytes(content)
    first = File(name="a.xml", chunks=[ours()])
    file = File(name=name.removesuffix(".gz"), chunks=[new], gzip=name.endswith(".gz"))

    said = f"'{re.escape(name)}' in the output folder is not a sitemap, so it is not replaced: give"
    with pytest.raises(OutputError, match=said):
        publish([first, file], output_dir=tmp_path, filename="feed.xml")
    with pytest.raises(OutputError, match=said):
        write_files([first, file], output_dir=tmp_path)
    assert {name: content} == {
        file.name: file.read_bytes() for file in tmp_path.glob("[!.]*")
    }


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\xef\xbb\xbf<?xml version='1.0'?>\n<!-- a --><?b c?> <s:urlset xmlns:s='x'/>",
        b"<sitemapindex/>",
        b"<!DOCTYPE urlset>\n<urlset><url><loc>broken",
        b"https://example.com/\n",
    ],
)
def test_sitemap_of_another_program_is_replaced(tmp_path, content):
    (tmp_path / "sitemap.xml").write_bytes(content)

    written(tmp_path, ("sitemap.xml", ours()))

    assert {"sitemap.xml": ours()} == content_of(tmp_path)


def test_link_to_a_file_of_another_kind_is_replaced_and_the_file_kept(tmp_path):
    (tmp_path / "out").mkdir()
    (tmp_path / "feed.xml").write_bytes(FEED)
    (tmp_path / "out/sitemap.xml").symlink_to(tmp_path / "feed.xml")

    written(tmp_path / "out", ("sitemap.xml", ours()))

    assert FEED == (tmp_path / "feed.xml").read_bytes()
    assert {"sitemap.xml": ours()} == content_of(tmp_path / "out")


@pytest.mark.parametrize(
    "piece", [b" ", b"<!---->", b"<?a?>", b"<!--", b"<?", b"<", b"<a:"]
)
def test_hostile_file_in_place_of_a_sitemap_takes_no_time(tmp_path, piece):
    (tmp_path / "pages.xml").write_bytes(piece * 1_000_000)

    with pytest.raises(OutputError, match="is not a sitemap"):
        written(tmp_path, ("pages.xml", ours()))


def test_file_named_as_a_sitemap_is_replaced(tmp_path):
    """Projects have templates of that name, which generators copy."""
    (tmp_path / "sitemap.xml").write_bytes(b"{% for page in pages %}")

    assert ["sitemap.xml"] == written(tmp_path, ("sitemap.xml", ours()))


def test_equal_bytes_are_not_written_again(tmp_path):
    for name in ("same.xml", "other.xml"):
        (tmp_path / name).write_bytes(b"same")
        os.utime(tmp_path / name, (LONG_AGO, LONG_AGO))

    names = written(tmp_path, ("same.xml", b"same"), ("other.xml", b"othr"))

    assert ["same.xml", "other.xml"] == names
    assert LONG_AGO == (tmp_path / "same.xml").stat().st_mtime
    assert (tmp_path / "other.xml").stat().st_mtime != LONG_AGO


def test_equal_bytes_behind_a_symbolic_link_become_a_file(tmp_path):
    (tmp_path / "elsewhere").write_bytes(b"same")
    (tmp_path / "sitemap.xml").symlink_to(tmp_path / "elsewhere")

    written(tmp_path, ("sitemap.xml", b"same"))

    assert not (tmp_path / "sitemap.xml").is_symlink()


def test_equal_size_and_time_are_not_equal_bytes(tmp_path):
    target = tmp_path / "sitemap.xml"
    target.write_bytes(b"old")

    def files():
        yield File(name="sitemap.xml", chunks=[b"new"])
        (staged,) = tmp_path.glob(".*/sitemap.xml")
        os.utime(target, ns=(0, staged.stat().st_mtime_ns))

    publish(files(), output_dir=tmp_path, filename="sitemap.xml")

    assert b"new" == target.read_bytes()


@pytest.mark.parametrize("link", [os.link, os.symlink])
def test_nothing_is_written_through_a_link(tmp_path, link):
    """Pelican hard-links the user's own robots.txt into the output folder."""
    source, output = tmp_path / "source.txt", tmp_path / "output"
    source.write_bytes(b"the user's")
    output.mkdir()
    link(source, output / "robots.txt")

    written(output, ("robots.txt", b"the user's\nSitemap: x\n"))

    assert b"the user's" == source.read_bytes()
    assert {"robots.txt": b"the user's\nSitemap: x\n"} == content_of(output)


def test_broken_link_is_replaced(tmp_path):
    (tmp_path / "sitemap.xml").symlink_to(tmp_path / "nowhere" / "x")

    written(tmp_path, ("sitemap.xml", b"new"))

    assert {"sitemap.xml": b"new"} == content_of(tmp_path)


@pytest.mark.skipif(sys.platform == "win32", reason="modes are POSIX")
def test_new_file_has_the_usual_mode(tmp_path):
    (tmp_path / "any").touch()

    written(tmp_path, ("sitemap.xml", b"new"))

    assert (tmp_path / "sitemap.xml").stat().st_mode == (
        tmp_path / "any"
    ).stat().st_mode


@pytest.mark.skipif(sys.platform == "win32", reason="modes are POSIX")
@pytest.mark.parametrize("mode", [0o640, 0o664, 0o444])
def test_replaced_file_keeps_its_mode(tmp_path, mode):
    (tmp_path / "sitemap.xml").write_bytes(b"old")
    (tmp_path / "sitemap.xml").chmod(mode)

    written(tmp_path, ("sitemap.xml", b"new"))

    assert mode == stat.S_IMODE((tmp_path / "sitemap.xml").stat().st_mode)


@pytest.mark.skipif(sys.platform == "win32", reason="modes are POSIX")
def test_setuid_bit_is_not_kept(tmp_path):
    (tmp_path / "sitemap.xml").write_bytes(b"old")
    (tmp_path / "sitemap.xml").chmod(0o4755)

    written(tmp_path, ("sitemap.xml", b"new"))

    assert 0o755 == stat.S_IMODE((tmp_path / "sitemap.xml").stat().st_mode)


def test_pipe_in_place_of_a_file_is_replaced(tmp_path):
    os.mkfifo(tmp_path / "sitemap.xml")

    written(tmp_path, ("sitemap.xml", b"new"))

    assert {"sitemap.xml": b"new"} == content_of(tmp_path)


@pytest.mark.parametrize("name", ["sitemap-2.xml", "sitemap-2.xml.gz"])
def test_pipe_with_a_name_of_ours_is_kept_without_waiting(tmp_path, name):
    os.mkfifo(tmp_path / name)

    written(tmp_path, ("sitemap.xml", b"new"))

    assert (tmp_path / name).is_fifo()


def publish_twin(folder, content=b"<urlset/>" * 1000):
    folder.mkdir()
    file = File(name="sitemap.xml", chunks=[content], gzip=True)
    return [
        f.name for f in publish([file], output_dir=folder, filename="sitemap.xml")[0]
    ]


def test_gzip_copy_has_the_same_content(tmp_path):
    names = publish_twin(tmp_path / "site")

    content = content_of(tmp_path / "site")
    assert ["sitemap.xml", "sitemap.xml.gz"] == names
    assert gzip.decompress(content["sitemap.xml.gz"]) == content["sitemap.xml"]
    assert len(content["sitemap.xml.gz"]) < len(content["sitemap.xml"])


def test_gzip_copy_has_no_time_and_no_name(tmp_path):
    """RFC 1952, section 2.3: no flags, so no name; the time is zero."""
    publish_twin(tmp_path / "one")
    publish_twin(tmp_path / "other place")

    one, other = (
        (tmp_path / folder / "sitemap.xml.gz").read_bytes()
        for folder in ("one", "other place")
    )
    assert one == other
    assert b"\0\0\0\0\0" == one[3:8]


def test_write_files_removes_no_old_file(tmp_path):
    (tmp_path / "sitemap-2.xml").write_bytes(ours())
    (tmp_path / "robots.txt").write_bytes(b"old")
    robots = File(name="robots.txt", chunks=[b"new"], gzip=True)

    names = [file.name for file in write_files([robots], output_dir=tmp_path)]

    content = content_of(tmp_path)
    assert ["robots.txt", "robots.txt.gz"] == names
    assert b"new" == gzip.decompress(content.pop("robots.txt.gz"))
    assert {"robots.txt": b"new", "sitemap-2.xml": ours()} == content


@pytest.mark.skipif(
    not Path("/dev/fd").is_dir(), reason="needs a list of the open files"
)
def test_no_file_is_left_open(tmp_path):
    """A server that builds repeatedly can open only about a thousand files."""
    before = [*Path("/dev/fd").iterdir()]

    publish_twin(tmp_path / "site")

    assert len([*Path("/dev/fd").iterdir()]) <= len(before)


def part(key, text=b""):
    """Return the bytes of the part of the set `sitemap.xml`
    that has this key in its name."""
    return xml.urlset_header("sitemap.xml", key, links=False) + text + xml.URLSET_FOOTER


def test_old_part_removed_by_another_program_gives_no_notice(tmp_path):
    (tmp_path / "sitemap-2.xml").write_bytes(part("2"))

    def profile(_frame, event, function):
        if event == "c_call" and function is os.replace:
            (tmp_path / "sitemap-2.xml").unlink()

    sys.setprofile(profile)
    try:
        written(tmp_path, ("sitemap.xml", b"new"))
    finally:
        sys.setprofile(None)

    assert {"sitemap.xml": b"new"} == content_of(tmp_path)


def test_our_old_parts_are_removed(tmp_path):
    for key in ("2", "33", "index-2"):
        (tmp_path / f"sitemap-{key}.xml").write_bytes(part(key))
    (tmp_path / "sitemap-2.xml.gz").write_bytes(
        gzip.compress(part("2", b"x" * 100_000))
    )
    (tmp_path / "sitemap.xml.gz").write_bytes(gzip.compress(ours(b"x" * 100_000)))

    written(tmp_path, ("sitemap-1.xml", part("1")), ("sitemap.xml", ours()))

    assert ["sitemap-1.xml", "sitemap.xml"] == sorted(content_of(tmp_path))


def test_our_sitemap_is_removed_if_no_page_is_left(tmp_path):
    (tmp_path / "sitemap.xml").write_bytes(ours())

    assert [] == written(tmp_path)
    assert {} == content_of(tmp_path)


def test_our_old_style_sheet_is_removed(tmp_path):
    """Also one with another style: its comment is the signature."""
    (tmp_path / "sitemap.css").write_bytes(
        b"/*! sitemap_plugins: sitemap.xml */\nbody {}"
    )

    written(tmp_path, ("sitemap.xml", b"new"))

    assert {"sitemap.xml": b"new"} == content_of(tmp_path)


def test_style_sheet_of_the_new_sitemap_is_kept(tmp_path):
    files = {"sitemap.css": stylesheet("sitemap.xml"), "sitemap.xml": ours()}

    for _ in range(2):
        written(tmp_path, *files.items())

        assert files == content_of(tmp_path)


def test_old_parts_that_contain_their_own_name_are_removed(tmp_path):
    for key in ("0123456789ab", "guide", "guide-0123456789ab", "2024"):
        (tmp_path / f"sitemap-{key}.xml").write_bytes(part(key))
        (tmp_path / f"sitemap-{key}.xml.gz").write_bytes(gzip.compress(part(key)))

    written(tmp_path, ("sitemap-guide.xml", part("guide")), ("sitemap.xml", ours()))

    assert ["sitemap-guide.xml", "sitemap.xml"] == sorted(content_of(tmp_path))


URLS = b"https://example.com/a?b&c='d'&e=\"f\"\nhttps://example.com/e\n"
ELEMENTS = b"".join(
    xml.url_element(Entry(url=url.decode()), "date") for url in URLS.splitlines()
)


@pytest.mark.parametrize("packed", [False, True])
def test_old_text_sitemap_is_removed_if_our_xml_file_lists_the_same_urls(
    tmp_path, packed
):
    for key, name in {"": "sitemap", "guide": "sitemap-guide"}.items():
        (tmp_path / f"{name}.txt").write_bytes(URLS)
        (tmp_path / f"{name}.txt.gz").write_bytes(gzip.compress(URLS))
        content = part(key, ELEMENTS)
        (tmp_path / f"{name}.xml{'.gz' * packed}").write_bytes(
            gzip.compress(content) if packed else content
        )

    written(tmp_path, ("sitemap.xml", b"new"))

    assert {"sitemap.xml": b"new"} == content_of(tmp_path)


@pytest.mark.parametrize(
    ("text", "xml_file"),
    [
        (URLS, None),
        (URLS, b"<urlset>" + ELEMENTS + b"</urlset>"),
        (URLS, part("other", ELEMENTS)),
        (URLS, ours()),
        (URLS[:-1], ours(ELEMENTS)),
        (b"# mine\n" + URLS, ours(ELEMENTS)),
        (b"", ours(ELEMENTS)),
        (b"", ours()),
        (URLS, ours(ELEMENTS + b"<loc>\xff</loc>")),
    ],
)
def test_text_sitemap_of_the_user_is_kept(tmp_path, text, xml_file):
    (tmp_path / "sitemap.txt").write_bytes(text)
    if xml_file is not None:
        (tmp_path / "sitemap.xml").write_bytes(xml_file)

    written(tmp_path, ("sitemap.xml", b"new"))

    assert content_of(tmp_path) == {"sitemap.xml": b"new", "sitemap.txt": text}


@pytest.mark.parametrize(
    ("name", "content"),
    [
        # A copy of a part, under another name.
        ("sitemap-old.xml", part("guide")),
        ("sitemap-guide-old.xml", part("guide")),
        ("sitemap-guide.xml", part("guide-2")),
        ("sitemap-guide.xml", ours()),
        # Our names without our mark, or with the mark of another set, or further on.
        ("sitemap-2.xml", b"<?xml version='1.0'?><urlset/>"),
        ("sitemap-2.xml", b""),
        ("sitemap-2.xml", xml.urlset_header("other.xml", "2", links=False)),
        ("sitemap-2.xml", b"<!-- about " + part("2") + b" -->"),
        (
            "sitemap-2.xml",
            part("2")[: len(xml.signature_comment("sitemap.xml", "2")) - 1],
        ),
        ("sitemap-2.xml.gz", gzip.compress(b"<urlset/>", mtime=0)),
        ("sitemap-2.xml.gz", gzip.compress(part("2"), mtime=0)[:15]),
        ("sitemap-2.xml.gz", part("2")),
        ("sitemap-2.xml.gz", b""),
        (
            "sitemap-2.xml.gz",
            b"\x1f\x8b\x08\0\0\0\0\0\0\xff" + b"\xff" * 20,
        ),  # No deflate stream.
        # Our mark under other names.
        ("sitemap-2.html", part("2")),
        ("sitemap-2.xml.bak", part("2")),
        ("sitemap-2.xml\n", part("2")),
        ("sitemap-two.xml", ours()),
        ("sitemap-2-3.xml", ours()),
        ("sitemap-.xml", ours()),
        ("sitemap_2.xml", ours()),
        ("mysitemap-2.xml", ours()),
        ("Sitemap-2.xml", ours()),
        ("sitemap.xml.gz.gz", gzip.compress(ours(), mtime=0)),
        # Style sheets: a user's, another set's, ours without its whole comment, or
        # renamed.
        ("sitemap.css", b"body {}"),
        ("sitemap.css", stylesheet("other.xml")),
        ("sitemap.css", stylesheet("sitemap.xml").replace(b" */", b"", 1)),
        ("sitemap-2.css", stylesheet("sitemap.xml")),
        ("sitemap.css.gz", gzip.compress(stylesheet("sitemap.xml"), mtime=0)),
    ],
)
def test_files_of_others_are_kept(tmp_path, name, content):
    if os.name == "nt" and "\n" in name:
        pytest.skip("Windows has no such names")
    (tmp_path / name).write_bytes(content)

    written(tmp_path, ("sitemap.xml", ours()))

    assert content_of(tmp_path) == {name: content, "sitemap.xml": ours()}


def test_dot_in_the_file_name_is_not_a_wildcard(tmp_path):
    (tmp_path / "mapXv1-2.xml").write_bytes(
        xml.urlset_header("map.v1.xml", links=False)
    )

    written(tmp_path, ("map.v1.xml", b"new"), filename="map.v1.xml")

    assert ["map.v1.xml", "mapXv1-2.xml"] == sorted(content_of(tmp_path))


def test_old_parts_with_a_long_name_are_removed(tmp_path):
    filename = "m" * 240 + ".xml"
    part = filename.replace(".xml", "-2.xml")
    (tmp_path / part).write_bytes(xml.urlset_header(filename, "2", links=False))

    written(tmp_path, (filename, b"new"), filename=filename)

    assert content_of(tmp_path) == {filename: b"new"}


def test_links_and_folders_with_names_of_ours_are_kept(tmp_path):
    target = tmp_path / "target"
    target.write_bytes(ours())
    (tmp_path / "sitemap-2.xml").symlink_to(target)
    (tmp_path / "sitemap-3.xml").mkdir()
    (tmp_path / "sitemap-4.xml").symlink_to(tmp_path / "nowhere")
    (tmp_path / "style").write_bytes(stylesheet("sitemap.xml"))
    (tmp_path / "sitemap.css").symlink_to(tmp_path / "style")
    names = {file.name for file in tmp_path.iterdir()}

    written(tmp_path, ("sitemap.xml", ours()))

    assert names | {"sitemap.xml"} == {file.name for file in tmp_path.iterdir()}


def test_link_named_as_a_text_sitemap_is_kept_if_our_xml_file_is_empty(tmp_path):
    (tmp_path / "target").write_bytes(b"the user's")
    (tmp_path / "sitemap.txt").symlink_to(tmp_path / "target")
    (tmp_path / "sitemap.xml").write_bytes(ours())

    written(tmp_path, ("sitemap.xml", b"new"))

    assert (tmp_path / "sitemap.txt").is_symlink()


def test_error_while_files_are_generated_changes_nothing(tmp_path):
    (tmp_path / "sitemap.xml").write_bytes(b"old")

    def files():
        yield File(name="sitemap-1.xml", chunks=[b"new"])
        yield File(name="sitemap.xml", chunks=[b"new"])
        raise RuntimeError

    with pytest.raises(RuntimeError):
        publish(files(), output_dir=tmp_path, filename="sitemap.xml")

    assert {"sitemap.xml": b"old"} == content_of(tmp_path)


def test_two_files_with_one_name_change_nothing(tmp_path):
    with pytest.raises(OutputError, match=r"a\.xml"):
        written(tmp_path, ("a.xml", b"1"), ("a.xml", b"2"))

    assert [] == list(tmp_path.iterdir())


def test_folder_in_place_of_a_file_is_named(tmp_path):
    (tmp_path / "sitemap.xml" / "x").mkdir(parents=True)

    expected = re.escape(f"{tmp_path / 'sitemap.xml'} cannot be written")
    with pytest.raises(OutputError, match=expected):
        written(tmp_path, ("sitemap.xml", b"new"))

    assert (tmp_path / "sitemap.xml" / "x").is_dir()


def test_missing_output_folder_is_named(tmp_path):
    with pytest.raises(
        OutputError, match=r"nowhere.* cannot be written .*: check the output"
    ):
        written(tmp_path / "nowhere", ("sitemap.xml", b"new"))


needs_fcntl = pytest.mark.skipif(fcntl is None, reason="needs fcntl")
LOCK = ".sitemap_plugins.lock"
LEFTOVER = f".sitemap_plugins-{'0af' * 10}00"


def names_in(folder):
    return sorted(file.name for file in folder.iterdir())


def test_staging_folder_is_removed_after_use(tmp_path):
    with staging_folder(tmp_path) as staging:
        (staging / "sitemap.xml").write_bytes(b"half")
        assert names_in(tmp_path) == sorted([LOCK, staging.name])
        assert (tmp_path / LOCK).read_text() == staging.name

    assert [] == names_in(tmp_path)


def test_staging_folder_is_removed_after_an_error(tmp_path):
    def fail():
        with staging_folder(tmp_path) as staging:
            (staging / "sitemap.xml").write_bytes(b"half")
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail()

    assert [] == names_in(tmp_path)


def test_staging_folder_of_a_killed_build_is_removed(tmp_path):
    (tmp_path / LOCK).write_text(LEFTOVER)
    (tmp_path / LEFTOVER).mkdir()
    (tmp_path / LEFTOVER / "sitemap.xml").write_bytes(b"half")

    with staging_folder(tmp_path) as staging:
        assert names_in(tmp_path) == sorted([LOCK, staging.name])
        assert (tmp_path / LOCK).read_text() == staging.name


def test_folder_that_no_lock_names_is_kept(tmp_path):
    for name in (LEFTOVER, ".sitemap_plugins-backup", ".sitemap_plugins"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "sitemap.xml").write_bytes(b"the user's")
    (tmp_path / LOCK).touch()

    with staging_folder(tmp_path):
        pass

    assert names_in(tmp_path) == sorted(
        [LEFTOVER, ".sitemap_plugins-backup", ".sitemap_plugins"]
    )
    assert b"the user's" == (tmp_path / LEFTOVER / "sitemap.xml").read_bytes()


@pytest.mark.parametrize(
    "text",
    [
        "..",
        "precious",
        f"../{LEFTOVER}",
        f"{LEFTOVER}\n",
        ".sitemap_plugins-",
        "\0",
        "é",
    ],
)
def test_lock_file_of_another_program_is_neither_used_nor_removed(tmp_path, text):
    (tmp_path / "precious").mkdir()
    (tmp_path / LOCK).write_text(text, encoding="latin-1")

    with pytest.raises(
        OutputError, match=r"lock is not a lock file of this package: remove it"
    ):
        staging_folder(tmp_path).__enter__()

    assert [LOCK, "precious"] == names_in(tmp_path)
    assert (tmp_path / LOCK).read_text(encoding="latin-1") == text


def test_link_in_place_of_a_staging_folder_is_not_followed(tmp_path):
    precious, output = tmp_path / "precious", tmp_path / "output"
    for folder in (precious, output):
        folder.mkdir()
    (precious / "file").touch()
    (output / LOCK).write_text(LEFTOVER)
    (output / LEFTOVER).symlink_to(precious)

    with staging_folder(output):
        pass

    assert (precious / "file").exists()


def test_link_in_place_of_the_lock_is_not_followed(tmp_path):
    (tmp_path / "precious").write_bytes(b"")
    (tmp_path / LOCK).symlink_to(tmp_path / "precious")

    with pytest.raises(OSError, match=r"sitemap_plugins\.lock"):
        staging_folder(tmp_path).__enter__()


def test_pipe_in_place_of_the_lock_is_kept_without_waiting(tmp_path):
    os.mkfifo(tmp_path / LOCK)

    with pytest.raises(OSError, match="seek"):
        staging_folder(tmp_path).__enter__()

    assert [LOCK] == names_in(tmp_path)


@needs_fcntl
def test_lock_file_may_be_removed_meanwhile(tmp_path):
    with staging_folder(tmp_path):
        (tmp_path / LOCK).unlink()

    assert [] == names_in(tmp_path)


@needs_fcntl
def test_lock_file_has_the_usual_mode(tmp_path):
    """Two users can build into one folder,
    if new files are writable for their group."""
    before = os.umask(0o002)
    try:
        (tmp_path / "any").touch()
        with staging_folder(tmp_path):
            assert (tmp_path / LOCK).stat().st_mode == (tmp_path / "any").stat().st_mode
    finally:
        os.umask(before)


def between_opening_and_locking(act):
    """Call a function once, when the next lock file is open but not yet locked."""

    def profile(_frame, event, function):
        if event == "c_call" and function is fcntl.flock:
            sys.setprofile(None)
            act()

    sys.setprofile(profile)


@needs_fcntl
def test_lock_file_removed_by_its_last_holder_is_opened_again(tmp_path):
    between_opening_and_locking((tmp_path / LOCK).unlink)

    with staging_folder(tmp_path) as staging:
        assert names_in(tmp_path) == sorted([LOCK, staging.name])


@needs_fcntl
def test_build_waits_for_the_holder_of_a_new_lock_file(tmp_path, monkeypatch):
    monkeypatch.setattr(staging, "_MAX_WAIT", 0)
    another = staging_folder(tmp_path)

    def overtake():
        (tmp_path / LOCK).unlink()
        another.__enter__()

    between_opening_and_locking(overtake)

    with pytest.raises(OutputError, match="another build has been writing"):
        staging_folder(tmp_path).__enter__()

    another.__exit__(None, None, None)
    assert [] == names_in(tmp_path)


@needs_fcntl  # Wine 8 refuses a lock that is held, but does not say why.
def test_build_that_does_not_end_is_reported(tmp_path, monkeypatch):
    monkeypatch.setattr(staging, "_MAX_WAIT", 0)
    expected = (
        r"another build has been writing into .* for 0 seconds: wait until it ends"
    )
    with (
        staging_folder(tmp_path) as first,
        pytest.raises(OutputError, match=expected),
    ):
        staging_folder(tmp_path).__enter__()

    assert not first.exists()
    assert [] == names_in(tmp_path)


# Network file systems can be mounted so that no file of theirs can be locked.
WITHOUT_LOCKS = """
import errno, fcntl, sys
from pathlib import Path
def refuse(*_):
    raise OSError(errno.ENOLCK, "No locks available")
fcntl.flock = refuse
from sitemap_plugins.core.publishing.staging import staging_folder
folder = Path(sys.argv[1])
with staging_folder(folder) as first:
    with staging_folder(folder) as second:
        print({*folder.iterdir()} == {first, second} and first != second)
    print([*folder.iterdir()] == [first])
"""


@needs_fcntl
def test_builds_have_separate_folders_without_locks(tmp_path):
    """Neither build removes the other's folder as a leftover, and no folder is left."""
    command = [sys.executable, "-c", WITHOUT_LOCKS, str(tmp_path)]

    run = subprocess.run(command, capture_output=True, text=True, check=True)

    assert ["True", "True"] == run.stdout.split()
    assert [] == names_in(tmp_path)


@needs_fcntl
def test_lock_file_of_another_build_is_kept_if_locks_are_unavailable(tmp_path):
    """Memory for locks can be temporarily unavailable."""
    (tmp_path / LOCK).write_text(LEFTOVER)

    subprocess.run([sys.executable, "-c", WITHOUT_LOCKS, str(tmp_path)], check=True)

    assert [LOCK] == names_in(tmp_path)
    assert (tmp_path / LOCK).read_text() == LEFTOVER
