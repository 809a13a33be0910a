"""URLs and the paths in them: their spellings and their forms."""
