"""What a home is built of and furnished with: classes of objects and the builders of their shapes."""
