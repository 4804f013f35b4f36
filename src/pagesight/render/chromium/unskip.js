// Lays out what a browser skips until it is scrolled to, wherever on the page it is.
for (const element of Document.prototype.querySelectorAll.call(document, "*"))
    if (getComputedStyle(element).contentVisibility === "auto")
        element.style.setProperty("content-visibility", "visible", "important")
