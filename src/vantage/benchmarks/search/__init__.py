"""Questions that one room or home answers, by a camera that has to find the right view (E3VS-Bench)."""
