"""The provider for scrapy-poet, in a spider of Scrapy that crawls a server of ours."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest

pytest.importorskip("scrapy_poet", reason="scrapy-poet is not installed")

from archives import page

SPIDER = """
import sys
import scrapy
from scrapy.crawler import CrawlerProcess
from pagesight.document import Document

class TeaSpider(scrapy.Spider):
    name = "tea"
    start_urls = [sys.argv[1] + "/1", sys.argv[1] + "/2"]

    def parse(self, response, document: Document):
        yield {"url": document.page.url, "title": document.title.title.text,
               "text": document.page.find("p")[0].text}

process = CrawlerProcess({
    "ADDONS": {"scrapy_poet.Addon": 300},
    "SCRAPY_POET_PROVIDERS": {"pagesight.integrations.scrapy_poet.DocumentProvider": 500},
    "FEEDS": {sys.argv[2]: {"format": "jsonlines"}},
    "LOG_LEVEL": "ERROR",
    "TELNETCONSOLE_ENABLED": False,
})
process.crawl(TeaSpider)
process.start()
"""


class _Handler(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        body = page(int(self.path[1:])).replace(b"kettles", "Öfen".encode("iso-8859-1"))
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=iso-8859-1")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def address() -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), _Handler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def test_callbacks_get_documents(address: str, tmp_path: Path) -> None:
    output = tmp_path / "items.jsonl"
    (tmp_path / "spider.py").write_text(SPIDER)
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    subprocess.run(
        [sys.executable, tmp_path / "spider.py", address, output],
        check=True, timeout=120, env=environment,
    )  # fmt: skip
    items = sorted(map(json.loads, output.read_text().splitlines()), key=lambda one: one["url"])
    assert [item["url"] for item in items] == [f"{address}/1", f"{address}/2"]
    assert items[0]["title"] == "The tea house number 1 by the river"
    assert "Öfen" in items[0]["text"]
