"""Make the pictures of README and docs from a real build of the sample site.

python scripts/make_pictures.py

Needs git, a Chromium, and what `pip install . --group browser` installs. It writes
``docs/assets/same-date.png``, a page, its entry in the sitemap and its commit, one below the other,
``docs/assets/same-date-wide.png``, the same side by side, for the home page on a wide screen,
``docs/assets/social.png``, which is shown where somebody shares a link to the docs, and
``docs/assets/report.png``, the HTML report of the site.
"""

import base64
import html
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import Browser, sync_playwright

ROOT = Path(__file__).parents[1]
ASSETS = ROOT / "docs" / "assets"
MATERIAL = """\
INHERIT: mkdocs.yml
theme: {name: material, font: false}
plugins: [search, sitemap-plus: {page_dates: true}]
"""
KINDS = {"tall": "same-date", "beside": "same-date-wide", "wide": "social"}
WIDTH = 500
"""Of the page, in pixels of CSS: narrow, so that its letters are large."""
PAGE, LOC = "index.md", "https://lighthouse.example/docs/"
CLAIM = "The day on which each page really changed"
MARK = "background: #ffe27a; color: #000; border-radius: 3px; box-shadow: 0 0 0 2px #ffe27a;"
TIGHTER = f"""\
article time {{ {MARK} }}
article h1 {{ margin-bottom: 0.5em !important; }}
.md-content__inner {{ padding-top: 0 !important; }}
"""
STYLE = f"""\
* {{ box-sizing: border-box; margin: 0; }}
body {{ background: transparent; color: #1c2033; font: 19px/1.45 sans-serif; }}
main {{ background: #303f9f; padding: 20px; display: grid; gap: 14px 32px; }}
figure {{ background: #fff; border-radius: 10px; overflow: hidden; }}
figcaption {{ background: #dfe3f7; padding: 3px 16px; font-weight: bold; }}
img {{ display: block; width: 100%; }}
pre {{ padding: 10px 16px; font: 20px/1.45 monospace; }}
mark {{ {MARK} }}
.tall main {{ width: 640px; border-radius: 18px; }}
.wide main {{ width: 1200px; height: 630px; padding: 44px; align-content: center;
  grid-template-columns: 460px 1fr; }}
.wide header {{ color: #fff; grid-row: span 3; align-self: center; }}
.wide h1 {{ font-size: 38px; line-height: 1.2; margin-bottom: 24px; white-space: nowrap; }}
.wide header p {{ font-size: 30px; line-height: 1.4; }}
.beside main {{ width: 1120px; border-radius: 18px; grid-template: 3fr 2fr / 400px 1fr; }}
.beside figure:first-of-type {{ grid-row: span 2; }}
.beside pre {{ font-size: 22px; }}
:is(.tall, .beside) header {{ display: none; }}
"""


@dataclass(frozen=True)
class Shown:
    """What the pictures show of the page: its picture, its entry, and what git says."""

    page: bytes
    entry: str
    commit: str
    day: str


def run(*command: str | Path, cwd: Path = ROOT, stdin: bytes | None = None) -> str:
    done = subprocess.run(command, check=True, cwd=cwd, input=stdin, stdout=subprocess.PIPE)
    return done.stdout.decode()


def build(site: Path) -> None:
    """Unpack the sample site with its history, and build it with the theme Material."""
    run("git", "init", "-q", "--object-format=sha1", site)
    history = (ROOT / "sample_site" / "history.fast-import").read_bytes()
    run("git", "fast-import", "--quiet", "--force", cwd=site, stdin=history)
    run("git", "checkout", "-qf", "main", cwd=site)
    (site / "material.yml").write_text(MATERIAL, "utf-8")
    run(sys.executable, "-m", "mkdocs", "build", "-q", "-f", "material.yml", cwd=site)


def look(browser: Browser, site: Path) -> Shown:
    """Collect what there is to see of the page; a date that differs stops the script."""
    size = {"width": WIDTH, "height": 400}
    view = browser.new_page(viewport=size, device_scale_factor=600 / WIDTH)
    view.goto((site / "site" / "index.html").as_uri())
    view.add_style_tag(content=TIGHTER)
    time = view.locator("article time")
    day = (time.get_attribute("datetime") or "")[:10]
    end = time.evaluate("time => time.getBoundingClientRect().bottom + scrollY") + 16
    page = view.screenshot(full_page=True, clip={"x": 0, "y": 0, "width": WIDTH, "height": end})
    sitemap = (site / "site" / "sitemap.xml").read_text("utf-8")
    entry = re.search(rf"  <url>\s*<loc>{re.escape(LOC)}</loc>.*?</url>", sitemap, re.DOTALL)
    assert entry is not None
    log = ("git", "log", "-1", "--date=short", "--format=%h %cd%n%s")
    commit = run(*log, f"docs/{PAGE}", cwd=site)
    assert f"<lastmod>{day}T" in entry[0], (day, entry[0])
    assert f" {day}\n" in commit, (day, commit)
    return Shown(page, re.sub("^  ", "", entry[0], flags=re.MULTILINE), commit.strip(), day)


def figure(caption: str, text: str, day: str) -> str:
    """Return a text with the day marked, in HTML."""
    marked = html.escape(text).replace(day, f"<mark>{day}</mark>")
    return f"<figure><figcaption>{caption}</figcaption><pre>{marked}</pre></figure>"


def draw(browser: Browser, kind: str, shown: Shown, target: Path) -> None:
    """Write the picture: ``tall`` or ``beside`` for a page, ``wide`` for a shared link."""
    page = base64.b64encode(shown.page).decode()
    picture = f'<img alt="" src="data:image/png;base64,{page}">'
    texts = [
        f"<header><h1>mkdocs-sitemap-plus</h1><p>{CLAIM}</p></header>",
        f"<figure><figcaption>the page</figcaption>{picture}</figure>",
        figure("sitemap.xml", shown.entry, shown.day),
        figure("git log", shown.commit, shown.day),
    ]
    if kind == "wide":  # there is no room for the whole page
        del texts[1]
    scale = 1.5 if kind == "beside" else 1
    view = browser.new_page(viewport={"width": 1200, "height": 630}, device_scale_factor=scale)
    view.set_content(f"<style>{STYLE}</style><body class={kind}><main>{''.join(texts)}</main>")
    view.locator("main").screenshot(path=target, omit_background=True)


def draw_report(browser: Browser, site: Path, target: Path) -> None:
    """Draw the report of the site as it is built in the documentation."""
    run(sys.executable, "-m", "mkdocs", "build", "-q", cwd=site)
    run(sys.executable, "-m", "mkdocs_sitemap_plus", "report", "-o", "report.html", cwd=site)
    view = browser.new_page(viewport={"width": 800, "height": 1000}, device_scale_factor=1.4)
    view.goto((site / "report.html").as_uri())
    view.screenshot(path=target)


def main() -> None:
    """Build the site, and write all pictures."""
    program = shutil.which("chromium") or shutil.which("chromium-browser")
    with TemporaryDirectory() as folder, sync_playwright() as playwright:
        site = Path(folder) / "lighthouse"
        build(site)
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        shown = look(browser, site)
        for kind, name in KINDS.items():
            draw(browser, kind, shown, ASSETS / f"{name}.png")
        draw_report(browser, site, ASSETS / "report.png")
        browser.close()


if __name__ == "__main__":
    main()
