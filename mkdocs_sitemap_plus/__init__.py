"""An accurate sitemap for MkDocs sites: true dates, or none.

Public are the options in ``mkdocs.yml``, the front matter keys, the written files, the command,
and the types for `transform` that ``docs/reference/python.md`` lists; the modules are not.
"""
