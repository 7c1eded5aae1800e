"""The sample site, Lighthouse, with a history, as the documentation shows it."""

import shutil
from pathlib import Path

from sites import SiteMaker, git

SAMPLE = Path(__file__).parents[1] / "sample_site"


def lighthouse(folder):
    """The sample site in a repository with two commits, as it is."""
    site = SiteMaker(folder)
    for name in ("docs", "overrides"):
        shutil.copytree(SAMPLE / name, site.folder / name)
    shutil.copy(SAMPLE / "mkdocs.yml", site.folder)
    home = site.folder / "docs" / "index.md"
    text = home.read_bytes()
    home.write_bytes(text + b"To be continued.\n")
    site.commit("Say what the lamp does", "2026-05-19T16:40:31+0000")
    home.write_bytes(text)
    site.commit("Say it all", "2026-09-02T08:14:05+0000")
    return site


def published(folder):
    """The same, built into ``site``, with the site of the time before in ``before``.

    Then it had no page on alerts, one on lamps, and the older text of the home page. In ``public``
    it stands for the languages ``en`` and ``de`` of a larger site.
    """
    site = lighthouse(folder)
    git("checkout", "-q", "HEAD~1", cwd=folder)
    (folder / "docs" / "guide" / "alerts.md").unlink()
    site.docs({"guide/lamps.md": "# Lamps\n"})
    site.build("-d", "before")
    (folder / "docs" / "guide" / "lamps.md").unlink()
    git("checkout", "-qf", "main", cwd=folder)
    site.build("--strict")
    for language in ("en", "de"):
        url = f"https://lighthouse.example/{language}/"
        site.write({f"{language}.yml": f"INHERIT: mkdocs.yml\nsite_url: {url}\n"})
        site.build("-f", f"{language}.yml", "-d", f"public/{language}")
    return site
