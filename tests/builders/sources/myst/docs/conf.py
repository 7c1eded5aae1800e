project = "Lighthouse"
extensions = ["myst_parser"]
html_theme = "furo"
html_theme_options = {
    "source_edit_link": "https://codeberg.org/lighthouse/lighthouse/_edit/main/docs/{filename}",
    "source_view_link": "https://codeberg.org/lighthouse/lighthouse/src/branch/main/docs/{filename}",
}
