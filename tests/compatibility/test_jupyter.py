"""mkdocs-jupyter: notebooks and scripts are pages, by both doors."""

import json

from sites import needs

pytestmark = needs("mkdocs-jupyter")

NOTEBOOK = json.dumps(
    {
        "cells": [{"cell_type": "markdown", "id": "a", "metadata": {}, "source": ["# Notebook"]}],
        "metadata": {"kernelspec": {"name": "python3", "display_name": "P", "language": "python"}},
        "nbformat": 4,
        "nbformat_minor": 5,
    }
)
PLUGIN = """\
  - mkdocs-jupyter:
      include: ["*.ipynb", "shown/*.py"]
      ignore: ["private/*"]
"""


def test_notebooks_and_scripts_have_the_dates_of_their_files(site):
    """Those that the plugin's patterns leave alone are no pages."""
    site.docs({"index.md": "# Home\n", "other.py": "A = 1\n", "private/x.ipynb": NOTEBOOK})
    site.commit()
    site.commit_on("2024-06-01", {"docs/a.ipynb": NOTEBOOK})
    site.commit_on("2024-06-02", {"docs/shown/b.py": "# %% [markdown]\n# # Script\n"})
    site.config("exclude: /private/", more=PLUGIN)
    assert site.build().days() == {"": "2024-05-01", "a/": "2024-06-01", "shown/b/": "2024-06-02"}
