"""Checks of sites as their servers answer."""
