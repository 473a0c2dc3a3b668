"""Waiting for what a click, a key or an address brings about: on a busy machine it may come seconds later.

Events that change a page at once (input, change, a key) need no waiting. A link, a closed or opened box, scrolling and
drawing do: read them by ``expect``, or by the functions below.
"""

import re
import time

from playwright.sync_api import expect

PATIENCE = 30  # seconds
expect.set_options(timeout=1000 * PATIENCE)


def eventually(page, holds):
    """Poll from outside, since the policy of the pages forbids polling a condition within them."""
    end = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < end, "it did not come about"
        page.wait_for_timeout(50)


def expect_near_top(locator, most=400):
    """Wait until an element is at most so many pixels below the top of the window."""
    expect(locator).to_be_visible()  # the page of a link is there
    eventually(locator.page, lambda: (box := locator.bounding_box()) and -2 < box["y"] < most)


def expect_address(page, address):
    expect(page).to_have_url(re.compile(f"/{re.escape(address)}$"))
