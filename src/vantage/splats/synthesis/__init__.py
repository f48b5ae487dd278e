"""A scene specification becomes a cloud of Gaussians, with colors and light baked in."""
