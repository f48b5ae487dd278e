"""The check of a connected rig: that it moves, sees and stops as it should."""
