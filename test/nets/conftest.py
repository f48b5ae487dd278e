"""What runs over ROS takes its domain from the helpers beside the tests of ROS; sets lie beside these tests."""

import sys
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parents[1] / "ros")]
