"""The error that stops a build."""

from mkdocs_sitemap_plus.problems import Problem


class SitemapError(Exception):
    """The sitemap can't be made, and the owner asked that the build then stops.

    Attributes:
        problem: what is wrong, where, and what to do about it.
    """

    def __init__(self, problem: Problem) -> None:
        """Keep the problem; the text is its line."""
        super().__init__(str(problem))
        self.problem = problem
