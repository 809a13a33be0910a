"""Search engines told what changed (IndexNow)."""
