project = "Lighthouse"
html_theme = "furo"
html_theme_options = {
    "source_repository": "https://github.com/lighthouse/lighthouse/",
    "source_branch": "main",
    "source_directory": "docs/",
}
