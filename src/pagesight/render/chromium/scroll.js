async () => {
    const step = window.innerHeight, pause = 40, furthest = 40 * step;
    for (let y = 0; y < Math.min(document.documentElement.scrollHeight, furthest); y += step) {
        window.scrollTo(0, y);
        await new Promise(done => setTimeout(done, pause));
    }
    window.scrollTo(0, 0);
}
