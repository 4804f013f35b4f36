"""The screens, a module each; every one has its `ROUTES`."""
