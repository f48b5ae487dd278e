from .degraded import DegradedPerceiver as DegradedPerceiver
from .ocr import OcrReader as OcrReader
from .text_readings import TextReading as TextReading, TextReadings as TextReadings
