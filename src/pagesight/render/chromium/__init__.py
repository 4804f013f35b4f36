"""The faithful renderer: an installed Chromium, driven by DevTools or, on live pages, Playwright."""
