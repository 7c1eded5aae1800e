"""The tree says what a build reaches, each name is there once, and imports stand at the top."""

import ast
import re
from collections import Counter
from pathlib import Path

import mkdocs_sitemap_plus

PACKAGE = "mkdocs_sitemap_plus"
ROOT = Path(mkdocs_sitemap_plus.__file__).parent
FILES = {
    ".".join((PACKAGE, *path.relative_to(ROOT).with_suffix("").parts)).removesuffix(
        ".__init__"
    ): path
    for path in sorted(ROOT.rglob("*.py"))
}
TREES = {module: ast.parse(path.read_text("utf-8")) for module, path in FILES.items()}


def imports(module, tree):
    """Yield each module of the package that a module names in an import, late ones too."""
    package = module.split(".")[: None if FILES[module].name == "__init__.py" else -1]
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            above = package[: len(package) + 1 - node.level] if node.level else []
            base = ".".join([*above, *filter(None, [node.module])])
            yield from {base, *(f"{base}.{each.name}" for each in node.names)} & FILES.keys()


def test_a_build_reaches_all_but_the_command():
    """What the plugin imports, directly or not, is every module outside of `command`."""
    reached, pending = set(), [f"{PACKAGE}.plugin.sitemap_plus"]
    while pending:
        module = pending.pop()
        if module not in reached:
            reached.add(module)
            pending += [*imports(module, TREES[module]), module.rpartition(".")[0]]
            pending = [each for each in pending if each not in ("", PACKAGE)]
    outside = {name for name in FILES if not name.startswith(f"{PACKAGE}.command")}
    assert reached == outside - {PACKAGE, f"{PACKAGE}.__main__"}


def test_each_module_and_each_class_has_a_name_of_its_own():
    """Who greps for a name finds one."""
    modules = Counter(name.rpartition(".")[2] for name in FILES)
    classes = Counter(
        node.name
        for tree in TREES.values()
        for node in tree.body
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_")
    )
    assert [name for name, count in (modules + classes).items() if count > 1] == []


def test_no_folder_but_gitdates_has_code_in_its_init():
    """Circles between a package and its own modules hide there."""
    inits = {name for name, path in FILES.items() if path.name == "__init__.py"}
    with_code = {name for name in inits if len(TREES[name].body) > 1}
    assert with_code == {PACKAGE, f"{PACKAGE}.gitdates"}


def test_a_late_import_of_ours_says_what_it_spares():
    """The comment has its milliseconds."""
    bare = [
        f"{path}:{number}"
        for path in FILES.values()
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1)
        if re.match(rf" +from (\.|{PACKAGE})", line)
        and "PLC0415" in line
        and not re.search(r"# noqa: PLC0415 - \d+ ms", line)
    ]
    assert bare == []
