"""HTML and CSS as text: where things are in a source, and which styles apply."""
