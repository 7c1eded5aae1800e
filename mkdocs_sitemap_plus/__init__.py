"""A sitemap for MkDocs sites that tells search engines the truth.

Public are the options in ``mkdocs.yml``, the front matter keys, the written files and the
command; the modules are not.
"""
