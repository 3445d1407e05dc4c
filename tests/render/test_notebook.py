"""What a notebook shows."""

from html.parser import HTMLParser


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
