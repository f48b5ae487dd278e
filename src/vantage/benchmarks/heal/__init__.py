"""HEAL: tasks that a scene cannot support, over the Embodied Agent Interface's VirtualHome and BEHAVIOR."""
