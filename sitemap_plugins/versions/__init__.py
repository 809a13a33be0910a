"""Old versions, judged and mended."""
