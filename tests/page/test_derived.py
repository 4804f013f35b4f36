"""What is derived from a Page is worked out once."""

from __future__ import annotations

import pickle
from threading import Barrier, Thread

from pagesight.page import Page
from pagesight.page.derived import once_per_page
from small_pages import document, el, make_page


def small_page() -> Page:
    return make_page(document(el("html", el("body", el("p", "Tea")))))


calls: list[tuple[Page, int]] = []


@once_per_page
def counted(page: Page, most: int = 3) -> list[int]:
    """The first nodes."""
    calls.append((page, most))
    return list(range(most))


def test_the_same_object_is_returned_again() -> None:
    page = small_page()
    calls.clear()
    assert counted(page) is counted(page)
    assert calls == [(page, 3)]


def test_each_page_has_its_own_even_if_it_is_equal() -> None:
    one, other = small_page(), small_page()
    assert one == other
    assert counted(one) is not counted(other)


def test_other_arguments_are_not_kept() -> None:
    page = small_page()
    assert counted(page) == [0, 1, 2]
    assert counted(page, 1) == counted(page, most=1) == [0]
    assert counted(page, 1) is not counted(page, 1)
    assert counted(page) == [0, 1, 2]


def test_what_is_kept_is_neither_compared_nor_saved() -> None:
    page, plain = small_page(), small_page()
    before = page.to_bytes()
    counted(page)
    assert page == plain
    assert hash(page) == hash(plain)
    assert page.to_bytes() == before


def test_a_page_that_keeps_something_can_be_sent_to_another_process() -> None:
    page = small_page()
    counted(page)
    assert pickle.loads(pickle.dumps(page)) == page


def test_the_function_keeps_its_name() -> None:
    assert counted.__name__ == "counted"
    assert counted.__doc__ == "The first nodes."


def test_threads_get_the_same_object() -> None:
    page, together = small_page(), Barrier(8)
    results: list[list[int]] = []

    def ask() -> None:
        together.wait()
        results.append(counted(page))

    threads = [Thread(target=ask) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len({id(result) for result in results}) == 1
