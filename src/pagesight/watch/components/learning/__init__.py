"""How parts are learned to be known again, and how that is judged."""
