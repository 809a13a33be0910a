"""The core: descriptions of pages in, files out; knows no host.

The order of its modules is a contract in pyproject.toml (`[tool.importlinter]`).
"""
