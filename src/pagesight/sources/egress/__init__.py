"""One way out: every request that goes through a `Guard` ends at a public address, or fails.

>>> from pagesight.sources import Guard, Limits, load
>>> load("http://2130706433/", limits=Limits(guard=Guard()))
Traceback (most recent call last):
pagesight.errors.AddressRefused: http://2130706433/: 127.0.0.1 is an address of this machine
"""

from pagesight.sources.egress.guard import HOME_NETWORKS, Guard

__all__ = ["HOME_NETWORKS", "Guard"]
