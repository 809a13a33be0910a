"""What crawlers may fetch and index, and what servers answer them."""
