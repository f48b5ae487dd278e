"""Detections and depth of many views, kept together: the observed scene and the space that was seen."""
