"""What every reading needs to learn and to be judged: corpora, folds, calibration, scores, weights.

A reading brings a `Task`: its examples, how a model is fitted to them, and how well one reads a
page. Nothing that reads a page imports this.
"""
