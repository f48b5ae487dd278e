from .driver import QUEUE as QUEUE, Driver as Driver, DriverState as DriverState
from .mock_driver import MockDriver as MockDriver
