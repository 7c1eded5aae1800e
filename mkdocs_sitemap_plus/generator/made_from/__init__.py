"""Which file is a page made from? The evidence for it, and what each kind of it tells.

`Evidence` lists what counts, the surest first. Who asks has different evidence, on purpose:

- The plugin has MkDocs' own word for it, and for generated pages edit links. It reads no HTML, so
  it keeps all possible files in their order, and the first that git tracks counts.
- `build` in a project has the paths of MkDocs (`mkdocs_layout`). The rest as for other builders.
- `build` of another builder's folder has the built HTML and git's HEAD (`other_builders`).
- `check` has the URLs of a sitemap, and what the last build told of them: two files are none.

A wrong source gives a wrong date, and a missing one only none. So where two answers are possible, a
page has no source, and the reason is kept.
"""
