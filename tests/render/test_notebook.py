"""What a notebook shows."""

from html.parser import HTMLParser

import tallymark as tm


class Page(HTMLParser):
    """Collects the tags and the text of a page."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.text = [], ""
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data):
        self.text += data


def test_a_notebook_shows_systems_by_statistics_with_intervals(evaluation):
    page = Page(evaluation._repr_html_())
    assert [tag for tag, _ in page.tags].count("tr") == 3
    assert "Systems against the gold: mean over prompts, 95 % intervals" in page.text
    for word in ("engine", "chatbot", "QWK", "48 responses read, 48 used."):
        assert word in page.text


def test_names_of_the_user_are_escaped(hostile):
    html = hostile._repr_html_()
    assert "script" not in {tag for tag, _ in Page(html).tags}
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in html


def test_the_page_asks_for_nothing_from_outside(evaluation):
    page = Page(evaluation._repr_html_())
    assert not any({"src", "href"} & {*attributes} for _, attributes in page.tags)


def test_the_reason_of_an_undefined_number_can_be_pointed_at(undefined):
    titles = [
        attributes.get("title")
        for tag, attributes in Page(undefined._repr_html_()).tags
        if tag == "td"
    ]
    assert "a score does not vary" in titles


def test_people_beside_the_system_are_told_below_the_table(panel):
    text = Page(panel._repr_html_()).text
    assert "engine agrees with a person" in text
    assert "People with each other: alpha" in text


def test_raters_alone_have_a_table_of_their_own():
    found = tm.raters({"<b>h1": [1, 2, 3] * 5, "h2": [1, 2, 2] * 5}, humans=["<b>h1", "h2"])
    page = Page(found._repr_html_())
    assert "Raters, the most severe first: 95 % intervals" in page.text
    assert [tag for tag, _ in page.tags].count("tr") == 3
    assert "b" not in {tag for tag, _ in page.tags}


def test_every_plan_has_a_notebook_view_that_gives_its_answer():
    plans = [
        tm.plan.certify(alpha=0.05, prompts=3),
        tm.plan.difference(values=[0.7, 0.75], between=0.9, power=0.8),
        tm.plan.raters(reliability=0.8, single=0.6),
        tm.plan.settle(at_least=0.7, value=0.75),
        tm.plan.width(half_width=0.05, value=0.7),
    ]
    for plan in plans:
        shown = " ".join(Page(plan._repr_html_()).text.split())
        said = " ".join(repr(plan).split("\n", 1)[1].split())
        assert said.replace("-/+", "\u2212/+") in shown.replace("-/+", "\u2212/+"), repr(plan)
