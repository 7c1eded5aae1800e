"""The action for GitHub and the component for GitLab tell search engines what changed."""

import pytest
from ci_scripts import BOTH, IF_THERE, copied
from lighthouse import published
from quantity import at_length

KEY = "2f5c0e1b7a9d48632f5c0e1b7a9d4863"
HOSTILE = '"; touch stolen; `touch stolen`; $(touch stolen) ${{ x }} \n touch stolen'

pytestmark = IF_THERE


@pytest.fixture(scope="module")
def original(tmp_path_factory):
    """The sample site, built, with the site of the time before."""
    return published(tmp_path_factory.mktemp("ci") / "lighthouse").folder


@pytest.fixture
def folder(original, tmp_path):
    """A copy, and a folder with the command on the path."""
    return copied(original, tmp_path)


@at_length
@BOTH
@pytest.mark.parametrize(("since", "urls"), [("before", 3), ("absent", 12), ("site", 0)])
def test_submit_sends_what_changed_since_then(folder, host, since, urls):
    """Or all, if there was no deployment."""
    args = "--dry-run"
    code, output = host(folder, command="submit", site="site", since=since, key=KEY, args=args)
    nothing = "There is nothing to submit."
    sent = f"Would send {urls} URLs of lighthouse.example"
    assert code == 0, output
    assert (sent if urls else nothing) in output


@at_length
@BOTH
def test_an_old_sitemap_on_the_web_that_does_not_answer_is_an_error(folder, host):
    """And not a first deployment: nothing is submitted."""
    url = "http://127.0.0.1:9/sitemap.xml"
    code, output = host(
        folder, command="submit", site="site", since=url, key=KEY, args="--dry-run --timeout 5"
    )
    assert code == 2
    assert output.startswith(f"Error: {url}: ")


@BOTH
@at_length
@pytest.mark.parametrize("name", ["site", "args"])
def test_an_input_is_never_run(folder, host, name):
    """Whatever stands in it, it is one argument, or several for ``args``."""
    given = {
        "command": "submit",
        "site": "site",
        "since": "before",
        "key": KEY,
        "args": "--dry-run",
    }
    code, output = host(folder, **given | {name: HOSTILE})
    assert code == 2, output
    assert not list(folder.rglob("stolen"))
