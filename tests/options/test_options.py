"""The plugin's options: what is taken, and how MkDocs reports what is not."""

import json
import re
from dataclasses import fields
from datetime import UTC, datetime
from decimal import Decimal

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from readers import OPTIONS
from sites import CHANGEFREQS, run_command

from mkdocs_sitemap_plus.generator.options.fields import EXTRA_URL_FIELDS, RULE_FIELDS
from mkdocs_sitemap_plus.generator.options.settings import (
    GitChange,
    GitDate,
    GitSettings,
    IncludeKind,
    LastmodSettings,
    Precision,
    Settings,
    Shallow,
    Source,
)
from mkdocs_sitemap_plus.generator.options.table import read_options, top_names

NUMBER = "but must be a number from 0.0 to 1.0."
WORD = f"but must be one of {CHANGEFREQS}."
PATTERNS = "but must be a pattern, a list of patterns, or a block of them."
ZONE = "but must be the name of a time zone, such as UTC or Europe/Berlin."
NAME = "but must be a bare file name of ASCII letters, digits, '.', '_' and '-' that ends in .xml."
NO_DATES = "To write no dates, use `lastmod: {sources: []}`."
LASTMOD = "sources, format, timezone, front_matter_keys, git, includes"
RULE_KEYS = ("match", *RULE_FIELDS)
URL = "but must be a URL, or a path below site_url."

ERRORS = {
    "changefreq: dayly": f"changefreq is 'dayly', {WORD}",
    "changefreq: no": f"changefreq is false, {WORD}",
    "priority: 1.5": f"priority is 1.5, {NUMBER}",
    "priority: high": f"priority is 'high', {NUMBER}",
    "priority: '0,5'": f"priority is '0,5', {NUMBER}",
    "exclude: 3": f"exclude is 3, {PATTERNS}",
    "exclude: [a, 3]": f"exclude is ['a', 3], {PATTERNS}",
    "rules: {match: a}": (
        "rules is {'match': 'a'}, but must be a list of rules. "
        "Begin each with `- match: …`."
    ),
    "rules: a.md": (
        "rules is 'a.md', but must be a list of rules. Begin each with `- match: …`."
    ),
    "extra_urls: {loc: app/}": (
        "extra_urls is {'loc': 'app/'}, but must be a list of mappings. "
        "Begin each with `- loc: …`."
    ),
    "rules: [a.md]": f"rules[0] is 'a.md', but must be a mapping of {', '.join(RULE_KEYS)}.",
    "rules: [{priority: 0.5}]": f"rules[0].match is missing or empty, {PATTERNS}",
    "rules: [{match: a, priority: 1}, {match: [], priority: 2}]": (
        "rules[1].match is [], but must be at least one pattern.\n"
        f"mkdocs.yml: rules[1].priority is 2, {NUMBER}"
    ),
    "rules: [{match: a, exclude: maybe}]": (
        "rules[0].exclude is 'maybe', but must be true or false."
    ),
    "rules: [{match: a, lastmod: 2024-01-02}]": (
        "rules[0].lastmod is 2024-01-02, but must be false, which gives the pages no date. "
        "A date of its own goes into the front matter of a page."
    ),
    "lastmod: false": f"lastmod is false, but must be a mapping of {LASTMOD}. {NO_DATES}",
    "lastmod: true": f"lastmod is true, but must be a mapping of {LASTMOD}.",
    "lastmod: {git: true}": (
        "lastmod.git is true, but must be a mapping of date, change, branch, "
        "ignore_revs_file, ignore_authors, ignore_subjects, shallow."
    ),
    "lastmod: {sources: 3}": (
        f"lastmod.sources is 3, but must be a list of {', '.join(Source)}."
    ),
    "lastmod: {sources: ['git, file']}": (
        f"lastmod.sources[0] is 'git, file', but must be one of {', '.join(Source)}."
    ),
    "lastmod: {sources: [gti]}": (
        f"lastmod.sources[0] is 'gti', but must be one of {', '.join(Source)}."
    ),
    "lastmod: {format: dates}": (
        "lastmod.format is 'dates', but must be one of datetime, date."
    ),
    "lastmod: {timezone: Europe/Berln}": (
        f"lastmod.timezone is 'Europe/Berln', {ZONE}"
    ),
    "lastmod: {timezone: GMT+1}": f"lastmod.timezone is 'GMT+1', {ZONE}",
    "lastmod: {timezone: europe/berlin}": (
        f"lastmod.timezone is 'europe/berlin', {ZONE}"
    ),
    "lastmod: {timezone: ../../etc/passwd}": f"lastmod.timezone is '../../etc/passwd', {ZONE}",
    "lastmod: {timezone: ''}": f"lastmod.timezone is '', {ZONE}",
    "lastmod: {front_matter_keys: {a: b}}": (
        "lastmod.front_matter_keys is {'a': 'b'}, but must be a list of dotted keys."
    ),
    "lastmod: {front_matter_keys: [3]}": (
        "lastmod.front_matter_keys[0] is 3, but must be a dotted key of front matter, as a string."
    ),
    "lastmod: {front_matter_keys: 'reviewed, lastmod'}": (
        "lastmod.front_matter_keys is 'reviewed, lastmod', but must be a list of dotted keys. "
        "A list is written as [a, b]."
    ),
    "lastmod: {git: {date: published_at}}": (
        "lastmod.git.date is 'published_at', but must be one of published, commit, author."
    ),
    "lastmod: {git: {change: text}}": (
        "lastmod.git.change is 'text', but must be one of any, content, body."
    ),
    "lastmod: {git: {ignore_revs_file: [a]}}": (
        "lastmod.git.ignore_revs_file is ['a'], but must be a path, relative to mkdocs.yml."
    ),
    "lastmod: {git: {ignore_authors: true}}": (
        "lastmod.git.ignore_authors is true, but must be a list of patterns."
    ),
    "lastmod: {git: {ignore_authors: [a, 3]}}": (
        "lastmod.git.ignore_authors[1] is 3, but must be a `Name <mail>` pattern."
    ),
    "lastmod: {git: {branch: origin/main}}": (
        "lastmod.git.branch is 'origin/main', but must be the name of a branch, such as main."
    ),
    "lastmod: {git: {ignore_subjects: ['Reformat*', ' ']}}": (
        "lastmod.git.ignore_subjects[1] is ' ', but must be a pattern on a subject line."
    ),
    "lastmod: {git: {shallow: fetsh}}": (
        "lastmod.git.shallow is 'fetsh', but must be one of warn, omit, fetch."
    ),
    "lastmod: {includes: false}": (
        "lastmod.includes is false, but must be a list of snippets, include-markdown, "
        "macros, depends, mkdocstrings."
    ),
    "lastmod: {includes: [snippet]}": (
        "lastmod.includes[0] is 'snippet', but must be one of snippets, include-markdown, macros, "
        "depends, mkdocstrings."
    ),
    "filename: sitemap": f"filename is 'sitemap', {NAME}",
    "filename: maps/sitemap.xml": f"filename is 'maps/sitemap.xml', {NAME}",
    "filename: sitemap.xml.gz": f"filename is 'sitemap.xml.gz', {NAME}",
    'filename: "a\\n.xml"': f"filename is 'a\\n.xml', {NAME}",
    'report: "a\\0.json"': (
        "report is 'a\\x00.json', but must be a path, relative to mkdocs.yml, that ends in .json."
    ),
    "extra_sitemaps: {a: b}": "extra_sitemaps is {'a': 'b'}, but must be a list of URLs.",
    "extra_sitemaps: [a/sitemap.xml, 3, '']": (
        "extra_sitemaps[1] is 3, but must be a URL, as a string."
    ),
    "stylesheet: sitemap.css": "stylesheet is 'sitemap.css', but must be true or false.",
}  # fmt: skip


@pytest.mark.parametrize(("text", "error"), ERRORS.items(), ids=ERRORS)
def test_a_wrong_value_is_an_error_that_names_the_option(text, error):
    """Option, value, and what is allowed."""
    reading = read_options(yaml.safe_load(text))
    assert "\n".join(map(str, reading.errors)) == f"mkdocs.yml: {error}"
    assert reading.settings == Settings()
    assert not reading.unknown


def test_mkdocs_reports_a_wrong_value_as_a_configuration_error(site):
    """Exit code 1, before anything is built, in MkDocs' own words around ours."""
    text = "lastmod: {git: {change: text}}"
    site.docs({"index.md": "# Home\n"})
    site.config(text)
    built = site.build(check=False)
    assert built.returncode == 1
    assert (
        "ERROR   -  Config value 'plugins': Plugin 'sitemap-plus' option 'lastmod': "
        f"mkdocs.yml:5: {ERRORS[text]}"
    ) in built.output.splitlines()
    assert not built.path("").exists()


@pytest.mark.parametrize(
    ("own", "places"),
    [
        ("plugins: {sitemap-plus: {changefreq: dayly}}", ["conf/base.yml:4", "mkdocs.yml:2"]),
        ("", ["conf/base.yml:4"]),
    ],
    ids=["both", "all-inherited"],
)
def test_a_wrong_value_is_reported_with_the_file_that_has_it(site, own, places):
    """Also if mkdocs.yml inherits this file; MkDocs and the command name the same places."""
    inherited = "site_name: S\nplugins:\n  sitemap-plus:\n    priority: 7\n"
    site.docs({"index.md": "# Home\n"})
    site.write({"conf/base.yml": inherited, "mkdocs.yml": f"INHERIT: conf/base.yml\n{own}\n"})
    by_mkdocs = site.build(check=False).output
    by_command = run_command("build", cwd=site.folder).stderr
    for output in (by_mkdocs, by_command):
        assert sorted(re.findall(r"\S+\.yml:\d+", output)) == places


KNOWN = (
    "exclude, rules, lastmod, page_dates, alternates, fallback_pages, images, extra_urls, "
    "extra_files, extra_sitemaps, filename, stylesheet, robots_txt, changefreq, priority, "
    "transform, report"
)


def not_known(key, names):
    """The warning of an unknown key, with the known ones of its level."""
    return f"{key} is not a known key (known: {', '.join(names)}). It is ignored."


LASTMOD_KEYS = [field.name for field in fields(LastmodSettings)]
GIT_KEYS = [field.name for field in fields(GitSettings)]
URL_KEYS = ("loc", *EXTRA_URL_FIELDS)
BY_TRANSFORM = (
    "use the option `transform`: "
    "https://mkdocs-sitemap-plus.readthedocs.io/page/guide/files-images-videos/#links-by-hand"
)
QUOTES = "Put it in quotes: YAML reads the words yes, no, on and off as true and false."
UNKNOWN = {
    "lastmod: {timezoen: UTC}": not_known("lastmod.timezoen", LASTMOD_KEYS),
    "lastmod: {git: {no: 1}}": f"{not_known('lastmod.git.false', GIT_KEYS)} {QUOTES}",
    "lastmod: {git: {xyz: 1}}": not_known("lastmod.git.xyz", GIT_KEYS),
    "exlude: /a/": not_known("exlude", top_names()),
    "Priority: 1": not_known("Priority", top_names()),
    "x_default: de": (
        "x_default was removed. It is ignored. x-default is the default language, or the first of "
        f"`alternates`. To set another, {BY_TRANSFORM}"
    ),
    "check: {ignore: {not-listed: /a/}}": (
        "check was removed. It is ignored. Use `check --ignore CODE` instead."
    ),
    "lastmod: {file: build/dates.json}": (
        "lastmod.file was removed. It is ignored. The dates file is `sitemap-dates.json`, beside "
        "the project file: move it there."
    ),
    "lastmod: {git: {shallow: error}}": (
        "lastmod.git.shallow is 'error', which was removed. It counts as 'warn'. To stop such a "
        "build, use `mkdocs build --strict`."
    ),
    "extra_urls: [{loc: a, alternates: {de: /de/}}]": (
        "extra_urls[0].alternates was removed. It is ignored. To link pages by hand, "
        f"{BY_TRANSFORM}"
    ),
    "rules: [{match: a, include: false, priority: 1}]": not_known("rules[0].include", RULE_KEYS),
    "extra_urls: [{loc: a, last_mod: 2024-01-01}]": not_known("extra_urls[0].last_mod", URL_KEYS),
}


@pytest.mark.parametrize(("text", "warning"), UNKNOWN.items(), ids=UNKNOWN)
def test_an_unknown_key_is_reported_with_the_known_ones(text, warning):
    """At any depth; the build goes on."""
    reading = read_options(yaml.safe_load(text))
    assert [str(problem) for problem in reading.unknown] == [f"mkdocs.yml: {warning}"]
    assert not reading.errors


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("rules: [{path: /a/, exclude: true}]", f"rules[0].match is missing or empty, {PATTERNS}"),
        ("extra_urls: [{path: a}]", f"extra_urls[0].loc is missing or empty, {URL}"),
    ],
)
def test_a_missing_key_names_the_unknown_keys_beside_it(text, error):
    """One of them was meant; the build stops before it warns of them."""
    (found,) = read_options(yaml.safe_load(text)).errors
    assert str(found) == f"mkdocs.yml: {error} Unknown here: `path`."


def test_a_rule_that_sets_nothing_is_a_warning_with_its_line(site):
    """By both doors; the indentation of its fields is lost, or they were forgotten."""
    site.docs({"index.md": "# Home\n"})
    site.config("rules:\n  - match: a.md\n    priority: 0.5\n  - match: /index.md")
    warning = (
        "mkdocs.yml:8: rules[1] sets nothing for the pages that it matches. "
        "Give it one of changefreq, priority, lastmod, exclude, images."
    )
    assert f"Plugin 'sitemap-plus' option 'rules': {warning}" in site.build().output
    assert f"Warning: {warning}" in run_command("build", cwd=site.folder).stderr


def test_a_removed_option_of_check_is_a_warning_of_check_too(site):
    """What it accepted is found again, so the line stands where the exit code changes."""
    site.docs({"index.md": "# Home\n"})
    site.config("check: {ignore: {not-listed: /old/}}")
    warning = "mkdocs.yml:5: check was removed. It is ignored. Use `check --ignore CODE` instead."
    assert f"Plugin 'sitemap-plus' option 'check': {warning}" in site.build().output
    for call in ("build", "check"):
        done = run_command(call, cwd=site.folder)
        assert (done.returncode, done.stderr) == (0, f"Warning: {warning}\n"), call


@pytest.mark.parametrize(
    ("single", "several"),
    [
        ("lastmod: {sources: git}", "lastmod: {sources: [git]}"),
        ("lastmod: {includes: snippets}", "lastmod: {includes: [snippets]}"),
        ("lastmod: {front_matter_keys: a.b}", "lastmod: {front_matter_keys: [a.b]}"),
        ("lastmod: {git: {ignore_authors: '*[bot]*'}}",
         "lastmod: {git: {ignore_authors: ['*[bot]*']}}"),
        ("lastmod: {git: {ignore_subjects: 'x: *'}}",
         "lastmod: {git: {ignore_subjects: ['x: *']}}"),
        ("extra_sitemaps: a/sitemap.xml", "extra_sitemaps: [a/sitemap.xml]"),
        ("extra_urls: [{loc: a, images: b.png}]", "extra_urls: [{loc: a, images: [b.png]}]"),
    ],
)  # fmt: skip
def test_a_single_text_is_a_list_of_one(single, several):
    """For each option that takes a list of texts."""
    reading = read_options(yaml.safe_load(single))
    assert (reading.errors, reading.unknown) == ((), ())
    assert reading == read_options(yaml.safe_load(several))


def test_mkdocs_reports_an_unknown_key_as_a_warning(site):
    """The same line as for any plugin; a strict build fails."""
    text = "lastmod: {timezoen: UTC}"
    site.docs({"index.md": "# Home\n"})
    site.config(text)
    built = site.build("--strict", check=False)
    assert built.returncode == 1
    assert (
        "WARNING -  Config value 'plugins': Plugin 'sitemap-plus' option 'lastmod': "
        f"mkdocs.yml:5: {UNKNOWN[text]}"
    ) in built.output.splitlines()


NULLS = """\
changefreq:
priority: null
exclude: ~
rules:
filename:
stylesheet:
lastmod:
"""
DEEP_NULLS = "lastmod: {includes: , git: {date: , ignore_revs_file: , shallow: }}"


@pytest.mark.parametrize("text", ["{}", NULLS, DEEP_NULLS])
def test_an_option_without_a_value_has_its_default(text):
    """YAML's way to write nothing."""
    reading = read_options(yaml.safe_load(text))
    assert reading == (Settings(), (), ())


def test_all_options_together():
    """Everything that can be set, set."""
    text = """\
changefreq: Weekly
priority: .5
exclude: |
  a.md
rules:
  - match: [b.md, c/]
    changefreq: never
    priority: "1"
    lastmod: false
    exclude: no
extra_sitemaps: [" a/sitemap.xml "]
filename: my-site.map_1.xml
stylesheet: no
fallback_pages: no
lastmod:
  sources: [git]
  format: date
  timezone: Europe/Berlin
  front_matter_keys: [" x.y "]
  includes: [mkdocstrings, depends]
  git:
    date: author
    change: body
    branch: " release/2 "
    ignore_revs_file: " revs.txt "
    ignore_authors: ["*[bot]*"]
    ignore_subjects: [" chore(deps): * ", Reformat*]
    shallow: fetch
"""
    reading = read_options(yaml.safe_load(text), "properdocs.yml")
    assert (reading.errors, reading.unknown) == ((), ())
    settings = reading.settings
    zone = settings.lastmod.timezone
    assert datetime(2024, 7, 1, tzinfo=UTC).astimezone(zone).isoformat() == (
        "2024-07-01T02:00:00+02:00"
    )
    assert settings.lastmod == LastmodSettings(
        sources=(Source.GIT,),
        format=Precision.DATE,
        timezone=zone,
        front_matter_keys=("x.y",),
        git=GitSettings(
            date=GitDate.AUTHOR,
            change=GitChange.BODY,
            branch="release/2",
            ignore_revs_file="revs.txt",
            ignore_authors=("*[bot]*",),
            ignore_subjects=("chore(deps): *", "Reformat*"),
            shallow=Shallow.FETCH,
        ),
        includes=(IncludeKind.MKDOCSTRINGS, IncludeKind.DEPENDS),
    )
    assert settings.extra_sitemaps == ("a/sitemap.xml",)
    assert settings.filename == "my-site.map_1.xml"
    assert settings.stylesheet is False
    assert settings.fallback_pages is False
    assert [str(rule.place) for rule in settings.rules] == [
        "properdocs.yml: changefreq",
        "properdocs.yml: priority",
        "properdocs.yml: exclude",
        "properdocs.yml: rules[0].match",
    ]
    overrides = settings.rules[-1].overrides
    assert (overrides.changefreq, overrides.priority, overrides.lastmod, overrides.exclude) == (
        "never",
        Decimal(1),
        False,
        False,
    )


@pytest.mark.parametrize("zone", ["America/Argentina/Buenos_Aires", "Etc/GMT+5", "EST5EDT"])
def test_zones_of_the_iana_database_are_taken_by_name(zone):
    """Also the odd ones."""
    assert read_options({"lastmod": {"timezone": zone}}).errors == ()


def test_the_plugin_can_be_switched_off_as_any_other(site):
    """MkDocs' own sitemap then stays as it is."""
    site.docs({"index.md": "---\nsitemap: false\n---\n"})
    site.config("enabled: !ENV [SITEMAP, true]")
    built = site.build(SITEMAP="false")
    assert built.lines == []
    assert "<loc>https://web.example/</loc>" in built.path().read_text()


def test_a_plugin_that_an_environment_variable_leaves_on_works(site):
    """The other half."""
    site.docs({"index.md": "# Home\n", "a.md": "---\nsitemap: false\n---\n"})
    site.config("enabled: !ENV [SITEMAP, true]")
    assert site.build().locs() == [""]


def test_mkdocs_knows_the_options_of_the_first_level():
    """In the order of the fields of `Settings`, which is that of the docs."""
    assert top_names() == tuple(KNOWN.split(", "))


SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8) | st.dates()
NAMES = st.sampled_from([part for option in OPTIONS for part in option.name.split(".")]) | SCALARS
VALUES = st.recursive(
    SCALARS | st.sampled_from(["match", "git", "a.md", "!", "[", "UTC", "\\"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=4),
    max_leaves=8,
)


@given(st.dictionaries(NAMES, VALUES, max_size=6))
def test_nothing_in_mkdocs_yml_breaks_the_reader(raw):
    """Whatever YAML gives: a value, an error or a warning, each in one line."""
    reading = read_options(raw)
    for problem in (*reading.errors, *reading.unknown):
        assert len(json.dumps(str(problem))) < 1000
    assert isinstance(reading.settings, Settings)
