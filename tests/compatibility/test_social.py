"""Material's social plugin: a card for each page."""

import shutil
import sys
from pathlib import Path

import pytest
from sites import needs, run

pytestmark = needs("mkdocs-material", "pillow", "cairosvg")

DATED = {"lastmod": "2024-05-01T10:00:00+00:00"}
FONT = Path("/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf")


@pytest.mark.skipif(not FONT.exists(), reason="the plugin would download a font")
def test_cards_change_nothing(site):
    """They are images beside the pages."""
    if run(sys.executable, "-c", "import cairosvg", cwd=site.folder, check=False).returncode:
        pytest.skip("cairosvg lacks the cairo library")
    fonts = site.folder / ".cache" / "plugin" / "social" / "fonts" / "Roboto"
    fonts.mkdir(parents=True)
    for style in ("Regular", "Bold"):
        shutil.copy(FONT, fonts / f"{style}.ttf")
    site.docs({"index.md": "# Home\n", "a.md": "# A\n"})
    site.config(theme="theme: material\n", more="  - social\n")
    site.write({".gitignore": ".cache\n"})
    site.commit()
    built = site.build("--strict")
    assert built.path("assets/images/social/a.png").exists()
    assert built.by_loc() == {"": DATED, "a/": DATED}
    assert len(built.lines) == 1
