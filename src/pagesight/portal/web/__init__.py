"""The portal in a browser: screens, made on the server."""

from pagesight.portal.web.app import make_app

__all__ = ["make_app"]
