"""HEAL: tasks that a scene cannot support, in the EAI data (VirtualHome, BEHAVIOR) and in generated homes."""
