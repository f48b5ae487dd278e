"""From one image to located detections: simulated, detected, named by a model, or read."""
