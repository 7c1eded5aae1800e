"""The sample site, Lighthouse, with its history, as the documentation shows it."""

import git_repositories
from docs_pages import ROOT
from sites import SiteMaker, git

SAMPLE = ROOT / "sample_site"
HISTORY = SAMPLE / "history.fast-import"


def lighthouse(folder):
    """The sample site in a repository of its own, as the README unpacks it."""
    git_repositories.init(folder)
    git_repositories.git(folder, "fast-import", "--quiet", stdin=HISTORY.read_bytes())
    git_repositories.git(folder, "checkout", "-qf", "main")
    return SiteMaker(folder)


def published(folder):
    """The same, built into ``site``, with the site of its last release in ``before``.

    Then it had no page on alerts, one on lamps, and the older text of the home page. In ``public``
    it stands for the languages ``en`` and ``de`` of a larger site.
    """
    site = lighthouse(folder)
    git("checkout", "-q", "v2.3", cwd=folder)
    site.build("--strict", "-d", "before")
    git("checkout", "-q", "main", cwd=folder)
    site.build("--strict")
    for language in ("en", "de"):
        url = f"https://lighthouse.example/{language}/"
        site.write({f"{language}.yml": f"INHERIT: mkdocs.yml\nsite_url: {url}\n"})
        site.build("-f", f"{language}.yml", "-d", f"public/{language}")
    return site
