"""What a scene contains and how its objects relate."""
