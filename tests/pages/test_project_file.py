"""Project files, read without the programs that they are for."""

from pathlib import Path

import pytest
from mkdocs.utils.yaml import yaml_load
from sites import run_command

from mkdocs_sitemap_plus.command.any_site.project import (
    PROJECT_FILES,
    find_project_file,
    read_project,
)
from mkdocs_sitemap_plus.generator.pages.project_file import (
    read_project_file,
    with_option_lines,
)
from mkdocs_sitemap_plus.problems import Origin, Place, Problem, SitemapError

ORACLE = {
    "empty": "",
    "plain": "site_name: X\nnav:\n  - a.md\n  - B: [b.md, {C: c.md}]\nyes: no\n",
    "types": "a: 2024-01-02\nb: 1.5\nc: ~\nd: 0x10\ne: !!str 3\nf: !!set {x, y}\n",
    "anchors": "a: &a {x: 1}\nb: {<<: *a, y: 2}\nc: *a\n",
    "env": "a: !ENV SET\nb: !ENV UNSET\nc: !ENV [UNSET, SET, last]\nd: !ENV [UNSET, 3]\n",
    "env-types": "a: !ENV TRUE\nb: !ENV [NUMBER, x]\nc: !ENV [EMPTY, x]\nd: !ENV [UNSET]\n",
    "env-default": "a: !ENV [UNSET, [1, 2]]\nb: !ENV [UNSET, !ENV [UNSET, deep]]\n",
    "utf-8": "\ufeffsite_name: Ünïcode\n",
}
ENVIRONMENT = {"SET": "a text", "TRUE": "true", "NUMBER": "7", "EMPTY": ""}


@pytest.fixture
def environment(monkeypatch):
    monkeypatch.delenv("UNSET", raising=False)
    for name, value in ENVIRONMENT.items():
        monkeypatch.setenv(name, value)


@pytest.mark.parametrize("text", ORACLE.values(), ids=ORACLE)
def test_yaml_is_read_as_mkdocs_reads_it(tmp_path, environment, text):
    """``!ENV`` with one name, several names, a default, and values that are no texts."""
    path = tmp_path / "mkdocs.yml"
    path.write_text(text, "utf-8")
    with path.open("rb") as file:
        assert read_project_file(path) == yaml_load(file)


def test_a_file_inherits_as_in_mkdocs(tmp_path, environment):
    """Through several files and folders: mappings are joined, lists are replaced."""
    (tmp_path / "sub").mkdir()
    files = {
        "mkdocs.yml": "INHERIT: sub/b.yml\ntheme: {name: x, y: {a: 1}}\nplugins: [a]\nd: {z: 1}\n",
        "sub/b.yml": "INHERIT: ../c.yml\ntheme: {y: {b: 2, a: 0}}\nplugins: [b, c]\nd: [1]\n",
        "c.yml": "site_url: !ENV SET\ntheme: {name: c, z: 1}\nd: 4\ne: {f: 1}\n",
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text, "utf-8")
    path = tmp_path / "mkdocs.yml"
    with path.open("rb") as file:
        assert read_project_file(path) == yaml_load(file)


@pytest.mark.parametrize(
    ("plugins", "places"),
    [
        ("{sitemap-plus: {priority: 1}}", [("base.yml", 1), ("base.yml", 4)]),
        ("[sitemap-plus: {priority: 1}]", [("base.yml", 1), (None, None)]),
    ],
    ids=["a-mapping", "a-list"],
)
def test_a_list_of_plugins_takes_no_lines_of_the_inherited_file(tmp_path, plugins, places):
    """It replaces that file's options, so a message must not send readers there."""
    base = "site_url: https://web.example/\nplugins:\n  sitemap-plus:\n    report: a.txt\n"
    (tmp_path / "base.yml").write_text(base, "utf-8")
    path = tmp_path / "mkdocs.yml"
    path.write_text(f"INHERIT: base.yml\nplugins: {plugins}\n", "utf-8")
    keys = ("site_url", "report")
    places_of = (Place(origin=Origin.OPTION, key=key) for key in keys)
    wrong = [Problem(code="option", found="is wrong", place=place) for place in places_of]
    found = [problem.place for problem in with_option_lines(wrong, path)]
    assert [(place.file, place.line) for place in found] == places


def test_tags_that_only_mkdocs_can_read_do_no_harm(tmp_path):
    """No code is run or imported; names of functions, and what stands beside them, are read."""
    path = tmp_path / "mkdocs.yml"
    ran = tmp_path / "ran"
    path.write_text(
        "a: !!python/name:material.extensions.emoji.twemoji\n"
        "b: !!python/object/apply:pymdownx.slugs.slugify {kwds: {case: lower}}\n"
        f"c: !!python/object/apply:os.mkdir ['{ran}']\n"
        "d: [!relative , !relative $config_dir/x, 1]\n"
        "e: !own {x: 1}\n"
        "f: !!python/tuple [1, 2]\n"
        "site_name: X\n",
        "utf-8",
    )
    assert read_project_file(path) == {
        "a": {"object": "material.extensions.emoji.twemoji", "kwds": None},
        "b": {"object": "pymdownx.slugs.slugify", "kwds": {"case": "lower"}},
        "c": {"object": "os.mkdir", "kwds": None},
        "d": ["!relative", "!relative $config_dir/x", 1],
        "e": None,
        "f": None,
        "site_name": "X",
    }
    assert not ran.exists()


def test_toml_with_the_table_of_zensical_or_without(tmp_path):
    """As Zensical reads it."""
    path = tmp_path / "zensical.toml"
    for head in ("[project]\n", ""):
        path.write_text(head + 'site_name = "X"\nnav = ["a.md"]\n', "utf-8")
        assert read_project_file(path) == {"site_name": "X", "nav": ["a.md"]}


NAV = """\
[project]
nav = [
  {
    "Start" = [ { "Home" = "index.md" }, ],
  },
  { "Guide" = "guide.md" },
]
"""


def test_a_table_in_braces_may_have_lines_of_its_own(tmp_path):
    """TOML 1.1, which Zensical reads; so people write a navigation with sections."""
    path = tmp_path / "zensical.toml"
    path.write_text(NAV, "utf-8")
    nav = [{"Start": [{"Home": "index.md"}]}, {"Guide": "guide.md"}]
    assert read_project_file(path) == {"nav": nav}


WRONG = {
    "tab": (
        "mkdocs.yml",
        b"a: 1\n\tb: 2\n",
        "mkdocs.yml:2: it is not YAML ({any}). Replace the tab by spaces.",
    ),
    "colon": (
        "mkdocs.yml",
        b"a: 1\nsite_description: Lamps: all of them\r\n",
        "mkdocs.yml:2: it is not YAML ({any}). Put the value of site_description in quotes.",
    ),
    "indent": (
        "mkdocs.yml",
        b"site_name: 'Lamps'\n  site_url: x\n",
        "mkdocs.yml:2: it is not YAML ({any}).",
    ),
    "date": (
        "mkdocs.yml",
        b"a: 2024-02-30\n",
        "mkdocs.yml: it is not YAML ({any}).",
    ),
    "list": ("mkdocs.yml", b"- a\n", "mkdocs.yml: it is not a mapping of settings."),
    "deep": ("mkdocs.yml", b"a: " + b"[" * 700, "mkdocs.yml: it is not YAML ({any})."),
    "env": (
        "mkdocs.yml",
        b"a: !ENV {b: c}\n",
        "mkdocs.yml:1: it is not YAML (expected a scalar node, but found mapping).",
    ),
    "parent": (
        "mkdocs.yml",
        b"INHERIT: no.yml\n",
        "mkdocs.yml: INHERIT is 'no.yml', but must be a file that exists.",
    ),
    "itself": (
        "mkdocs.yml",
        b"INHERIT: ../site/mkdocs.yml\n",
        "mkdocs.yml: it inherits from itself.",
    ),
    "toml": (
        "zensical.toml",
        b"[project]\nsite_name = X\n",
        "zensical.toml:2: it is not TOML (Invalid value).",
    ),
    "nav": (
        "zensical.toml",
        NAV.replace('{ "Guide" = ', "{ Guide: ").encode(),
        "zensical.toml:6: it is not TOML (Expected '=' after a key in a key/value pair).",
    ),
}


@pytest.mark.parametrize(("name", "data", "said"), WRONG.values(), ids=WRONG)
def test_what_can_not_be_read_is_one_line(tmp_path, name, data, said):
    """File, line where it is known, and why; never a traceback."""
    folder = tmp_path / "site"
    folder.mkdir()
    (folder / name).write_bytes(data)
    with pytest.raises(SitemapError) as error:
        read_project_file(folder / name)
    start, found, end = said.partition("{any}")
    text = str(error.value)
    assert text.startswith(start)
    assert text.endswith(end) if found else text == said
    assert "\n" not in text


TYPES = {
    "site_url: 3": "mkdocs.yml: site_url is 3, but must be a text.",
    'site_dir: "a\\0b"': "mkdocs.yml: site_dir is 'a\\x00b', but must be a path.",
    "use_directory_urls: maybe": (
        "mkdocs.yml: use_directory_urls is 'maybe', but must be true or false."
    ),
    "theme: [a]": "mkdocs.yml: theme is ['a'], but must be a name or a mapping.",
    "plugins: [search, 3]": (
        "mkdocs.yml: plugins is 3, but must be names, each with its options or without."
    ),
}


@pytest.mark.parametrize(("text", "said"), TYPES.items(), ids=TYPES)
def test_a_setting_of_the_wrong_kind_is_an_error(tmp_path, text, said):
    """Key, value, what is allowed."""
    (tmp_path / "mkdocs.yml").write_text(text + "\n", "utf-8")
    with pytest.raises(SitemapError) as error:
        read_project(tmp_path / "mkdocs.yml")
    assert str(error.value) == said


def test_zensical_and_properdocs_take_their_own_file_first(tmp_path):
    """Each of the files is found by itself; of several the one of the newer program."""
    for name in reversed(PROJECT_FILES):
        (tmp_path / name).write_text("", "utf-8")
        path, note = find_project_file(tmp_path)
        assert path == tmp_path / name
        assert (note is None) == (name == PROJECT_FILES[-1])
    assert str(note) == (
        "zensical.toml: this project file is read, not properdocs.yml or properdocs.yaml or "
        "mkdocs.yml or mkdocs.yaml. If the site is built from another file, name that file with -f."
    )


def test_a_folder_without_a_project_file(tmp_path):
    """The names that are looked for, and what to do."""
    with pytest.raises(SitemapError) as error:
        find_project_file(tmp_path)
    assert str(error.value) == (
        "there is no project file (mkdocs.yml, zensical.toml …) in this folder. Name it with -f."
    )


def test_options_stand_where_the_plugin_has_them(tmp_path):
    """In a list or a mapping of plugins, in YAML or TOML; without any the defaults hold."""
    texts = {
        "a.yml": "plugins:\n  - search\n  - sitemap-plus: {priority: 0.5}\n",
        "b.yml": "plugins:\n  search:\n  sitemap-plus: {priority: 0.5}\n",
        "c.toml": "[project.plugins.sitemap-plus]\npriority = 0.5\n",
        "d.toml": '[[project.plugins]]\n"sitemap-plus" = {priority = 0.5}\n',
    }
    for name, text in texts.items():
        (tmp_path / name).write_text(text, "utf-8")
        assert read_project(tmp_path / name).plugins["sitemap-plus"] == {"priority": 0.5}
    (tmp_path / "e.yml").write_text("plugins: [sitemap-plus, material/blog]\n", "utf-8")
    assert read_project(tmp_path / "e.yml").plugins == {"sitemap-plus": {}, "blog": {}}


def test_the_extensions_of_pymdownx_may_have_a_table(tmp_path):
    """As Zensical takes them."""
    path = tmp_path / "zensical.toml"
    path.write_text('[markdown_extensions.pymdownx.snippets]\nbase_path = ["a"]\n', "utf-8")
    assert read_project(path).site.include_options.snippets == (Path("a").absolute(),)


def test_a_project_file_that_is_not_there_is_named_as_it_was_typed(tmp_path):
    """Its name alone does not say which folder was wrong."""
    done = run_command("explain", "-f", "../nope/mkdocs.yml", "index.md", cwd=tmp_path)
    expected = "Error: ../nope/mkdocs.yml: it can't be read (No such file or directory).\n"
    assert (done.returncode, done.stderr) == (2, expected)
