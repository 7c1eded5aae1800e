"""A copy of a site at another address, such as the preview of a pull request."""

from collections.abc import Iterable
from os.path import commonprefix
from typing import NamedTuple
from urllib.parse import urlsplit

from mkdocs_sitemap_plus.sitemap.urls import url_key


def folder_of(url: str) -> str:
    """Return the URL of the folder of a page or a file, with a slash at its end."""
    path = url.partition("#")[0].partition("?")[0]  # a query may have slashes too
    return path[: path.rindex("/") + 1] if path.count("/") > 2 else f"{path}/"


def common_folder(urls: Iterable[str]) -> str:
    """Return the URL of the deepest folder that has all of these URLs, which are on one host."""
    return folder_of(commonprefix([folder_of(url) for url in urls]))  # noqa: RUF071 - cut at a slash


class Copy(NamedTuple):
    """Where a site is published, and where its copy is: URLs of folders, which end in a slash."""

    published: str
    folder: str

    @property
    def has_same_paths(self) -> bool:
        """Whether the paths of both are equal, so that the rules of a robots.txt fit both."""
        return urlsplit(self.published).path == urlsplit(self.folder).path

    def url_of(self, published: str) -> str | None:
        """Return the URL in the copy of a published URL; None if it is outside of the site."""
        for url, folder in (
            (published, self.published),
            (url_key(published), url_key(self.published)),
        ):
            if url.startswith(folder):
                return self.folder + url.removeprefix(folder)
        return None
