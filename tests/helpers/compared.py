"""Twelve pages that changed on twelve days, and what `check` says of sitemaps with their dates."""

import json
from datetime import date, timedelta

from sites import SiteMaker, run_command

HOME = "https://web.example/"
CONFIG = f"site_name: Test\nsite_url: {HOME}\n"
DAYS = {f"p{n}": f"2024-{n + 1:02}-10" for n in range(12)}
"""The day on which each page changed last."""


def sitemap(days, base=HOME):
    """A sitemap as another tool writes it: the days by the paths of pages."""
    entries = "".join(
        f"<url><loc>{base}{path}</loc>{f'<lastmod>{day}</lastmod>' if day else ''}</url>\n"
        for path, day in days.items()
    )
    space = "http://www.sitemaps.org/schemas/sitemap/0.9"
    return f'<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="{space}">\n{entries}</urlset>\n'


def moved(days, by):
    """The days of pages by their URLs, moved by some days."""
    return {
        f"{name}/": (date.fromisoformat(day) + timedelta(by)).isoformat()
        for name, day in days.items()
    }


def make_clone(folder):
    """A project of twelve pages, each of which changed on a day of its own."""
    site = SiteMaker(folder)
    site.write({"mkdocs.yml": CONFIG, **{f"docs/{name}.md": "# Old\n" for name in DAYS}})
    site.commit(date="2020-01-01T10:00:00+0000")
    for name, day in DAYS.items():
        site.commit_on(day, {f"docs/{name}.md": f"# {name}\n"})
    return site


def checked(site, days, *arguments):
    """What is found about dates in a sitemap that somebody saved, and the whole JSON."""
    (site.folder / "live.xml").write_text(sitemap(days))
    done = run_command("check", "--format", "json", *arguments, "live.xml", cwd=site.folder)
    result = json.loads(done.stdout)
    found = [each for each in result["findings"] if each["code"].endswith(("-git", "-lastmod"))]
    return [f"{(each['loc'] or '').removeprefix(HOME)} {each['reason']}" for each in found], (
        result | {"stderr": done.stderr}
    )


def numbers(result):
    """Of how many dates git was asked, how many are right, and why others are not judged."""
    git = result["git"]
    by_build = {"by_build": git["by_build"]} if git["by_build"] else {}
    return git["dates"], git["right"], by_build | git["not_judged"]


def said(site, days, *arguments):
    """What a person reads."""
    (site.folder / "live.xml").write_text(sitemap(days))
    done = run_command("check", *arguments, "live.xml", cwd=site.folder)
    return done.stdout, done.stderr
