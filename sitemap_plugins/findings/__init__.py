"""What was found, and its formats."""
