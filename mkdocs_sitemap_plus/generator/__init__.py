"""Decide what is listed and dated, write it, and keep the report: what both doors stand on."""
