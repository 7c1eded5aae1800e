project = "Lighthouse"
html_theme = "pydata_sphinx_theme"
html_theme_options = {"use_edit_page_button": True}
html_context = {
    "gitlab_user": "lighthouse",
    "gitlab_repo": "lighthouse",
    "gitlab_version": "release/2.x",
    "doc_path": "doc/source",
}
