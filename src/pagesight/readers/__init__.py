"""One package per reading; `registry` knows them all."""
