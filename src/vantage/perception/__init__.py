"""What a camera sees: detections of objects and printed text, and the observed scene they build up."""
