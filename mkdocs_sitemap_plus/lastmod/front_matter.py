"""The source ``front_matter``: dates that the owner set, in front matter or elsewhere."""

from collections.abc import Mapping

from mkdocs_sitemap_plus.lastmod import NoDate, Reason
from mkdocs_sitemap_plus.lastmod.date_source import Answers, Dated, DateQuery, DateSource, Key

_NOT_SET = NoDate(Reason.NOT_SET)


class FrontMatter(DateSource):
    """The dates of the owner. They are read already: queries have them in their overrides."""

    def dates(self, queries: Mapping[Key, DateQuery]) -> tuple[Answers, tuple[()]]:
        """Return the owner's date of each page. The problems of invalid dates are known already."""
        answers: Answers = dict.fromkeys(queries, _NOT_SET)
        for key, query in queries.items():
            if query.overrides.lastmod:
                answers[key] = Dated(query.overrides.lastmod, query.overrides.places["lastmod"])
        return answers, ()
