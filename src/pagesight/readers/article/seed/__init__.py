"""The model of the layout paper, as published."""
