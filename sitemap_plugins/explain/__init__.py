"""A code, an option, or the date of a page, explained."""
