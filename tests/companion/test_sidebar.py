"""The pages that the contents do not name share the sidebar of their folder; all others have their own."""

from types import SimpleNamespace

from companion.site.theme import _share_sidebar

APP = SimpleNamespace(
    env=SimpleNamespace(
        config=SimpleNamespace(root_doc="book/index"),
        toctree_includes={"book/index": ["notebooks/apples"], "notebooks/apples": ["claims/listed"]},
        all_docs={"book/index", "notebooks/apples", "claims/listed", "claims/one", "claims/two", "more/three"},
    )
)


def test_only_pages_that_the_contents_do_not_name_share_a_sidebar_each_folder_its_own():
    kept, asked = {}, []

    def sidebar(page, **given):
        context = {"toctree": lambda **wanted: asked.append(page) or f"{page} {wanted}"}
        _share_sidebar(kept, APP, page, "page.html", context, None)
        return context["toctree"](**given)

    assert sidebar("claims/one", collapse=False) == "claims/one {'collapse': False}"
    assert sidebar("claims/two", collapse=False) == "claims/one {'collapse': False}"
    assert sidebar("claims/two", collapse=True) == "claims/two {'collapse': True}"
    alone = ["more/three", "claims/listed", "notebooks/apples", "book/index", "search"]
    assert [sidebar(page, collapse=False).split()[0] for page in alone] == alone
    assert asked == ["claims/one", "claims/two", *alone]
