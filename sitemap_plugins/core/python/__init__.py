"""Python's objects on pages: what readers see of them, and where they are defined."""
