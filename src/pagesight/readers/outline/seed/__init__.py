"""The published method: visibility scores and a hidden Markov model."""
