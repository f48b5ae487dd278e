"""Pictures of clouds."""
