"""Check the ``.gz`` of a sitemap."""

from mkdocs_sitemap_plus.check import CheckCode, Findings
from mkdocs_sitemap_plus.files import is_file
from mkdocs_sitemap_plus.problems import SitemapError
from mkdocs_sitemap_plus.sitemap.open_sitemaps import LoadedSitemap, open_sitemap
from mkdocs_sitemap_plus.sitemap.xml import sitemap_place


def check_packing(file: LoadedSitemap, findings: Findings) -> None:
    """Report a ``.gz`` that is not packed, or differs from the file without ``.gz`` beside it."""
    if file.name.endswith(".gz") and not file.is_packed:
        findings.add(CheckCode.GZIP, sitemap_place(file.name), "is not packed, as its name says")
    if file.path is None:
        return
    zipped = file.path.suffix == ".gz"
    other = file.path.with_suffix("") if zipped else file.path.with_name(file.path.name + ".gz")
    if not is_file(other):
        return
    place = sitemap_place((file.path if zipped else other).as_posix())
    try:
        if open_sitemap(other.as_posix()).data != file.data:
            named = other.name if zipped else file.path.name
            findings.add(CheckCode.GZ_DIFFERS, place, f"has other content than {named}")
    except SitemapError as error:
        place = sitemap_place(other.as_posix())
        fix = f"Unpack {file.path.name} again." if zipped else None
        findings.add(CheckCode.GZ_DIFFERS, place, error.problem.found, fix=fix)
