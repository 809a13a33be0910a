"""The sitemap's files: entries → bytes → parts → files on disk."""
