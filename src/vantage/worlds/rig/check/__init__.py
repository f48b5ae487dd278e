"""What proves on a connected rig that it moves, sees and stops as it should."""
