import json
import re
import shutil

import pytest

from companion.paths import Layout
from tests.companion.toy import command, replace, write

PAGE = """
    # {title}

    ```{{code-cell}} ipython3
    :tags: [parameters]

    profile = "quick"
    ```

    ```{{code-cell}} ipython3
    {code}
    ```
    """

CHECKED = """from companion.page import Page
    from companion.ledger.evidence import Counts, Evidence

    page = Page("{page}", profile=profile)
    check, control = Counts(5, {fail}, 0.5, seed=3), Counts(5, {caught})
    page.keep(Evidence("{claim}", "{page}", "as-printed", check, control, "half | of it"))"""  # noqa: E501


def add_page(root, name, code):
    write(root, f"notebooks/{name}.md", PAGE.format(title=name.title(), code=code))


def report_of(root):
    return json.loads(
        (root / "_build" / "verify" / "report.json").read_text(encoding="utf-8")
    )


def without_times(value):
    if isinstance(value, dict):
        times = ("made", "seconds", "processor_seconds", "peak_mib")
        return {
            key: without_times(item) for key, item in value.items() if key not in times
        }
    return [without_times(item) for item in value] if isinstance(value, list) else value


@pytest.mark.slow
def test_a_sound_book_is_verified_and_reported_twice_alike(accepted):
    root = accepted
    reports = []
    for jobs in ("1", "2"):
        done = command(root, "verify", "--jobs", jobs)
        assert done.returncode == 0, done.stdout + done.stderr
        assert re.search(r"holds +1$", done.stdout, re.MULTILINE)
        assert (
            "VERIFIED: each of 1 claims has the verdict that the ledger prints"
            in done.stdout
        )
        assert f"Report: {root}/_build/verify/report.md" in done.stdout
        reports.append(report_of(root))
    first, second = map(without_times, reports)
    assert first == second
    report = reports[0]
    assert (report["passed"], report["faults"], report["book"]["commit"]) == (
        True,
        [],
        None,
    )
    assert [
        (one["page"], one["state"], one["tests"]) for one in report["notebooks"]
    ] == [("apples", "ran", 1), ("pears", "ran", 0)]
    assert [(one["figure"], one["state"]) for one in report["figures"]] == [
        ("growth", "identical")
    ]
    assert report["claims"][0]["evidence"][0]["control"] == {
        "note": "half of it",
        "instances": 5,
        "violations": 5,
    }
    text = (root / "_build" / "verify" / "report.md").read_text(encoding="utf-8")
    assert text.split("\n## ")[0].count("\n") < 40, "the summary is one screen"
    assert (
        "| `MBDE-L1` | holds (exact) | as printed | 0 of 5 | 0.5 | exact | – | "
        "half of it: 5 of 5 fail |"
    ) in text
    assert str(root) not in text + json.dumps(report)
    assert not (root / "_build" / "html").exists(), "no page is rendered"


@pytest.mark.slow
def test_whatever_goes_wrong_is_named_and_the_rest_is_still_done(accepted):
    root = accepted
    first = (root / "data/claims.yml").read_text()
    with (root / "data/claims.yml").open("a") as stream:
        for name in ("MBDE-L2", "MBDE-L3", "MBDE-L4", "MBDE-L5", "MBDE-L6"):
            stream.write(
                first.replace("MBDE-L1", name).replace(
                    "notebook: apples", f"notebook: page-{name[-1]}"
                )
            )
    add_page(
        root, "page-2", CHECKED.format(page="page-2", claim="MBDE-L2", fail=0, caught=0)
    )
    add_page(
        root, "page-3", CHECKED.format(page="page-3", claim="MBDE-L3", fail=5, caught=0)
    )
    recorded = CHECKED.format(page="page-4", claim="MBDE-L4", fail=0, caught=5)
    add_page(
        root,
        "page-4",
        (
            f"{recorded}\n    print('so far', flush=True)\n    raise LookupError('no "
            "such apple')"
        ),
    )
    add_page(root, "page-5", "import os\n\n    os._exit(0)")
    add_page(
        root,
        "page-6",
        "import os\n    import signal\n\n    os.kill(os.getpid(), signal.SIGKILL)",
    )
    add_page(
        root, "page-8", CHECKED.format(page="page-8", claim="MBDE-L9", fail=0, caught=5)
    )
    replace(root, "data/results/figures/quick/growth.csv", "24.0", "25.0")
    with (root / "notebooks" / "pears.md").open("a") as stream:
        stream.write("\n```{exercise} Ripe\n:label: ex-pears-1\n\nWhen?\n```\n")
    done = command(root, "verify")
    assert (done.returncode, done.stderr) == (1, "")
    report = report_of(root)
    found = {
        (fault["kind"], fault["name"]): fault["message"] for fault in report["faults"]
    }
    assert set(found) == {
        *(("claim", f"MBDE-L{number}") for number in (2, 3, 9)),
        *(("notebook", f"page-{number}") for number in (4, 5, 6)),
        ("figure", "growth"),
        ("exercise", "pears"),
        ("accepted data", "figures/quick/growth.csv"),
    }
    unsound = (
        "expected 'holds', computed 'unsound' (control not caught (as-printed): half "
        "| of it)"
    )
    assert found["claim", "MBDE-L2"] == unsound
    assert (
        "violated" in found["claim", "MBDE-L3"]
        or "counterexample" in found["claim", "MBDE-L3"]
    )
    assert found["claim", "MBDE-L9"] == "evidence for a claim that is not in the ledger"
    assert "growth (profile quick) changed in 1 cell(s)" in found["figure", "growth"]
    assert "LookupError: no such apple" in found["notebook", "page-4"]
    for name in ("page-5", "page-6"):
        assert "the kernel died without a traceback" in found["notebook", name]
    assert (
        "(1 claim(s) of this notebook have no verdict in this run)"
        in found["notebook", "page-4"]
    )
    for kind, name in found:
        assert f"{kind} {name}: " in done.stdout
    assert (
        "NOT VERIFIED: 3 notebook(s) that failed (page-4, page-5, page-6);"
        in done.stdout
    )
    verdicts = {
        claim["id"]: (claim["verdict"], claim["as_expected"])
        for claim in report["claims"]
    }
    assert verdicts["MBDE-L1"] == ("holds", True), (
        "a notebook whose figure changed is still judged"
    )
    assert verdicts["MBDE-L2"] == ("unsound", False)
    assert {verdicts[f"MBDE-L{number}"] for number in (4, 5, 6)} == {
        ("not-yet-checked", False)
    }
    assert report["scoreboard"]["unsound"] == 1
    text = (root / "_build" / "verify" / "report.md").read_text(encoding="utf-8")
    assert "## What is not as it must be" in text
    assert "half \\| of it" in text


@pytest.mark.slow
def test_no_kept_execution_is_used(accepted, toy):
    """Evidence in the cache that says otherwise changes nothing; evidence that the
    notebook writes does.
    """
    root = accepted
    layout = Layout(accepted)
    shutil.copytree(toy / "_build" / "cache", layout.build / "cache")
    (kept,) = layout.cache("quick", "apples").glob("*/run/evidence/*.json")
    kept.write_text(kept.read_text().replace('"violations": 0', '"violations": 5'))
    assert command(root, "verify").returncode == 0
    replace(root, "notebooks/apples.md", "Counts(5, 0, 0.5)", "Counts(5, 5, 0.5)")
    assert command(root, "verify").returncode == 1
