"""How the portal is, as Prometheus reads it."""

from __future__ import annotations

from collections.abc import Iterator

from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, generate_latest
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector

from pagesight.portal.values import Health

CONTENT_TYPE = CONTENT_TYPE_LATEST


class _Collector(Collector):
    def __init__(self, health: Health) -> None:
        self._health = health

    def collect(self) -> Iterator[GaugeMetricFamily]:
        health = self._health
        values = {
            "workers": ("Workers that said so within the last minute", len(health.workers)),
            "jobs_waiting": ("Jobs that could be done now", health.waiting),
            "queue_lag_seconds": (
                "How long the most overdue job waits",
                health.lag.total_seconds(),
            ),
            "pages": ("Pages that are watched", health.pages),
            "pages_failing": ("Pages that cannot be had", len(health.failing)),
        }
        for name, (about, value) in values.items():
            yield GaugeMetricFamily(f"pagesight_{name}", about, value=value)


def metrics_of(health: Health) -> bytes:
    """All numbers."""
    registry = CollectorRegistry()
    registry.register(_Collector(health))
    return generate_latest(registry)
