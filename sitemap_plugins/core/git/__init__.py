"""What git knows of files: when the content of each last changed."""
