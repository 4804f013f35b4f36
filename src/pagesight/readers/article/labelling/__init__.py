"""What each zone of a page is: features, the chain of labels, and the verdict."""
