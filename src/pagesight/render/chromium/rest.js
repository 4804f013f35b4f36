// Takes every animation to its end, so that a page looks the same at all times.
// Animations without an end go back to where they began.
for (const view of [window, ...Array.from(window.frames)])
    try {
        for (const animation of view.document.getAnimations())
            try { animation.finish() } catch { animation.cancel() }
    } catch {}
