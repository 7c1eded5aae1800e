"""mkdocs-redirects: stubs that lead elsewhere."""

import pytest
from sites import needs

pytestmark = needs("mkdocs-redirects")

DATED = {"lastmod": "2024-05-01T10:00:00+00:00"}


@pytest.mark.parametrize("redirects_first", [True, False])
def test_a_redirect_that_replaces_a_page_is_not_listed(site, redirects_first):
    """Wherever the plugin stands. A hook still comes last."""
    site.docs({"index.md": "# Home\n", "old.md": "# Old\n", "new.md": "# New\n"})
    plugins = ["  - sitemap-plus\n", "  - redirects: {redirect_maps: {old.md: new.md}}\n"]
    listed = "".join(reversed(plugins) if redirects_first else plugins)
    hook = "from pathlib import Path\ndef on_post_build(config):\n"
    hook += "    with Path(config.site_dir, 'sitemap.xml').open('a') as file:\n"
    hook += "        file.write('<!-- hook -->')\n"
    head = "site_name: Sample\nsite_url: https://web.example/\nhooks: [hook.py]\nplugins:\n"
    site.write({"mkdocs.yml": head + listed, "hook.py": hook})
    site.commit()
    built = site.build("--strict")
    assert built.by_loc() == dict.fromkeys(["", "new/"], DATED)
    assert built.lines[-1].endswith("; 1 left out (redirect)")
    assert built.path().read_text().endswith("<!-- hook -->")
