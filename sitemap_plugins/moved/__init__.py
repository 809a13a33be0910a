"""Where moved pages are now, and their redirects."""
