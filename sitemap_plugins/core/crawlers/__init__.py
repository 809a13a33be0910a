"""What tells crawlers which pages they may fetch and index, and what servers answer them."""
