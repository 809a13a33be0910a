"""One date for each page, from what its author, git and file times say."""
