"""Check any sitemap against the protocol, and against the built site beside it."""
