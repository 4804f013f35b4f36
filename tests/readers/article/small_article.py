"""An article small enough to write down, and what is known of it."""

from __future__ import annotations

from pagesight.readers.article.learning.truth import Truth
from pagesight.readers.article.names.persons import Name

TITLE = "Effects of green tea on the patience of reviewers"
ABSTRACT = (
    "Reviewers of journals wait for nobody. We asked whether a cup of green tea before reading "
    "changes how long they read. Forty reviewers took part in the trial, half of them with tea. "
    "Those who drank tea read longer, and wrote kinder reports to the authors."
)
BODY = (
    "Tea has been drunk for a very long time and by a great many people, and much has been "
    "written about it by those who drink it. Reviewers drink coffee, as far as anybody knows, and "
    "are known to be short of time, of sleep and of patience. Nobody has looked at both of them "
    "together so far, although the question is an old one, and the means to answer it are there."
)
REFERENCES = (
    "King A. On the virtues of tea. J Tea Sci. 1851;12:1–9.",
    "Lindqvist B, Okafor C. Reviewers and their time. Peer Rev. 1999;3:44–50. doi:10.1000/tea.99",
    "Okafor C. Coffee considered harmful. Lancet Tea. 2003;7:100–102.",
    "Xu L. Leaves and letters: a history. Kyoto: Tea Press; 2011.",
    "Xu L, King A. Kindness in reports, a survey. J Tea Sci. 2015;99:12–40.",
    "Dyck J. Statistics of small cups. Ann Stat Tea. 2016;1:5–8.",
)

HTML = f"""<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Journal of Tea</title>
<style>
body {{ font: 16px/1.4 sans-serif; width: 900px; margin: 0 auto }}
h1 {{ font-size: 32px }} .hidden {{ display: none }} ul.authors li {{ display: inline }}
</style></head><body>
<nav><a href="/">Home</a> <a href="/issues">Issues</a> <a href="/about">About the journal</a></nav>
<p>Journal of Tea, Volume 12, 2019</p>
<h1>{TITLE}<sup>†</sup></h1>
<ul class="authors">
<li class="author"><a href="/a/1">Ada B. King</a><sup>1,*</sup>, </li>
<li class="author"><a href="/a/2">Bo Lindqvist</a><sup>1,2</sup>, </li>
<li class="author"><a href="/a/3">Chinua Okafor</a><sup>2</sup>, </li>
<li class="author"><a href="/a/4">Li-Hua Xu</a><sup>2</sup></li>
</ul>
<p class="aff"><sup>1</sup>Department of Botany, University of Kyoto, Kyoto, Japan</p>
<p class="aff"><sup>2</sup>Institute of Leaves, University of Lund, Lund, Sweden</p>
<p>*Correspondence: ada.king@tea.example</p>
<p>Received 3 May 2018; accepted 4 June 2018; published online 9 July 2019</p>
<h2>Abstract</h2>
<p>{ABSTRACT}</p>
<p>Keywords: tea; reviewers; patience</p>
<h2>Introduction</h2>
<p>{BODY}</p>
<p>{BODY[::-1]}</p>
<h2>References</h2>
<ol>{"".join(f"<li>{text} <a href='/s'>Google Scholar</a></li>" for text in REFERENCES)}</ol>
<footer><p>© 2019 The Tea Press</p></footer>
</body></html>"""

TRUTH = Truth(
    titles=(TITLE,),
    authors=(
        Name("Ada B.", "King"),
        Name("Bo", "Lindqvist"),
        Name("Chinua", "Okafor"),
        Name("Li-Hua", "Xu"),
    ),
    affiliations=(
        "Department of Botany, University of Kyoto, Kyoto, Japan",
        "Institute of Leaves, University of Lund, Lund, Sweden",
    ),
    abstract=ABSTRACT,
    references=REFERENCES,
)
