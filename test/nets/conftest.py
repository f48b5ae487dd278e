"""What runs over ROS takes its domain from the helpers beside the tests of ROS."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "ros"))
