"""Let other validators and readers judge the sitemaps of the tests, and write ``verdicts.txt``.

What judges each sitemap of ``tests/check``:

* ``lxml``: lxml, against the schemas of this repository (``tests/helpers/schemas``), which say what
  the plugin writes, and so allow less than the protocol, such as no ``Z`` in a date;
* ``xmllint``: the program of libxml2, against the schema of the npm package sitemap, which is the
  official one of sitemaps.org. Images, videos, news and links are not checked, since their schemas
  are only on the web;
* ``npm``: the parser of this package;
* ``usp``: the Python package ultimate-sitemap-parser;
* ``adv``: the Python package advertools.

The first three say ``ok`` or ``no``, and ``-`` without a schema for such a file. The other two read
what they can, and so the table has the number of entries that they return; ``no`` is an error.

Run it as ``NODE_PATH=… python scripts/compare_validators.py``, with the group ``readers`` of
``pyproject.toml`` and advertools installed, and with xmllint, node and the npm package sitemap.
"""

import json
import logging
import os
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Iterator, Sequence
from pathlib import Path

ROOT = Path(__file__).parents[1]
TESTS = ROOT / "tests"
sys.path[:0] = [str(ROOT), str(TESTS / "helpers")]

import advertools  # noqa: E402 - the path is set above
from lxml import etree  # noqa: E402 - the same
from small_sitemaps import VERDICTS, read_cases, real_files  # noqa: E402 - the same
from usp.tree import sitemap_from_str  # noqa: E402 - the same

NPM = """
const {XMLToSitemapItemStream, XMLToSitemapIndexStream} = require('sitemap');
const fs = require('fs');
async function judge(path) {
  const isIndex = /<sitemapindex/.test(fs.readFileSync(path, 'utf8'));
  const reader = new (isIndex ? XMLToSitemapIndexStream : XMLToSitemapItemStream)({logger: false});
  let entries = 0;
  try {
    for await (const _ of fs.createReadStream(path).pipe(reader)) entries += 1;
  } catch (error) {
    return 'no';
  }
  return entries && !reader.errorCount ? 'ok' : 'no';
}
(async () => {
  const found = {};
  for (const path of JSON.parse(fs.readFileSync(0, 'utf8'))) found[path] = await judge(path);
  process.stdout.write(JSON.stringify(found));
})();
"""
NPM_SCHEMA = "require('path').resolve(require.resolve('sitemap'), '../../../schema/sitemap.xsd')"


def by_lxml(paths: Sequence[Path]) -> Iterator[str]:
    """Return what our own schemas say."""
    schemas = {
        name: etree.XMLSchema(file=str(TESTS / "helpers" / "schemas" / f"{name}.xsd"))
        for name in ("urlset", "index")
    }
    for path in paths:
        try:
            tree = etree.parse(str(path), etree.XMLParser(resolve_entities=False, no_network=True))
            is_index = etree.QName(tree.getroot()).localname == "sitemapindex"
            yield "ok" if schemas["index" if is_index else "urlset"].validate(tree) else "no"
        except etree.LxmlError:  # some invalid files make libxml2 give up
            yield "no"


def by_xmllint(paths: Sequence[Path]) -> Iterator[str]:
    """Return what the schema of the npm package says. It has none for an index."""
    found = subprocess.check_output(("node", "-p", NPM_SCHEMA), text=True).strip()
    schema = Path(found).read_text("utf-8").replace('"strict"', '"lax"')
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "sitemap.xsd")
        file.write_text(schema, "utf-8")
        for path in paths:
            if b"<sitemapindex" in path.read_bytes():
                yield "-"
                continue
            command = ("xmllint", "--noout", "--nonet", "--schema", str(file), str(path))
            yield (
                "no"
                if subprocess.run(command, capture_output=True, check=False).returncode
                else "ok"
            )


def by_npm(paths: Sequence[Path]) -> list[str]:
    """Return whether the parser of the npm package reads a file without an error."""
    names = json.dumps([str(path) for path in paths])
    found = json.loads(subprocess.check_output(("node", "-e", NPM), input=names.encode()))
    return [found[str(path)] for path in paths]


def by_usp(paths: Sequence[Path]) -> Iterator[str]:
    """Return how many entries ultimate-sitemap-parser reads."""
    for path in paths:
        try:
            sitemap = sitemap_from_str(path.read_text("utf-8"))
            parts = getattr(sitemap, "sub_sitemaps", None)
            yield str(len(parts or [*sitemap.all_pages()]))
        except Exception:  # noqa: BLE001 - of any kind, for it is no answer
            yield "no"


def by_advertools(paths: Sequence[Path]) -> Iterator[str]:
    """Return how many entries advertools reads."""
    for path in paths:
        try:
            frame = advertools.sitemap_to_df(path.as_uri(), recursive=False)
            column = next((name for name in ("loc", "sitemap_loc") if name in frame), None)
            yield "no" if "errors" in frame or not column else str(frame[column].notna().sum())
        except Exception:  # noqa: BLE001 - the same
            yield "no"


TOOLS = {"lxml": by_lxml, "xmllint": by_xmllint, "npm": by_npm, "usp": by_usp, "adv": by_advertools}


def main() -> None:
    """Write the table."""
    logging.disable()
    warnings.simplefilter("ignore")
    with tempfile.TemporaryDirectory() as temporary:
        names, paths = [], []
        for number, case in enumerate(read_cases()):
            folder = Path(temporary, str(number))
            folder.mkdir()
            paths.append(case.write(folder))
            names.append(case.name)
        for path in real_files():
            paths.append(path)
            names.append(path.relative_to(TESTS / "check").as_posix())
        columns = [[*judge(paths)] for judge in TOOLS.values()]
    lines = [(*TOOLS, "sitemap"), *zip(*columns, names, strict=True)]
    texts = ("{:>5}{:>8}{:>5}{:>5}{:>5}   {}".format(*line).rstrip() for line in lines)
    VERDICTS.write_text("\n".join(texts) + "\n", "utf-8")
    print(f"{len(names)} sitemaps are in {os.path.relpath(VERDICTS)}")


if __name__ == "__main__":
    main()
