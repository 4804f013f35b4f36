"""A small newspaper that changes, is redesigned, and hides: pages for the portal to look at."""

from __future__ import annotations

from collections.abc import Sequence

STYLE = """
body{margin:0;font:16px/1.5 Georgia,serif;color:#222;background:#fff}
header{padding:22px 40px;background:#14324a;color:#fff}
header h1{margin:0;font-size:34px} header p{margin:4px 0 0;opacity:.8}
nav{padding:10px 40px;border-bottom:1px solid #ddd} nav a{margin-right:22px;color:#14324a}
.page{display:grid;grid-template-columns:2fr 1fr;gap:32px;padding:28px 40px;max-width:1160px}
h2{margin:0 0 10px;font-size:21px;border-bottom:2px solid #14324a}
ul{padding-left:20px} li{margin:8px 0} section{margin-bottom:30px}
table{border-collapse:collapse;width:100%}
td,th{padding:6px 4px;border-bottom:1px solid #ddd;text-align:left}
footer{padding:20px 40px;background:#f1f1ee;color:#555}
.new{border:3px double #888;padding:30px;font-family:Arial,sans-serif;background:#fdf8ec}
"""
NEWS = (
    "Council approves deeper harbour after a night of debate",
    "Tidal plant delivers its first full month of power",
    "Every third class now starts at nine",
    "Ferry operator has to repay winter surcharge",
)
PRICES = (("Cod", "14.50"), ("Herring", "6.20"), ("Mackerel", "9.80"), ("Plaice", "12.40"))
TIDES = (("High water", "04:12"), ("Low water", "10:31"), ("High water", "16:40"))


def _items(titles: Sequence[str]) -> str:
    return "".join(
        f'<li><a href="/stories/{title.split()[0].lower()}-{number}">{title}</a></li>'
        for number, title in enumerate(titles)
    )


def _rows(rows: Sequence[tuple[str, str]]) -> str:
    return "".join(f"<tr><td>{name}</td><td>{value}</td></tr>" for name, value in rows)


def front(
    *,
    news: Sequence[str] = NEWS,
    prices: Sequence[tuple[str, str]] = PRICES,
    weather: str = "Fresh wind from the south west, 14 degrees, showers in the evening.",
    title: str = "The Harbour Courier",
) -> str:
    """The front page: news, prices at the fish market, the weather, the tides."""
    return f"""<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{title}</title>
<style>{STYLE}</style></head><body>
<header><h1>{title}</h1><p>The daily paper of Port Ellery, since 1891</p></header>
<nav><a href="/politics">Politics</a><a href="/science">Science</a><a href="/sea">Sea</a></nav>
<div class="page"><main>
<section id="news"><h2>News of the day</h2><ul>{_items(news)}</ul></section>
<section id="prices"><h2>Fish market</h2><table>{_rows(prices)}</table></section>
</main><aside>
<section id="weather"><h2>Weather</h2><p>{weather}</p></section>
<section id="tides"><h2>Tides</h2><table>{_rows(TIDES)}</table></section>
</aside></div>
<footer><p>Printed in Port Ellery. Write to the editors, or come by at the quay.</p></footer>
</body></html>"""


def redesigned(first: Sequence[str], second: Sequence[str]) -> str:
    """The same paper after a redesign, with two lists that may be the news."""
    return f"""<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Courier</title>
<style>{STYLE}</style></head><body><div class="new"><h1>courier.</h1>
<div><div class="a1"><h3>News</h3><ol>{_items(first)}</ol></div></div>
<div><div class="b2"><h3>More news</h3><ol>{_items(second)}</ol></div></div>
<p>Subscribe to our letter and read the paper on your telephone.</p></div></body></html>"""


def login() -> str:
    """A wall: nothing but a form to sign in with."""
    return """<!doctype html><html lang="en"><head><title>Sign in</title></head><body>
<form><h1>Sign in to continue reading</h1><p>Please log in or subscribe.</p>
<label>E-mail <input type="email" name="email"></label>
<label>Password <input type="password" name="password"></label><button>Log in</button></form>
</body></html>"""
