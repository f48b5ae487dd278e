from .parser import NotUnderstood as NotUnderstood, parse as parse, understand as understand
