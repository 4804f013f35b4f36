"""Archives in which anything may be changed: nothing is raised, and nothing takes long."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest
import zstandard
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from archives import answer, page, page_record, record
from pagesight.batch.inputs import specs_of
from pagesight.batch.items import InputOptions
from pagesight.errors import SourceError

RECORDS = [
    page_record(0),
    record(1, answer(gzip.compress(page(1)), more="Content-Encoding: gzip\r\n")),
    record(2, b"", kind="revisit"),
    record(3, answer(b"3\r\ntea\r\n0\r\n\r\n", more="Transfer-Encoding: chunked\r\n")),
    record(4, page(4), kind="resource", content_type="text/html"),
]
ARCHIVES = {
    "a.warc": b"".join(RECORDS),
    "a.warc.gz": b"".join(map(gzip.compress, RECORDS)),
    "a.warc.zst": b"".join(map(zstandard.compress, RECORDS)),
}


@pytest.mark.parametrize("name", ARCHIVES)
@given(data=st.data())
@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_whatever_is_changed_is_an_error_of_a_record(
    name: str, data: st.DataObject, tmp_path: Path
) -> None:
    content = ARCHIVES[name]
    start = data.draw(st.integers(0, len(content) - 1))
    size = data.draw(st.integers(0, 60))
    path = tmp_path / name
    path.write_bytes(content[:start] + data.draw(st.binary(max_size=60)) + content[start + size :])
    (spec,) = specs_of(path)
    found = [*spec.open(InputOptions(), Path()).items()]
    for item in found:
        try:
            item.request()
        except SourceError:
            continue
    assert len(found) <= len(RECORDS) + 2
