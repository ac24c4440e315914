"""A book of two small pages, for tests of the build that need no heavy notebook."""

import json
import os
import subprocess
import sys
import textwrap
from pathlib import Path

from companion.paths import Layout

HEADER = """---
jupytext:
  text_representation:
    extension: .md
    format_name: myst
kernelspec:
  display_name: Python 3
  language: python
  name: python3
---
"""

FILES = {
    "_config.yml": """
        title: A toy
        author: Nobody
        only_build_toc_files: false
        parse:
          myst_enable_extensions: [amsmath, attrs_block, attrs_inline, colon_fence, deflist, dollarmath]
          myst_url_schemes: [mailto, http, https]
        execute:
          execute_notebooks: "off"
        sphinx:
          config:
            extensions:
              - sphinx_togglebutton
              - sphinx_copybutton
              - myst_nb
              - jupyter_book
              - sphinx_external_toc
              - sphinx_design
              - sphinx_book_theme
              - companion.site.extension
            html_context: {default_mode: auto}
            nb_render_markdown_format: myst
            nb_mime_priority_overrides: [["*", text/markdown, 5]]
        """,  # noqa: E501
    "_toc.yml": """
        format: jb-book
        root: book/index
        chapters:
          - file: notebooks/apples
          - file: notebooks/pears
        """,
    "CITATION.cff": """
        version: 1.2.3
        preferred-citation: {title: A toy, authors: [{name: Nobody}], year: 2020}
        """,
    "book/references.bib": "@misc{n, author = {N}, title = {A paper}, year = {2020}}",
    "book/index.md": """
        # A toy

        ```{downloads}
        ```

        A page with a number: {val}`apples:total`.
        """,
    "data/figures.yml": """
        growth:
          page: apples
          key: [step]
        """,
    "data/sources.yml": """
        - {id: v1, short: "v1", title: A paper, authors: [Nobody], year: 2020, url: "https://example.org"}
        """,
    "data/claims.yml": """
        - id: MBDE-L1
          kind: lemma
          title: Doubling is growth
          places: [{source: v1, at: "Lemma 1"}]
          statement: Twice $x$ is more than $x$ for $x > 0$.
          hypotheses: []
          notebook: apples
          expected: holds
        """,
    "src/toy/__init__.py": '"""A toy."""\n',
    "src/toy/constants.py": "RATE = 3\n",
    "src/toy/unused.py": "NOBODY = 0\n",
    "src/toy/grow.py": """
        import pandas as pd

        from toy.constants import RATE


        def growth(rate: float, n: int):
            steps = list(range(n))
            return pd.DataFrame({"step": steps, "size": [RATE * rate**step for step in steps]})
        """,  # noqa: E501
    "src/toy/draw.py": """
        from matplotlib.figure import Figure


        def draw_growth(table):
            figure = Figure()
            axes = figure.subplots()
            axes.plot(table["step"], table["size"], label="size")
            axes.set_xlabel("step")
            axes.legend()
            return figure
        """,
    "src/toy/pear.py": "SWEETNESS = 11\n",
    "notebooks/apples.md": """
        # Apples

        ```{code-cell} ipython3
        :tags: [parameters]

        profile = "quick"
        ```

        ## Growing

        ```{code-cell} ipython3
        from companion.page import Page
        from companion.ledger.evidence import Counts, Evidence

        page = Page("apples", profile=profile)
        page.keep(Evidence("MBDE-L1", "apples", "as-printed", Counts(5, 0, 0.5), Counts(5, 5), "half of it"))
        ```

        ```{code-cell} ipython3
        from toy.draw import draw_growth
        from toy.grow import growth

        table = growth(2.0, {"quick": 4, "paper": 40}[profile])
        fig = page.figure("growth", table, lambda: draw_growth(table))
        page.value("total", table["size"].max(), "{:.1f}")
        print("rows:", len(fig.table), object())
        ```

        ```{code-cell} ipython3
        fig.show(caption="How the apples **grow** in $n$ steps.", alt="A rising line.")
        ```

        ```{code-cell} ipython3
        page.table(fig.table, caption="The first steps", floatfmt=".2f")
        ```
        """,  # noqa: E501
    "notebooks/pears.md": """
        # Pears

        ```{code-cell} ipython3
        :tags: [parameters]

        profile = "quick"
        pause = 0.0
        ```

        ```{code-cell} ipython3
        import time

        from toy.pear import SWEETNESS

        time.sleep(pause)
        print("sweetness", SWEETNESS)
        ```
        """,
}


def write(root: Path, name: str, text: str) -> None:
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    body = textwrap.dedent(text).strip("\n") + "\n"
    path.write_text(
        (HEADER if name.startswith("notebooks/") else "") + body, encoding="utf-8"
    )


def make_book(root: Path) -> Path:
    for name, text in FILES.items():
        write(root, name, text)
    return root


def replace(root: Path, name: str, old: str, new: str) -> None:
    text = (root / name).read_text(encoding="utf-8")
    assert old in text
    (root / name).write_text(text.replace(old, new), encoding="utf-8")


def command(
    root: Path, *arguments: str, **variables: str
) -> subprocess.CompletedProcess[str]:
    """Run the command line on a book, as a reader would, or with CI="true" as
    continuous integration does.
    """
    return subprocess.run(
        [sys.executable, "-m", "companion", *arguments],
        cwd=root,
        env={**environment(root), **variables},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


def environment(root: Path) -> dict[str, str]:
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith("COMPANION_") and name != "CI"
    }
    return {**kept, "COMPANION_ROOT": str(root)}


def pages_of(layout: Layout) -> dict[str, bytes]:
    """Return the pages of a book that was built."""
    return {
        path.relative_to(layout.html).as_posix(): path.read_bytes()
        for path in sorted(layout.html.rglob("*.html"))
    }


def commit_all(root: Path) -> None:
    """Make a repository of a folder, with one commit of all that is there."""
    who = [
        "-c",
        "user.name=Nobody",
        "-c",
        "user.email=nobody@example.org",
        "-c",
        "commit.gpgsign=false",
    ]
    for arguments in (["init", "-q"], ["add", "-A"], ["commit", "-qm", "All"]):
        subprocess.run(["git", "-C", str(root), *who, *arguments], check=True)


def claims(root: Path) -> dict[str, str]:
    document = json.loads(
        (root / "_build" / "stage" / "claims.json").read_text(encoding="utf-8")
    )
    return {claim["id"]: claim["verdict"] for claim in document["claims"]}
