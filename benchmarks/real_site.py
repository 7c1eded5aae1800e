"""Hold the plugin's dates and URLs on a real site against git and against MkDocs' own sitemap.

Usage: python benchmarks/real_site.py CONFIG_FILE

CONFIG_FILE is the mkdocs.yml of a work tree with its whole history, whose plugins are a list and
are installed. The site is built in a temporary folder: once as it is, and with the plugin for each
``lastmod.git.date`` with ``lastmod.git.change: any``. Every date must equal that of the command
that the documentation names. The URLs must be those of MkDocs' own sitemap, but for pages that
their own HTML keeps out of an index.
"""

import json
import logging
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from xml.etree import ElementTree as ET

from mkdocs.commands.build import build
from mkdocs.config import load_config

LOC = "{http://www.sitemaps.org/schemas/sitemap/0.9}loc"
COMMANDS = {
    "published": ("--first-parent", "--format=%ct"),
    "commit": ("--format=%ct",),
    "author": ("--format=%at",),
}


def built(config_file, site_dir, options=None):
    """Build the site; returns MkDocs' config with the plugins as they ended."""
    text = config_file.read_text(encoding="utf-8")
    if options is not None:
        plugin = "sitemap-plus: " + json.dumps(options)
        text, found = re.subn(r"(?m)^plugins:\s*\n(\s*)- ", rf"plugins:\n\1- {plugin}\n\1- ", text)
        if found != 1:
            sys.exit("the plugins of this site are not a list")
    copy = config_file.with_name(".real_site.yml")
    copy.write_text(text, encoding="utf-8")
    try:
        config = load_config(str(copy), site_dir=str(site_dir))
        build(config)
    finally:
        copy.unlink()
    return config


def urls(sitemap):
    """The set of URLs of a written sitemap."""
    return {element.text for element in ET.parse(sitemap).iter(LOC)}  # noqa: S314 - our own file


def git_date(source, arguments):
    """What git itself says; None for a file that it does not know."""
    command = ["git", "-C", source.parent, "--literal-pathspecs", "log", "-1", *arguments]
    done = subprocess.run([*command, "--", source], check=False, capture_output=True, text=True)
    return int(done.stdout) if done.stdout.strip() else None


def compare(date, config):
    """Print how many dates differ from git's own."""
    decisions = [each for each in config.plugins["sitemap-plus"].outcome.decisions if each.entry]
    invalid = 0
    for decision in decisions:
        when, change = decision.entry.lastmod, decision.because.get("lastmod")
        source = change.repository / change.path if change else decision.page.path
        expected = git_date(source, COMMANDS[date]) if source.parent.is_dir() else None
        if expected != (when and int(when.timestamp())):
            invalid += 1
            print(f"  {decision.page.src_uri}: {when} instead of {expected}")
    dated = sum(each.entry.lastmod is not None for each in decisions)
    print(f"{date}: {len(decisions)} pages, {dated} dated, {invalid} dates differ from git")
    return invalid


def main():
    """Build, compare, and exit with 1 where something differs."""
    logging.disable(logging.WARNING)
    config_file = Path(sys.argv[1]).resolve()
    invalid = 0
    with tempfile.TemporaryDirectory() as folder:
        own = Path(folder, "own")
        built(config_file, own)
        for date in COMMANDS:
            ours = Path(folder, date)
            git = {"date": date, "change": "any"}
            lastmod = {"sources": ["git"], "git": git}
            config = built(config_file, ours, {"lastmod": lastmod})
            invalid += compare(date, config)
        missing = urls(own / "sitemap.xml") - urls(ours / "sitemap.xml")
        added = urls(ours / "sitemap.xml") - urls(own / "sitemap.xml")
        outcome = config.plugins["sitemap-plus"].outcome
        reasons = {page.loc: str(page.reason) for page in outcome.left_out}
    print(f"URLs: {len(missing)} of MkDocs' are missing, {len(added)} are added")
    for loc in sorted(missing | added):
        print(f"  {loc}: {reasons.get(loc, 'unexplained')}")
    unexplained = added | {loc for loc in missing if loc not in reasons}
    sys.exit(1 if invalid or unexplained else 0)


if __name__ == "__main__":
    main()
