"""Every kind of fault is found, and nothing is found in valid sitemaps."""

from __future__ import annotations

import pytest

from tests.checks.checked_site import result_of_file
from tests.checks.kinds import FAULTY, VALID, write_files


@pytest.mark.parametrize("kind", FAULTY)
def test_a_kind_of_fault_has_its_code_and_no_other(tmp_path, kind):
    codes, files = FAULTY[kind]

    assert set(codes.split()) == set(result_of_file(write_files(tmp_path, files)).counts)


@pytest.mark.parametrize("kind", VALID)
def test_nothing_is_found_in_a_valid_sitemap(tmp_path, kind):
    assert [] == [*result_of_file(write_files(tmp_path, VALID[kind])).findings]


def test_nearly_all_kinds_are_found():
    assert (99, 34) == (len(FAULTY), len(VALID))
    assert 95 <= sum(bool(codes) for codes, _ in FAULTY.values())
