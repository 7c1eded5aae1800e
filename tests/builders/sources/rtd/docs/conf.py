project = "Lighthouse"
html_theme = "sphinx_rtd_theme"
html_context = {
    "display_github": True,
    "github_user": "lighthouse",
    "github_repo": "lighthouse",
    "github_version": "main",
    "conf_py_path": "/docs/",
}
