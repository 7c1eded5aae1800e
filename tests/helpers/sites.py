"""Make a site from text, build it with the real command, read what came out."""

import atexit
import gzip
import json
import logging
import os
import re
import shutil
import subprocess
import sys
import warnings
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from tempfile import mkdtemp

import commands
import git_repositories
import mkdocs.plugins
import mkdocs.utils
import pytest
import warm_mkdocs
from click.testing import CliRunner
from mkdocs.__main__ import cli
from mkdocs.config.base import get_schema
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.theme import Theme
from sitemap_xml import read_alternates, read_entries, validate

from mkdocs_sitemap_plus.command.cli.main import LogPrinter

MKDOCS_YML = """\
site_name: Sample
site_url: https://web.example/
{theme}plugins:
  - sitemap-plus{options}
"""

SUMS_UP = re.compile(
    r"INFO \S+\.xml(, \S+\.xml)?( and (\S+\.xml|[\d,]+ parts?))?: [\d,]+ (page|URL)s?\b"
)

WITHOUT_GIT = "lastmod: {sources: [front_matter]}  # until the site is committed"
"""The option that accepts a site without a repository."""

CHANGEFREQS = "always, hourly, daily, weekly, monthly, yearly, never"
DATES = "a date such as 2026-11-20, a datetime such as 2026-11-20T10:00:00+01:00, or false"


def installed(package):
    """Whether a distribution is there."""
    try:
        return bool(version(package))
    except PackageNotFoundError:
        return False


CACHE = mkdtemp(prefix="cache-")
"""Where builds keep their reports, in place of the user's cache."""
os.environ["XDG_CACHE_HOME"] = CACHE
atexit.register(shutil.rmtree, CACHE, ignore_errors=True)

# MaterialX has the same Python package as Material, so an environment has one of the two.
MATERIAL_NAME = "materialx" if installed("mkdocs-materialx") else "material"
MATERIAL = f"theme: {{name: {MATERIAL_NAME}, font: false}}\n"
INSTANT = MATERIAL.replace("}", ", features: [navigation.instant]}")


def needs(*packages):
    """Skip the tests of a neighbour that is not installed; MaterialX takes Material's place."""
    names = [f"mkdocs-{MATERIAL_NAME}" if it == "mkdocs-material" else it for it in packages]
    missing = [package for package in names if not installed(package)]
    return pytest.mark.skipif(bool(missing), reason=f"not installed: {', '.join(missing)}")


def only_material(reason):
    """Skip a test of what MaterialX does not do."""
    return pytest.mark.skipif(MATERIAL_NAME != "material", reason=reason)


def clean_environment(**extra):
    """The environment of a user at home without any git configuration; it asks for no coverage."""
    ours = ("GIT_", "COVERAGE_")
    kept = {key: value for key, value in os.environ.items() if not key.startswith(ours)}
    kept.pop("CI", None)
    own = {
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_CONFIG_SYSTEM": os.devnull,
        "PYTHONWARNINGS": "ignore::DeprecationWarning",
        "NO_COLOR": "1",
        "NO_MKDOCS_2_WARNING": "1",
    }
    return kept | own | extra


def run(*command, cwd, check=True, **extra):
    """Run a command; returns the finished process with its output as text."""
    return subprocess.run(
        [os.fspath(part) for part in command],
        cwd=cwd,
        check=check,
        env=clean_environment(**extra),
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
    )


def run_command(*arguments, cwd, **extra):
    """Run ``mkdocs-sitemap-plus`` in this process; returns the same as `run`."""
    with as_user(cwd, **extra), pytest.MonkeyPatch.context() as patch:
        logger = logging.getLogger("mkdocs_sitemap_plus")
        logger.setLevel(logging.INFO)
        patch.setattr(logger, "handlers", [LogPrinter()])
        return subprocess.CompletedProcess(arguments, *commands.run(*arguments))


def git(*arguments, cwd, date="2024-05-01T10:00:00+0000", **extra):
    """Run git with a fixed author and, for commits, a fixed date; returns what it prints."""
    who = {
        f"GIT_{role}_{part}": value
        for role in ("AUTHOR", "COMMITTER")
        for part, value in (("NAME", "Ann"), ("EMAIL", "ann@example.com"), ("DATE", date))
    }
    return git_repositories.git(cwd, *arguments, **(who | extra)).decode().strip()


def own_lines(output):
    """The plugin's lines of a log: ``WARNING text`` or ``INFO text``."""
    wanted = []
    for line in output.splitlines():
        level, _, text = line.partition("-")
        text = text.rpartition("] ")[2] if re.match(r"\s*\[\d\d:\d\d:\d\d\] ", text) else text
        if text.strip().startswith("sitemap-plus: "):
            wanted.append(f"{level.strip()} {text.strip().removeprefix('sitemap-plus: ')}")
    return wanted


@dataclass
class Built:
    """What one build left behind."""

    folder: Path
    returncode: int
    output: str

    @property
    def lines(self):
        """All log lines of the plugin: ``WARNING text`` or ``INFO text``."""
        return own_lines(self.output)

    @property
    def warnings(self):
        """The plugin's warnings."""
        return [line.removeprefix("WARNING ") for line in self.lines if line.startswith("WARNING")]

    @property
    def notes(self):
        """The plugin's lines of information but for the one that sums up."""
        lines = [line for line in self.lines if line.startswith("INFO") and not SUMS_UP.match(line)]
        return [line.removeprefix("INFO ") for line in lines]

    @property
    def summary(self):
        """The line that sums up the build; there is just one, and it is the last."""
        (line,) = [line for line in self.lines if SUMS_UP.match(line)]
        assert line == self.lines[-1]
        return line.removeprefix("INFO ")

    def path(self, name="sitemap.xml"):
        """A file of the built site."""
        return self.folder / "site" / name

    def xml(self, name="sitemap.xml"):
        """The sitemap, checked: valid, and the same as its ``.gz``."""
        data = self.path(name).read_bytes()
        assert gzip.decompress(self.path(name + ".gz").read_bytes()) == data
        validate(data)
        return data.decode()

    def entries(self, name="sitemap.xml"):
        """The sitemap as a list of dictionaries, in its order."""
        return read_entries(self.xml(name).encode())

    def by_loc(self, name="sitemap.xml", base="https://web.example/"):
        """The sitemap's fields by URL below `base`."""
        return {entry.pop("loc").removeprefix(base): entry for entry in self.entries(name)}

    def days(self):
        """The whole sitemap as days by URL; None for a page without a date."""
        return {loc: day_of(entry) for loc, entry in self.by_loc().items()}

    def alternates(self, name="sitemap.xml", base="https://web.example/"):
        """The language versions of each URL, by hreflang; all URLs below `base`."""
        return {
            loc.removeprefix(base): {code: href.removeprefix(base) for code, href in links.items()}
            for loc, links in read_alternates(self.xml(name).encode()).items()
        }

    def locs(self, name="sitemap.xml", base="https://web.example/"):
        """The URLs below `base`, in the sitemap's order."""
        return list(self.by_loc(name, base))


def day_of(entry):
    """The day of an entry without other fields, of a commit at ten o'clock or a plain date."""
    assert entry.keys() <= {"lastmod"}, entry
    return entry["lastmod"].removesuffix("T10:00:00+00:00") if entry else None


@contextmanager
def as_user(folder, **extra):
    """Be a user without any git configuration in a folder.

    Afterwards this process is as before: modules of that folder are forgotten, MkDocs has no plugin
    and no warning of that site any more, and what a plugin replaced in MkDocs is back.
    """
    here, modules, path = Path.cwd(), set(sys.modules), [*sys.path]
    own = [sys.modules[name] for name in modules if f"{name}.".startswith("mkdocs.")]
    before = [dict(vars(module)) for module in own]
    logger = logging.getLogger("mkdocs")
    handlers, level = [*logger.handlers], logger.level
    environment = clean_environment(**extra)
    os.chdir(folder)
    try:
        with pytest.MonkeyPatch.context() as patch, warnings.catch_warnings():
            warnings.simplefilter("ignore")
            patch.setattr(Theme, "get_env", warm_mkdocs.environment)
            for module in (mkdocs.plugins, mkdocs.utils):
                patch.setattr(module, "entry_points", warm_mkdocs.known_entry_points)
            patch.setattr(mkdocs.utils, "get_themes", warm_mkdocs.known_themes)
            patch.setattr(mkdocs.utils, "copy_file", warm_mkdocs.copy_file)
            patch.setattr(MkDocsConfig.plugins, "plugin_cache", {})
            for name in os.environ.keys() - environment.keys():
                patch.delenv(name)
            for name, value in environment.items() - os.environ.items():
                patch.setenv(name, value)
            yield
    finally:
        os.chdir(here)
        sys.path[:] = path
        for module, attributes in zip(own, before, strict=True):
            vars(module).update(attributes)
        logger.handlers[:] = handlers
        logger.setLevel(level)
        for _, option in get_schema(MkDocsConfig):  # an option with an error keeps its warnings
            option.reset_warnings()
        for name in sys.modules.keys() - modules:
            if Path(getattr(sys.modules[name], "__file__", None) or here).is_relative_to(folder):
                del sys.modules[name]


def run_in_process(*arguments, cwd, **extra):
    """Run ``mkdocs`` in this process; returns the same as `run`."""
    with as_user(cwd, **extra):
        done = CliRunner().invoke(cli, list(arguments))
    if not isinstance(done.exception, SystemExit | None):
        raise done.exception
    return subprocess.CompletedProcess(arguments, done.exit_code, done.output, "")


def found_in(folder):
    """The codes that ``check`` finds in a built site; pages may be left out on purpose."""
    _, out, _ = commands.run("check", "--format", "json", folder)
    return {each["code"] for each in json.loads(out)["findings"]}


class SiteMaker:
    """Writes the files of a site and builds it."""

    def __init__(self, folder):
        """Nothing is written yet."""
        self.folder = folder

    def write(self, files):
        """Write files by path below the site's folder; text or bytes."""
        for name, content in files.items():
            path = self.folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content if isinstance(content, bytes) else content.encode())

    def copy(self, folder):
        """Copy all files, the repository included; returns the maker of the copy."""
        warm_mkdocs.copy_of_site(self.folder, folder)
        return SiteMaker(folder)

    def docs(self, files):
        """Write pages by path below the docs folder."""
        self.write({f"docs/{name}": content for name, content in files.items()})

    def config(self, options="", *, theme="", more="", site_url="https://web.example/"):
        """Write mkdocs.yml; `options` are the plugin's, as YAML without indentation.

        While the site has no repository, and unless `options` are about dates, git is no source of
        dates: else each build would warn of the missing repository.
        """
        dates = re.search("^lastmod:", options, re.MULTILINE)
        if not dates and not (self.folder / ".git").exists():
            options += f"\n{WITHOUT_GIT}"
        indented = "".join(f"\n      {line}" for line in options.strip().splitlines())
        text = MKDOCS_YML.format(options=":" + indented if indented else "", theme=theme)
        url = f"site_url: {site_url}\n" if site_url else ""
        text = text.replace("site_url: https://web.example/\n", url)
        self.write({"mkdocs.yml": text + more})

    def commit(self, message="Change", date="2024-05-01T10:00:00+0000"):
        """Commit everything, in a repository that is made when it is first needed."""
        if not (self.folder / ".git").exists():
            git_repositories.init(self.folder)
            self.write({".git/info/exclude": "/site/\n"})
            self._with_git()
        # As if each file was large: git writes all new ones into one file, and not one file each.
        git("-c", "core.bigFileThreshold=1", "add", "-A", cwd=self.folder)
        git("commit", "-q", "--allow-empty", "-m", message, cwd=self.folder, date=date)

    def _with_git(self):
        """Take `WITHOUT_GIT` out of mkdocs.yml."""
        path = self.folder / "mkdocs.yml"
        if path.exists():
            text = path.read_text("utf-8")
            text = text.replace(f"sitemap-plus:\n      {WITHOUT_GIT}", "sitemap-plus")
            path.write_text(text.replace(f"\n      {WITHOUT_GIT}", ""), "utf-8")

    def commit_on(self, day, files):
        """Write files and commit everything at ten o'clock of a day."""
        self.write(files)
        self.commit(date=f"{day}T10:00:00+0000")

    def _elsewhere(self):
        """The codes about what the owner lists, and what other builds publish."""
        options = "".join(path.read_text("utf-8") for path in self.folder.glob("*.yml"))
        codes = {"extra_urls": "page-absent", "extra_sitemaps": "part-missing"}
        return {code for option, code in codes.items() if option in options}

    def build(self, *arguments, check=True, program=None, cwd=None, found=(), **extra):
        """Run ``mkdocs build``; with `check` it must succeed.

        Whatever was built, ``check`` finds nothing in it but the codes in `found`.
        It is built in this process, in a tenth of the time, or by a `program` in its own.
        """
        cwd = cwd or self.folder
        if program:
            command = (sys.executable, "-m", program, "build", *arguments)
            done = run(*command, cwd=cwd, check=False, **extra)
        else:
            done = run_in_process("build", *arguments, cwd=cwd, **extra)
        output = done.stdout + done.stderr
        assert "Traceback" not in output, output
        if check:
            assert done.returncode == 0, output
        built = Built(self.folder, done.returncode, output)
        if any(SUMS_UP.match(line) for line in built.lines):
            codes = found_in(self.folder / "site") - set(found) - self._elsewhere()
            codes.discard("loc-local")  # the browsers of these tests open sites on this computer
            assert not codes, codes
        return built
