"""A history with each kind of event that a walk has to follow."""

from git_repositories import Commit, files


def pages(**texts):
    """Files of the docs folder."""
    return files(**{f"docs__{name}": text for name, text in texts.items()})


def eventful(*, pull=False):
    """Edits, a merge, a mode change, renames inside the docs and from elsewhere, front matter.

    With `pull`, one page was published in the end, and another was edited in a clone that pulled.
    """
    old = pages(a_md="1", b_md="1", c_md="c", d_md="d")
    trees = [
        (old | files(e_md="e"), []),
        (old | pages(a_md="2") | files(e_md="e"), [0]),
        (pages(a_md="2", b_md="1", f_md="c", d_md="d", e_md="e"), [1]),
        (pages(a_md="2", b_md="side", f_md="c", d_md="d", e_md="e"), [2]),
        (pages(a_md="2", b_md="1", f_md="c", d_md="main", e_md="e"), [2]),
        (pages(a_md="2", b_md="side", f_md="c", d_md="main", e_md="e"), [4, 3]),
    ]
    last = trees[-1][0]
    trees += [(last | {b"docs/a.md": (b"100755", b"2")}, [5])]
    trees += [(trees[-1][0] | pages(d_md="---\ntitle: t\n---\nmain"), [6])]
    if pull:
        last = trees[-1][0]
        published, local = pages(f_md="published"), pages(b_md="local")
        trees += [(last | published, [7]), (last | local, [7]), (last | published | local, [9, 8])]
    commits = [
        Commit(tree=tree, parents=parents, committed=1_600_000_000 + 86_400 * at, authored=at)
        for at, (tree, parents) in enumerate(trees)
    ]
    if pull:
        commits[-1].message = b"Merge remote-tracking branch 'origin/main'"
    return commits


NAMES = ("a.md", "b.md", "d.md", "e.md", "f.md")
