"""The protocol: entries, URLs, languages, the table of fields, and the XML."""
