from .checker import ConformanceError as ConformanceError, check_world as check_world
