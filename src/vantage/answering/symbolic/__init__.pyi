from .reasoner import SymbolicReasoner as SymbolicReasoner
from .text_reading import TextMemory as TextMemory, TextReader as TextReader
from .wording import finished as finished, meant as meant, proposes as proposes
