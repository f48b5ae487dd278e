"""Scores of recorded episodes as tables and pages, and rigs beside the models of their rooms."""
