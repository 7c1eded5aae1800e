"""How much CPU and memory `check` needs for sitemaps of 50,000 entries, as generators write them.

The last rows print what each 50,000 entries after the first ones add to the memory. Run `nox -s
bench -- check_entries.py`. Each call is a process of its own; the CPU is that of the user and the
system, less that of `check --help`. With `--against FOLDER`, the package of another clone is
measured in turn with this one. The least and the median of the rounds are printed, and the median
of the ratios of both.
"""

import argparse
import gzip
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

SPACE = "http://www.sitemaps.org/schemas/sitemap/0.9"
SPACES = (
    f'xmlns="{SPACE}" xmlns:xhtml="http://www.w3.org/1999/xhtml"'
    ' xmlns:image="http://www.google.com/schemas/sitemap-image/1.1"'
    ' xmlns:video="http://www.google.com/schemas/sitemap-video/1.1"'
)
SITE = "https://docs.example.com"
COUNT = 50_000
MORE = 5  # parts of so many entries


def _day(number: int) -> str:
    return f"2024-{number % 12 + 1:02}-{number % 28 + 1:02}"


def _entry(number: int, inside: str = "", language: str = "") -> str:
    loc = f"{SITE}/{language}guide/section-{number % 97}/page-{number}/"
    date = f"<lastmod>{_day(number)}T10:00:00+00:00</lastmod>"
    return f"  <url>\n    <loc>{loc}</loc>\n    {date}{inside}\n  </url>\n"


def _links(number: int) -> str:
    page = number // 3
    return "".join(
        f'\n    <xhtml:link rel="alternate" hreflang="{code}" '
        f'href="{SITE}/{code}/guide/section-{page % 97}/page-{page}/"/>'
        for code in ("en", "de", "fr")
    )


def _linked(number: int) -> str:
    page, code = number // 3, ("en", "de", "fr")[number % 3]
    return _entry(page, _links(number), f"{code}/")


def _media(number: int) -> str:
    images = "".join(
        f"<image:image><image:loc>{SITE}/img/{number}-{each}.png</image:loc></image:image>"
        for each in range(2)
    )
    video = (
        f"<video:video><video:thumbnail_loc>{SITE}/t/{number}.png</video:thumbnail_loc>"
        f"<video:title>Part {number}</video:title><video:description>How it is done"
        f"</video:description><video:content_loc>{SITE}/v/{number}.mp4</video:content_loc>"
        "</video:video>"
    )
    return _entry(number, images + video)


HINTS = "<changefreq>weekly</changefreq><priority>0.5</priority>"
KINDS = {
    "plain": (_entry, COUNT),
    "hints": (lambda number: _entry(number, HINTS), COUNT),
    "three links": (_linked, COUNT),
    "two images, video": (_media, COUNT // 2),
}


def _file(path: Path, numbers: range, entry) -> None:
    # Piece by piece, since a process has at least the memory of its parent.
    with path.open("w") as file:
        file.write(f'<?xml version="1.0" encoding="UTF-8"?>\n<urlset {SPACES}>\n')
        file.writelines(map(entry, numbers))
        file.write("</urlset>\n")


def write_all(folder: Path) -> dict[str, Path]:
    """Write all sitemaps, and return what to check."""
    found = {}
    for kind, (entry, count) in KINDS.items():
        found[kind] = folder / f"{kind.replace(', ', '-').replace(' ', '-')}.xml"
        _file(found[kind], range(count), entry)
    found["gz"] = folder / "packed.xml.gz"
    with found["plain"].open("rb") as file, gzip.open(found["gz"], "wb") as packed:
        shutil.copyfileobj(file, packed)
    parts = folder / "parts"
    parts.mkdir()
    listed = ""
    for part in range(10):
        _file(parts / f"part-{part}.xml", range(part * 5_000, part * 5_000 + 5_000), _entry)
        listed += f"<sitemap><loc>{SITE}/part-{part}.xml</loc></sitemap>\n"
    found["index of 10 parts"] = parts / "index.xml"
    found["index of 10 parts"].write_text(f'<sitemapindex xmlns="{SPACE}">{listed}</sitemapindex>')
    return found


def write_parts(folder: Path, kind: str) -> tuple[Path, Path]:
    """Write an index of one part with 50,000 entries, and one with `MORE` more; return both."""
    folder.mkdir()
    entry, _ = KINDS[kind]
    for part in range(MORE + 1):
        _file(folder / f"part-{part}.xml", range(part * COUNT, (part + 1) * COUNT), entry)
    parts = [f"<sitemap><loc>{SITE}/part-{part}.xml</loc></sitemap>\n" for part in range(MORE + 1)]
    for name, listed in (("one.xml", parts[:1]), ("all.xml", parts)):
        text = f'<sitemapindex xmlns="{SPACE}">{"".join(listed)}</sitemapindex>'
        (folder / name).write_text(text)
    return folder / "one.xml", folder / "all.xml"


def cpu(package: Path, folder: Path, *arguments: str) -> tuple[float, int]:
    """Return the CPU of a call in milliseconds, and its greatest memory in MiB.

    It runs in `folder`: Python's `-m` would take the package of the current folder first.
    """
    command = [sys.executable, "-m", "mkdocs_sitemap_plus", *arguments]
    environment = {**os.environ, "PYTHONPATH": str(package)}
    process = subprocess.Popen(
        command,
        cwd=folder,
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    _, _, used = os.wait4(process.pid, 0)
    return 1000 * (used.ru_utime + used.ru_stime), used.ru_maxrss >> 10


def main() -> None:
    """Measure, and print a row for each kind."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--against", type=Path, help="another clone")
    parser.add_argument("--rounds", type=int, default=5)
    given = parser.parse_args()
    own = Path(__file__).resolve().parents[1]
    packages = [own, *([given.against.resolve()] if given.against else [])]
    with tempfile.TemporaryDirectory() as folder:
        calls = {kind: ("check", str(path)) for kind, path in write_all(Path(folder)).items()}
        for kind, call in calls.items():
            times: list[list[float]] = [[] for _ in packages]
            memory: list[list[int]] = [[] for _ in packages]
            for _ in range(given.rounds):
                for at, package in enumerate(packages):
                    start, _ = cpu(package, Path(folder), call[0], "--help")
                    used, most = cpu(package, Path(folder), *call)
                    times[at].append(used - start)
                    memory[at].append(most)
            row = [
                f"least {min(each):5.0f} ms, median {statistics.median(each):5.0f} ms, "
                f"{max(most)} MiB"
                for each, most in zip(times, memory, strict=True)
            ]
            if given.against:
                ratios = [new / old for new, old in zip(*times, strict=True)]
                row.append(
                    f"least {min(times[0]) / min(times[1]):.2f}, "
                    f"median {statistics.median(ratios):.2f} of the other, memory "
                    f"{max(memory[0]) / max(memory[1]):.2f}"
                )
            print(f"{kind:18}", " | ".join(row), flush=True)
        for kind in ("plain", "three links"):
            one, more = write_parts(Path(folder) / f"more {kind}", kind)
            row = []
            for package in packages:
                least, most = (
                    cpu(package, Path(folder), "check", str(each)) for each in (one, more)
                )
                row.append(f"{(most[1] - least[1]) / MORE:.1f} MiB")
            print(f"{COUNT:,} more, {kind:11}", " | ".join(row), flush=True)


if __name__ == "__main__":
    main()
