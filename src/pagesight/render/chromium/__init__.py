"""The faithful renderer: an installed Chromium."""
