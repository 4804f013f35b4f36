"""Personal pages made of parts of other pages: the web application on top of `pagesight.watch`."""
