"""Read a built folder and its project into a `Site`, whatever built it."""

import os
import shlex
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from mkdocs_sitemap_plus.command.any_site.includes import PartsAtHead
from mkdocs_sitemap_plus.command.any_site.mkdocs_layout import MkDocsLayout
from mkdocs_sitemap_plus.command.any_site.page_sources import (
    BuiltPage,
    Sources,
    find_sources,
    is_written_at_head,
    page_of,
    with_path_of,
)
from mkdocs_sitemap_plus.command.any_site.project import Project
from mkdocs_sitemap_plus.command.any_site.source_files import (
    check_docs_dir,
    folder_meta,
    foreign_front_matter,
    with_source_text,
)
from mkdocs_sitemap_plus.files import (
    MAX_FILE,
    Unreadable,
    absolute_path,
    is_file,
    path_from,
    read_file,
    read_start,
    real_path,
    repository_folder,
)
from mkdocs_sitemap_plus.generator.lastmod.date_source import DateSource
from mkdocs_sitemap_plus.generator.lastmod.sources import open_sources
from mkdocs_sitemap_plus.generator.made_from import Head
from mkdocs_sitemap_plus.generator.options.fields import PageRule, may_list_images
from mkdocs_sitemap_plus.generator.options.settings import Settings
from mkdocs_sitemap_plus.generator.options.value_kinds import Patterns
from mkdocs_sitemap_plus.generator.pages.site import (
    MadeFrom,
    NoSource,
    SourcePage,
    UncheckedSite,
    sorted_pages,
)
from mkdocs_sitemap_plus.generator.pages.theme_and_plugins import Languages
from mkdocs_sitemap_plus.gitdates import GitCode, GitProblem
from mkdocs_sitemap_plus.gitdates.at_head import AtHead, at_head
from mkdocs_sitemap_plus.gitdates.blobs import is_blob
from mkdocs_sitemap_plus.html.page_says import PageSays, read_built_page, read_page
from mkdocs_sitemap_plus.html.site_folder import (
    NoPage,
    SiteFolder,
    by_content,
    is_beside_pages,
    is_of_theme,
    keys_by_file,
)
from mkdocs_sitemap_plus.html.tags import title_of
from mkdocs_sitemap_plus.problems import Code, Problem, SitemapError
from mkdocs_sitemap_plus.sitemap.languages import X_DEFAULT, hreflang
from mkdocs_sitemap_plus.sitemap.urls import (
    absolute_url,
    base_url,
    before_path,
    joined,
    loc_faults,
    same_page,
    url_key,
    without_form,
)

_START = 1 << 14  # bytes in which a page has its title


class BuiltSite(NamedTuple):
    """A site as it is built."""

    site: UncheckedSite
    problem: Problem | None = None  # why the links of the pages name no source
    no_pages: Mapping[NoPage, Sequence[str]] = {}  # the paths of HTML files that are no pages


@contextmanager
def open_site(
    project: Project, site_dir: Path, settings: Settings, exclude: Patterns | None = None
) -> Iterator[tuple[BuiltSite, Sequence[DateSource]]]:
    """Yield what `read_site` returns, and the sources of dates, which are closed at the end."""
    root = project.site.root
    docs_dir = project.site.docs_dir if project.has_sources else None
    sources = open_sources(settings.lastmod, root, docs_dir, project.repo_url)
    try:
        # Meanwhile, git reads its history.
        yield read_site(project, site_dir, settings, exclude), sources
    finally:
        for source in sources:
            source.close()


def read_site(
    project: Project, site_dir: Path, settings: Settings, exclude: Patterns | None = None
) -> BuiltSite:
    """Return the site as it is built, without the built files that `exclude` matches.

    In a project, two kinds of HTML files are pages: those with a source at their path in the docs
    folder, and those whose ``rel=canonical`` is their own URL, unless they are copied from there.
    Without a project file, all whole pages are. Raises SitemapError if nothing is built.
    """
    folder = SiteFolder(site_dir, project.site.url or "")
    said: dict[str, _Said] = {}
    files = _read_pages(project, folder, exclude, said)
    if not files and not any(site_dir.glob("*.xml")):  # a site of a sitemap alone has only its URLs
        found = f"there is no HTML file in {Path(os.path.relpath(site_dir)).as_posix()}"
        fix = "Build the site first, or name its folder."
        raise SitemapError(Problem(code=Code.SITE_DIR, found=found, fix=fix))
    languages = project.languages(site_dir)
    layout = project.layout(languages)
    sources = {} if project.is_alone else _sources_by_path(files, project, layout)
    inherited = folder_meta(project.site.docs_dir, project.plugins.get("meta"))
    pages = []
    no_pages: dict[NoPage, list[str]] = defaultdict(list)
    undecided: dict[str, Sequence[str]] = {}
    for page in files:
        possible = sources.get(page.dest_uri, [])
        if src_uri := possible[0] if len(possible) == 1 else None:
            parts = project.parts_of(src_uri, languages)
            known = page._replace(src_uri=src_uri, parts=parts)
            known = languages.with_version(known) if languages else known
            pages.append(with_source_text(known, project.site, settings.lastmod, inherited))
        elif not possible and (
            kind := is_beside_pages(site_dir, page.dest_uri) or said[page.dest_uri].no_page
        ):
            no_pages[kind].append(page.dest_uri)
        elif possible or _is_page(page, project, layout):
            pages.append(page._replace(no_source=with_path_of(possible) if possible else None))
            if languages and possible:
                undecided[page.dest_uri] = possible
    if languages and undecided:
        pages = _with_versions(pages, undecided, languages)
    problem, no_source = None, project.site.no_source
    if unknown := [_linked_page(p, site_dir, said) for p in pages if _may_have_source(p)]:
        pages, by_links, head = with_sources(pages, unknown, project, site_dir)
        if project.is_alone:
            problem = by_links.problem
            no_source = _no_source(project, head, site_dir, others=bool(by_links.files))
            no_source = no_source._replace(is_said=problem is not None)
    pages = [_with_images(page, site_dir, settings.rules) for page in pages]
    in_order = sorted_pages(add_languages(pages, folder))
    site = replace(project.site, site_dir=site_dir, pages=in_order, no_source=no_source)
    return BuiltSite(site, problem, no_pages)


class _Said(NamedTuple):
    """What else a page says, so that no page is read twice."""

    no_page: NoPage | None = None  # by its content
    linked: BuiltPage | None = None  # without its URL; None in a project, where few are asked


def _read_pages(
    project: Project, folder: SiteFolder, exclude: Patterns | None, said: dict[str, _Said]
) -> list[SourcePage]:
    """Return the HTML files as pages, by their paths. What else they say is added to `said`.

    A page of a linked folder is where its canonical URL leads to it, through the link or not.
    """
    pages, site_dir = list[SourcePage](), folder.folder
    for path in folder.html_files():
        is_linked = any(path.startswith(f"{target}/") for target in folder.links.values())
        if exclude and not is_linked and exclude.match_file(path):
            continue
        page = _page(path, project, site_dir, said)
        if is_linked:
            says = page.built
            url = joined(base_url(page.loc, says.base), says.canonical or "") if says else None
            served = folder.path_of(url) if url else None
            if served and served != path and folder.real(served) == path:
                page = _page(served, project, site_dir, said)
            if exclude and exclude.match_file(page.dest_uri):
                continue
        pages.append(page)
    return sorted(pages, key=lambda page: page.dest_uri)


def _no_source(
    project: Project, head: AtHead | GitProblem, site_dir: Path, *, others: bool
) -> NoSource:
    """Return what helps pages without a source. `others` is whether other pages have one."""
    if isinstance(head, GitProblem):
        is_elsewhere = head.code is GitCode.NO_REPOSITORY
        fix = "Run the command in the clone of the sources." if is_elsewhere else head.fix
        return NoSource(fix, head)
    if project.has_sources:
        none = f"no file in {path_from(project.site.root, project.site.docs_dir)} makes"
        fix = f"Name another --docs-dir: {none} a page, as guide/a.md makes guide/a.html."
        more = f": {none} this one."
    else:
        fix = "Let the theme print a link to edit each page, or name their folder with --docs-dir."
        more = ", or name its folder with --docs-dir."
        if is_written_at_head(site_dir, head):
            name = shlex.quote(path_from(project.site.root, absolute_path(site_dir)))
            url = shlex.quote(project.site.url or "")
            command = f"mkdocs-sitemap-plus build {name} --docs-dir {name} --site-url {url}"
            fix = f"If the HTML is written by hand, run `{command}`. If it is built, let the "
            fix += "theme print a link to edit each page, or name their folder with --docs-dir."
    if others:  # lists and pages of components have none
        fix = f"If the page has a source file, let the theme print a link to edit it{more}"
    return NoSource(fix)


def _page(dest_uri: str, project: Project, site_dir: Path, said: dict[str, _Said]) -> SourcePage:
    """Return the page of an HTML file whose source is not looked for yet.

    Without a project file, a canonical URL that differs from the URL of the file only by ``/``,
    ``.html`` or ``index`` is the URL of the page: so servers show it. In a project, it may differ
    by ``index.html``, since ``use_directory_urls`` can be another for one build.
    """
    built, title = _built_page(dest_uri, project, site_dir, said)
    loc = project.loc_of(dest_uri)
    page = SourcePage(dest_uri, dest_uri, dest_uri, loc, meta={}, built=built, title=title)
    return _at_canonical(page, project)


def _at_canonical(page: SourcePage, project: Project) -> SourcePage:
    built, loc = page.built, page.loc
    if built is None or not loc:
        return page
    canonical = built.canonical or ""
    # Not all builders escape the same characters of a path, so the page's own spelling is used.
    same_site = before_path(canonical) == before_path(loc)
    if same_site and "#" not in canonical and _is_canonical(page):
        return page._replace(loc=_as_loc(canonical))
    if own := _with_other_ending(page, any_ending=project.is_alone):
        # The home page of a site in a folder may name it without a slash, which is outside.
        loc = _as_loc(own) if len(own) >= len(project.site.url or "") else loc
        canonicals = tuple(loc if url == canonical else url for url in built.canonicals)
        return page._replace(loc=loc, built=built._replace(canonicals=canonicals))
    return page


def _built_page(
    dest_uri: str, project: Project, site_dir: Path, said: dict[str, _Said]
) -> tuple[PageSays | None, str | None]:
    """Return what a built file says, None for no file, and its title.

    The title is None without any, and has no name of the site. What can't be read is reported, and
    so is a file that was removed just now.
    """
    file = f"{site_dir}/{dest_uri}"
    said[dest_uri] = _Said()
    try:
        html = read_start(file, MAX_FILE)
    except Unreadable as error:
        is_nothing = error.missing and os.path.lexists(file)  # a pipe, or a link to nowhere
        return None if is_nothing else PageSays(unreadable=error.reason), None
    title = title_of(html[:_START].decode("utf-8", "replace"))
    says = read_page(html)
    linked = page_of(dest_uri, "", html) if project.is_alone else None
    said[dest_uri] = _Said(by_content(dest_uri, html, says), linked)
    return says, title.removesuffix(f" - {project.name}") or None


def _sources_by_path(
    files: Sequence[SourcePage], project: Project, layout: MkDocsLayout
) -> Mapping[str, Sequence[str]]:
    check_docs_dir(project.site)
    redirects = {
        page.dest_uri for page in files if page.built and page.built.leads_elsewhere(page.loc)
    }
    built = {page.dest_uri for page in files} - redirects
    asked = [
        page.dest_uri
        for page in files
        if page.built and not _is_copied(page, project, layout, same_bytes=True)
    ]
    return layout.sources(asked, built)


def _with_versions(
    pages: Sequence[SourcePage], undecided: Mapping[str, Sequence[str]], languages: Languages
) -> list[SourcePage]:
    """Return the pages; those with several possible sources are translations, too.

    All of these are in one language. Of their names, the one that another page has is taken.
    """
    named = {page.translation_of for page in pages}
    found = []
    for page in pages:
        possible = [page._replace(src_uri=each) for each in undecided.get(page.dest_uri, ())]
        versions = [languages.with_version(each) for each in possible]
        shared = [each for each in versions if each.translation_of in named]
        version = next(iter(shared or versions), page)
        found.append(version._replace(src_uri=page.src_uri))
    return found


def _is_copied(
    page: SourcePage, project: Project, layout: MkDocsLayout, *, same_bytes: bool = False
) -> bool:
    """MkDocs writes a page over a file at its path: only what is no page has `same_bytes`."""
    places = layout.places(page.dest_uri.removesuffix(".html"))
    copies = [layout.docs_dir / f"{place}.html" for place in places]
    copies = [copy for copy in copies if is_file(copy)]
    if not copies or not same_bytes:
        return bool(copies)
    with suppress(Unreadable):
        built = read_file(project.site.site_dir / page.dest_uri)
        return any(read_file(copy) == built for copy in copies)
    return True


def _is_page(page: SourcePage, project: Project, layout: MkDocsLayout) -> bool:
    """What lies beside the file, and its source in the docs folder, have been asked for."""
    of_theme = is_of_theme(page.dest_uri) or project.site.is_print_page(page.dest_uri)
    if page.built is None or of_theme:
        return False
    if page.built.unreadable:  # it is left out, and named
        return True
    return project.is_alone or (_is_canonical(page) and not _is_copied(page, project, layout))


def _with_images(page: SourcePage, site_dir: Path, rules: tuple[PageRule, ...]) -> SourcePage:
    if page.built is None or not may_list_images(page.src_uri, page.meta, rules):
        return page
    read = read_built_page(site_dir / page.dest_uri, images=True)
    return page._replace(built=page.built._replace(images=read.images)) if read else page


def _as_loc(url: str) -> str:
    """Return a URL as a sitemap may have it: Docusaurus escapes no letters and blanks in pages."""
    if not any(loc_faults(url)) or not before_path(url).isascii():
        return url
    return absolute_url(url, "")[0] or url


def _with_other_ending(page: SourcePage, *, any_ending: bool) -> str | None:
    """Without `any_ending`, it may only have or lack an ``index.html`` at the end."""
    if page.built is None or not page.built.canonical:
        return None
    url = joined(base_url(page.loc, page.built.base), page.built.canonical)
    if url is None or "#" in url or "?" in url:
        return None
    if any_ending:
        named, known = without_form(url), without_form(page.loc)
        is_own = same_page(named, known) or same_page(named.removesuffix("/index"), known)
    else:
        is_own = url.removesuffix("index.html") == page.loc.removesuffix("index.html")
    return url if is_own else None


def _is_canonical(page: SourcePage) -> bool:
    built = page.built
    named = built.canonical if built and page.loc else None
    return bool(built and named and same_page(named, page.loc, built.base))


def with_sources(
    pages: Iterable[SourcePage],
    unknown: Sequence[BuiltPage],
    project: Project,
    site_dir: Path | None,
) -> tuple[list[SourcePage], Sources, AtHead | GitProblem]:
    """Return the pages; the `unknown` ones have the source that `find_sources` finds, if any.

    Such a file is in the repository of the docs folder. Without a project file, it also gives the
    page its `src_uri`, and what it takes from other files counts. Of its front matter, only the
    keys of this package count. What is found is returned too, and what git says of its repository.
    """
    docs_dir = project.site.docs_dir if project.is_alone and project.has_sources else None
    read = at_head(project.site.docs_dir, project.repo_url)
    if isinstance(read, AtHead):
        head = Head.of(read, project.edit_links())
    else:  # without git, front matter still counts
        head = Head(real_path(project.site.docs_dir), (), (), {})
    taken = {path_from(head.top, real_path(each)) for page in pages for each in page.source_files}
    sources = find_sources(unknown, site_dir, head, docs_dir, taken)
    parts = PartsAtHead(head.top, head.files) if project.is_alone else None
    top = repository_folder(project.site.docs_dir)  # as the user spells it, with symbolic links
    top = top if real_path(top) == head.top else head.top
    found = []
    for page in pages:
        if path := sources.files.get(page.dest_uri):
            source = MadeFrom(top / path, sources.evidence[page.dest_uri])
            known = _with_source(page, source, project.site)
            if project.is_alone:
                known = known._replace(src_uri=path_from(project.site.docs_dir, top / path))
            # HTML with the bytes of its source takes nothing else.
            html = site_dir / page.dest_uri if site_dir and path.lower().endswith(".html") else None
            is_source = html and is_blob(html, head.files.get(path, ""))
            if parts and head.files and not is_source:
                known = known._replace(parts=parts.of(path))
            found.append(known)
        else:
            why = sources.doubts.get(page.dest_uri, page.no_source)
            why = read.found if why and not isinstance(read, AtHead) else why
            found.append(page._replace(no_source=why))
    return found, sources, read


def _may_have_source(page: SourcePage) -> bool:
    built = page.built
    is_there = built and not built.unreadable and not built.leads_elsewhere(page.loc)
    return bool(is_there) and not page.source_files


def _linked_page(page: SourcePage, site_dir: Path, said: Mapping[str, _Said]) -> BuiltPage:
    if linked := said[page.dest_uri].linked:
        return linked._replace(loc=page.loc)
    html = b""
    with suppress(Unreadable):
        html = read_start(site_dir / page.dest_uri, MAX_FILE)
    return page_of(page.dest_uri, page.loc, html)


def _with_source(page: SourcePage, source: MadeFrom, site: UncheckedSite) -> SourcePage:
    """Return a page with a source, whose front matter counts as far as its keys are ours."""
    file = source.file
    front_matter = foreign_front_matter(file, is_post=site.waits(file))
    return page._replace(
        file=path_from(site.root, file),
        made_from=(source,),
        no_source=None,
        meta=front_matter.meta,
        lines=front_matter.lines,
        written=front_matter.written,
        twice=front_matter.twice,
        broken=front_matter.broken,
    )


_Versions = frozenset[tuple[str, str]]  # the language versions of a page: their languages and URLs


def add_languages(pages: Iterable[SourcePage], folder: SiteFolder) -> Iterator[SourcePage]:
    """Yield the built pages, with `locale` and `translation_of` from their language links.

    A page that does not link itself has no `locale`. Pages are versions of each other only if all
    of them have the same links: some themes link the home page of each language on every page.
    """
    pages = list(pages)
    if not any(page.built and page.built.alternates for page in pages):
        yield from pages
        return
    key_of = keys_by_file(folder, ((page.loc, page.dest_uri) for page in pages))
    links = {page.dest_uri: _language_links(page, key_of) for page in pages}
    by_url = {url_key(page.loc): links[page.dest_uri] for page in pages}
    # Equal sets become one object, so that `is` can compare them, which is fast.
    sets: dict[_Versions, _Versions] = {}
    versions: dict[str, _Versions] = {}
    for url, named in by_url.items():
        inside = frozenset((code, other) for code, other in named.items() if other in by_url)
        versions[url] = sets.setdefault(inside, inside)
    for page in pages:
        own_url = url_key(page.loc)
        locale = next((code for code, url in links[page.dest_uri].items() if url == own_url), None)
        if page.locale or locale is None:  # the language is known already, or not known
            yield page
            continue
        same_links = all(versions[url] is versions[own_url] for _, url in versions[own_url])
        first = min((url for _, url in versions[own_url]), default=own_url)
        yield page._replace(locale=locale, translation_of=first if same_links else None)


def _language_links(page: SourcePage, key_of: Callable[[str], str]) -> Mapping[str, str]:
    """Return the keys of the language versions that a built page links, by language."""
    if not page.built or not page.built.alternates:
        return {}
    base, hrefs = page.built.base or "", page.built.alternates
    urls = {hreflang(code): joined(page.loc, base, href) for code, href in hrefs.items()}
    return {code: key_of(url) for code, url in urls.items() if code and code != X_DEFAULT and url}
