"""Sites that any builder may have built, and the repositories of their sources."""

from urllib.parse import unquote

from commands import run
from git_repositories import git, init
from sitemap_xml import read_entries, validate

URL = "https://docs.example/"
EDIT = "https://github.com/lamp/lamp/edit/main/"
BLOB = "https://github.com/lamp/lamp/blob/main/"
ORIGIN = "https://github.com/lamp/lamp.git"
SOURCES = ("docs/index.md", "docs/guide/install.md", "docs/guide/config.md")
PAGES = ("index.html", "guide/install/index.html", "guide/config/index.html")


def html(edit="", text="", lang="en", head=""):
    """A page as a builder makes it, with the link of a theme and a text."""
    link = f'<footer class="f"><a class="edit" href="{edit}">Edit this page</a></footer>'
    return (
        f'<!DOCTYPE html><html lang="{lang}"><head><title>T</title>{head}</head>'
        f"<body><nav><a href='/'>Home</a></nav><main><p>Text. {text}</p></main>"
        f"{link if edit else ''}</body></html>"
    )


def view(path, text="Edit on a host"):
    """A page with a link of the theme that only shows a file."""
    return f'<html lang=en><body><ul><li class=b><a class="fa" href="{path}">{text}</a></ul></body>'


def link(href):
    """A link in a text."""
    return f'<a href="{href}">this</a>'


def site_of(**changes):
    """A site whose three pages have the links of a theme, and what they are made from."""
    pages = {page: html(EDIT + source) for page, source in zip(PAGES, SOURCES, strict=True)}
    return pages | changes


def commit(top, files, origin=ORIGIN, branch="main"):
    """A repository in which each file has a commit on a day of its own; a tuple is a link."""
    init(top)
    stream = []
    for day, (path, content) in enumerate(files.items(), 1):
        mode, text = ("120000", content[0]) if isinstance(content, tuple) else ("100644", content)
        data = text.encode()
        who = f"Ann <a@b.example> {1_700_000_000 + day * 86_400} +0000"
        stream.append(f"commit refs/heads/{branch}\ncommitter {who}\ndata 0\n")
        stream.append(f'M {mode} inline "{path}"\ndata {len(data)}\n{text}\n')
    git(top, "fast-import", "--quiet", stdin="".join(stream).encode())
    (top / ".git" / "HEAD").write_text(f"ref: refs/heads/{branch}\n", "utf-8")
    if origin:
        with (top / ".git" / "config").open("a", encoding="utf-8") as config:
            config.write(f'[remote "origin"]\n\turl = {origin}\n')
    git(top, "reset", "-q", "--hard")


def put(folder, pages):
    """Write the pages of a built site."""
    for name, text in pages.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")


def built(top, *options, url=URL, code=0):
    """Run the command in the repository; returns the dates by URL, and what it prints."""
    found, out, errors = run("build", "built", "--site-url", url, *options)
    assert found == code, errors
    data = (top / "built" / "sitemap.xml").read_bytes()
    validate(data)
    entries = read_entries(data)
    dates = {unquote(each["loc"].removeprefix(url)): each.get("lastmod") for each in entries}
    return dates, out, errors


def by_git(top, path):
    """The date of a file by the command that the docs name."""
    order = ("log", "-1", "--first-parent", "--format=%cI", "--", path)
    return git(top, *order).decode().strip().replace("Z", "+00:00") if path else None


def all_by_git(top):
    """The same of all files, by one command."""
    order = ("log", "--first-parent", "-m", "--name-only", "-z", "--format=%x01%cI")
    found = {}
    for commit in git(top, *order).decode().split("\1")[1:]:
        date, *paths = commit.replace("\n", "\0").split("\0")
        for path in filter(None, paths):
            found.setdefault(path, date.replace("Z", "+00:00"))
    return found


def files(*paths, **others):
    return dict.fromkeys((*SOURCES, *paths), "# Text\n") | others


def check(top, pages, expected, of=None, *, only=False, **repository):
    """Build the site, and compare each page with git: those of `expected`, and the usual ones."""
    commit(top, files() if of is None else of, **repository)
    put(top / "built", pages)
    dates = built(top)[0]
    usual = {} if only else dict(zip(PAGES, SOURCES, strict=True))
    sources = usual | expected
    wanted = {f"/{name}".removesuffix("/index.html"): path for name, path in sources.items()}
    found = {f"/{path}".removesuffix("/"): date for path, date in dates.items()}
    by_path = all_by_git(top)
    dates = {name: path and by_path[path] for name, path in wanted.items()}
    assert found == dates, {*found.items()} ^ {*dates.items()}
