from .hits import lines_blocked as lines_blocked
