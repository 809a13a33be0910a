"""Pages → those to list, and a reason for every other page."""
