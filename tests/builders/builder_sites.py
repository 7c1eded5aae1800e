"""The sites of other builders that are kept here, and what git says of their sources."""

import tomllib
from pathlib import Path
from urllib.parse import unquote

from git_repositories import git, init
from make_sites import SITES

HERE = Path(__file__).parent
NAMES = sorted(path.stem for path in (HERE / "sites").glob("*.pages"))


def expected(name):
    """The tables of a site in ``expected.toml``."""
    return tomllib.loads((HERE / "expected.toml").read_text("utf-8"))[name]


def replay(name, top):
    """Make the repository of a site's sources."""
    init(top)
    git(top, "fast-import", "--quiet", stdin=(HERE / "sites" / f"{name}.history").read_bytes())
    git(top, "reset", "-q", "--hard", "main")
    if "/release/2.x/" in SITES[name].edit:  # the branch that the links of its theme name
        git(top, "checkout", "-q", "-b", "release/2.x")


def put_pages(name, folder):
    """Write what the builder made of a site into a folder."""
    text = (HERE / "sites" / f"{name}.pages").read_bytes().decode()
    for part in text.split("==> ")[1:]:
        path, content = part.split("\n", 1)
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content.encode())


def path_of(url, folder):
    """The file of a built site that a URL path below its base leads to."""
    path = unquote(url).strip("/")
    tried = (path, f"{path}.html", f"{path}/index.html".lstrip("/"))
    return next(name for name in tried if name and (folder / name).is_file())


_DATES = {}


def dates_of(top, sources):
    """When each source was last published with another content, as git says, by its page."""
    log = ["log", "-1", "--first-parent", "-m", "--follow", "-M100%", "--diff-filter=AM"]
    head = (top / ".git" / "refs" / "heads" / "main").read_text("ascii")
    for source in sources.values():
        if (head, source) not in _DATES:
            date = git(top, *log, "--format=%cI", "--", source).decode().strip()
            _DATES[head, source] = date.replace("Z", "+00:00")
    return {page: _DATES[head, source] for page, source in sources.items()}
