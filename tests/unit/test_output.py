"""Files on disk: each whole, equal ones untouched, old ones of ours gone, others' never."""

from __future__ import annotations

import gzip
import os
import re
import sys

import pytest

from sitemap_plugins.core import encode
from sitemap_plugins.core.errors import OutputError
from sitemap_plugins.core.fileset import File
from sitemap_plugins.core.output import existing, publish

HEAD = encode.urlset_head("sitemap.xml", links=False)
LONG_AGO = 1_000_000_000


def ours(text=b""):
    """Return the bytes of a file of the set `sitemap.xml`."""
    return HEAD + text + encode.URLSET_FOOT


def written(folder, *files, filename="sitemap.xml"):
    """Publish files, given as name and bytes, and return their names."""
    made = (File(name=name, chunks=[content]) for name, content in files)
    return [file.name for file in publish(made, output_dir=folder, filename=filename)]


def content_of(folder):
    """Return each name in a folder with its bytes."""
    return {file.name: file.read_bytes() for file in folder.iterdir()}


def test_files_are_written_in_order_and_nothing_else_is_left(tmp_path):
    names = written(tmp_path, ("b.xml", b"B"), ("a.xml", b"A"))

    assert names == ["b.xml", "a.xml"]
    assert content_of(tmp_path) == {"a.xml": b"A", "b.xml": b"B"}


def test_chunks_are_joined_without_a_byte_between(tmp_path):
    file = File(name="sitemap.xml", chunks=iter([b"a", b"", b"\r\n", b"b"]))

    publish([file], output_dir=tmp_path, filename="sitemap.xml")

    assert content_of(tmp_path) == {"sitemap.xml": b"a\r\nb"}


def test_another_file_is_replaced(tmp_path):
    (tmp_path / "sitemap.xml").write_bytes(b"the host's own")

    written(tmp_path, ("sitemap.xml", b"new"))

    assert content_of(tmp_path) == {"sitemap.xml": b"new"}


def test_equal_bytes_are_not_written_again(tmp_path):
    for name in ("same.xml", "other.xml"):
        (tmp_path / name).write_bytes(b"same")
        os.utime(tmp_path / name, (LONG_AGO, LONG_AGO))

    names = written(tmp_path, ("same.xml", b"same"), ("other.xml", b"othr"))

    assert names == ["same.xml", "other.xml"]
    assert (tmp_path / "same.xml").stat().st_mtime == LONG_AGO
    assert (tmp_path / "other.xml").stat().st_mtime != LONG_AGO


def test_equal_bytes_behind_a_symbolic_link_become_a_file(tmp_path):
    (tmp_path / "elsewhere").write_bytes(b"same")
    (tmp_path / "sitemap.xml").symlink_to(tmp_path / "elsewhere")

    written(tmp_path, ("sitemap.xml", b"same"))

    assert not (tmp_path / "sitemap.xml").is_symlink()


@pytest.mark.parametrize("link", [os.link, os.symlink])
def test_nothing_is_written_through_a_link(tmp_path, link):
    """Pelican hard-links the user's own robots.txt into the output folder."""
    source, output = tmp_path / "source.txt", tmp_path / "output"
    source.write_bytes(b"the user's")
    output.mkdir()
    link(source, output / "robots.txt")

    written(output, ("robots.txt", b"the user's\nSitemap: x\n"))

    assert source.read_bytes() == b"the user's"
    assert content_of(output) == {"robots.txt": b"the user's\nSitemap: x\n"}


def test_a_link_to_nowhere_is_replaced(tmp_path):
    (tmp_path / "sitemap.xml").symlink_to(tmp_path / "nowhere" / "x")

    written(tmp_path, ("sitemap.xml", b"new"))

    assert content_of(tmp_path) == {"sitemap.xml": b"new"}


@pytest.mark.skipif(sys.platform == "win32", reason="modes are POSIX")
def test_a_new_file_has_the_mode_that_any_new_file_has(tmp_path):
    (tmp_path / "any").touch()

    written(tmp_path, ("sitemap.xml", b"new"))

    assert (tmp_path / "sitemap.xml").stat().st_mode == (tmp_path / "any").stat().st_mode


def publish_twin(folder, content=b"<urlset/>" * 1000):
    folder.mkdir()
    file = File(name="sitemap.xml", chunks=[content], gzip=True)
    return [f.name for f in publish([file], output_dir=folder, filename="sitemap.xml")]


def test_the_twin_is_the_same_file_compressed(tmp_path):
    names = publish_twin(tmp_path / "site")

    content = content_of(tmp_path / "site")
    assert names == ["sitemap.xml", "sitemap.xml.gz"]
    assert gzip.decompress(content["sitemap.xml.gz"]) == content["sitemap.xml"]
    assert len(content["sitemap.xml.gz"]) < len(content["sitemap.xml"])


def test_the_twin_says_neither_when_nor_where_it_was_made(tmp_path):
    """RFC 1952, section 2.3: no flags, so no name; the time is zero."""
    publish_twin(tmp_path / "one")
    publish_twin(tmp_path / "other place")

    one, other = (
        (tmp_path / folder / "sitemap.xml.gz").read_bytes() for folder in ("one", "other place")
    )
    assert one == other
    assert one[3:8] == b"\0\0\0\0\0"


def test_old_parts_of_ours_go(tmp_path):
    for name in ("sitemap-2.xml", "sitemap-33.xml", "sitemap-index-2.xml"):
        (tmp_path / name).write_bytes(ours())
    for name in ("sitemap-2.xml.gz", "sitemap.xml.gz"):
        (tmp_path / name).write_bytes(gzip.compress(ours(b"x" * 100_000)))

    written(tmp_path, ("sitemap-1.xml", ours()), ("sitemap.xml", ours()))

    assert sorted(content_of(tmp_path)) == ["sitemap-1.xml", "sitemap.xml"]


def test_our_last_sitemap_goes_where_no_page_is_left(tmp_path):
    (tmp_path / "sitemap.xml").write_bytes(ours())

    assert written(tmp_path) == []
    assert content_of(tmp_path) == {}


@pytest.mark.parametrize(
    ("name", "content"),
    [
        # Our names without our mark, or with the mark of another set, or further on.
        ("sitemap-2.xml", b"<?xml version='1.0'?><urlset/>"),
        ("sitemap-2.xml", b""),
        ("sitemap-2.xml", encode.urlset_head("other.xml", links=False)),
        ("sitemap-2.xml", b"<!-- about " + ours() + b" -->"),
        ("sitemap-2.xml", ours()[: len(encode.mark("sitemap.xml")) - 1]),
        ("sitemap-2.xml.gz", gzip.compress(b"<urlset/>", mtime=0)),
        ("sitemap-2.xml.gz", gzip.compress(ours(), mtime=0)[:15]),
        ("sitemap-2.xml.gz", ours()),
        ("sitemap-2.xml.gz", b""),
        # Our mark under other names.
        ("sitemap-2.html", ours()),
        ("sitemap-2.xml.bak", ours()),
        ("sitemap-2.xml\n", ours()),
        ("sitemap-two.xml", ours()),
        ("sitemap-2-3.xml", ours()),
        ("sitemap-.xml", ours()),
        ("sitemap_2.xml", ours()),
        ("mysitemap-2.xml", ours()),
        ("Sitemap-2.xml", ours()),
        ("sitemap.xml.gz.gz", gzip.compress(ours(), mtime=0)),
    ],
)
def test_files_of_others_stay(tmp_path, name, content):
    (tmp_path / name).write_bytes(content)

    written(tmp_path, ("sitemap.xml", ours()))

    assert content_of(tmp_path) == {name: content, "sitemap.xml": ours()}


def test_a_dot_in_the_name_is_a_dot(tmp_path):
    (tmp_path / "mapXv1-2.xml").write_bytes(encode.urlset_head("map.v1.xml", links=False))

    written(tmp_path, ("map.v1.xml", b"new"), filename="map.v1.xml")

    assert sorted(content_of(tmp_path)) == ["map.v1.xml", "mapXv1-2.xml"]


def test_old_parts_of_a_long_name_go(tmp_path):
    filename = "m" * 240 + ".xml"
    part = filename.replace(".xml", "-2.xml")
    (tmp_path / part).write_bytes(encode.urlset_head(filename, links=False))

    written(tmp_path, (filename, b"new"), filename=filename)

    assert content_of(tmp_path) == {filename: b"new"}


def test_links_and_folders_that_bear_our_names_stay(tmp_path):
    target = tmp_path / "target"
    target.write_bytes(ours())
    (tmp_path / "sitemap-2.xml").symlink_to(target)
    (tmp_path / "sitemap-3.xml").mkdir()
    (tmp_path / "sitemap-4.xml").symlink_to(tmp_path / "nowhere")

    written(tmp_path, ("sitemap.xml", ours()))

    assert {file.name for file in tmp_path.iterdir()} == {
        *("target", "sitemap.xml", "sitemap-2.xml", "sitemap-3.xml", "sitemap-4.xml")
    }


def test_what_a_killed_build_left_is_cleared(tmp_path):
    leftover = tmp_path / ".sitemap_plugins-abc"
    leftover.mkdir()
    (leftover / "sitemap.xml").write_bytes(b"half")
    (tmp_path / ".sitemap_plugins.toml").write_bytes(b"another's")

    written(tmp_path, ("sitemap.xml", b"new"))

    assert content_of(tmp_path) == {"sitemap.xml": b"new", ".sitemap_plugins.toml": b"another's"}


def test_a_leftover_that_is_a_link_is_not_followed(tmp_path):
    precious, output = tmp_path / "precious", tmp_path / "output"
    for folder in (precious, output):
        folder.mkdir()
    (precious / "file").touch()
    (output / ".sitemap_plugins-abc").symlink_to(precious)

    written(output, ("sitemap.xml", b"new"))

    assert (precious / "file").exists()


def test_an_error_while_the_files_are_made_changes_nothing(tmp_path):
    (tmp_path / "sitemap.xml").write_bytes(b"old")

    def files():
        yield File(name="sitemap-1.xml", chunks=[b"new"])
        yield File(name="sitemap.xml", chunks=[b"new"])
        raise RuntimeError

    with pytest.raises(RuntimeError):
        publish(files(), output_dir=tmp_path, filename="sitemap.xml")

    assert content_of(tmp_path) == {"sitemap.xml": b"old"}


def test_two_files_of_one_name_change_nothing(tmp_path):
    with pytest.raises(OutputError, match=r"a\.xml"):
        written(tmp_path, ("a.xml", b"1"), ("a.xml", b"2"))

    assert list(tmp_path.iterdir()) == []


def test_a_folder_in_the_place_of_a_file_is_named(tmp_path):
    (tmp_path / "sitemap.xml" / "x").mkdir(parents=True)

    expected = re.escape(f"{tmp_path / 'sitemap.xml'} cannot be written")
    with pytest.raises(OutputError, match=expected):
        written(tmp_path, ("sitemap.xml", b"new"))

    assert (tmp_path / "sitemap.xml" / "x").is_dir()


def test_an_output_folder_that_does_not_exist_is_named(tmp_path):
    with pytest.raises(OutputError, match=r"nowhere.* cannot be written .*: check the output"):
        written(tmp_path / "nowhere", ("sitemap.xml", b"new"))


def test_an_existing_file_is_read_as_it_is(tmp_path):
    (tmp_path / "robots.txt").write_bytes(b"\xff\r\n\0")

    assert existing(tmp_path / "robots.txt") == b"\xff\r\n\0"
    assert existing(tmp_path / "nothing") is None


def test_a_file_that_cannot_be_read_is_named(tmp_path):
    with pytest.raises(OutputError, match=r"cannot be read \(Is a directory\)"):
        existing(tmp_path)
