"""Old versions, judged and fixed."""
