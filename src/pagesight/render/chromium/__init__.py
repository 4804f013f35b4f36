"""The faithful renderer: an installed Chromium, driven through Playwright."""
