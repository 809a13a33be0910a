"""Faulty and odd but valid sites, written from the standards and not from `check`."""
