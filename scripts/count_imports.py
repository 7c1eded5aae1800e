"""Print what each room of the package imports from the others, through all steps.

A room is a module or a package directly in the package. What it imports is what a reader may have
to know before the first change in it. Imports inside a function and imports for types alone count.
So do the packages around a module, since Python runs them first. It needs import-linter.
"""

from pathlib import Path

import grimp

PACKAGE = "mkdocs_sitemap_plus"


def room_of(module: str) -> str:
    return module.split(".")[1]


def imported(graph: grimp.ImportGraph, room: str) -> set[str]:
    """Return all modules outside of a room that it needs, with the packages around them."""
    found = {module for module in graph.modules if module != PACKAGE and room_of(module) == room}
    waiting = list(found)
    while waiting:
        module = waiting.pop()
        packages = {module.rpartition(".")[0]} - {PACKAGE, ""}
        new = (graph.find_modules_directly_imported_by(module) | packages) - found
        found |= new
        waiting += new
    return {module for module in found if module != PACKAGE and room_of(module) != room}


def lines_of(module: str) -> int:
    path = Path(*module.split("."))
    file = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    return len(file.read_text("utf-8").splitlines())


def main() -> None:
    graph = grimp.build_graph(PACKAGE)
    modules = sorted(graph.modules - {PACKAGE})
    print("room                 lines   imports: lines  modules  of")
    for room in dict.fromkeys(map(room_of, modules)):
        own = sum(lines_of(module) for module in modules if room_of(module) == room)
        others = imported(graph, room)
        rooms = ", ".join(sorted({*map(room_of, others)}))
        lines = sum(map(lines_of, others))
        print(f"{room:18} {own:7,} {lines:16,} {len(others):8}  {rooms or '-'}")


if __name__ == "__main__":
    main()
