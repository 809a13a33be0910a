"""Deploys in a branch, compared."""
