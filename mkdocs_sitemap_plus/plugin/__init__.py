"""The plugin for MkDocs and ProperDocs: the only folder that imports mkdocs."""
