"""A corpus from the web: well-formed pages with their stylesheets, breadth first.

Section 3 of the published heading method: pages that use their heading tags well are examples for
a reader that does not look at tags.
"""

from pagesight.crawl.crawling import Crawl, CrawlOptions
from pagesight.crawl.table import statistics, table_lines
from pagesight.crawl.visit import Outcome, Visit

__all__ = ["Crawl", "CrawlOptions", "Outcome", "Visit", "statistics", "table_lines"]
