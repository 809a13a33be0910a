"""`python -m sitemap_plugins`: the command line."""

from sitemap_plugins.cli import main

if __name__ == "__main__":
    main()
