"""Readers of an outcome: what people are told."""
