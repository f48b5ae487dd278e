from .parser import parse as parse
