"""Runs first in each interface generator: has them remember what they would otherwise work out again and again.

There are six generators, and each of them parses every interface file and reads every template for every interface.
With this folder on PYTHONPATH and a folder named by VANTAGE_PARSED_INTERFACES, an interface file is parsed once for all
generators and a template is read once in each. What is generated stays the same. Where a generator's inside has another
shape than that of the pinned versions, it works as it does without this.
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
import pickle
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cache
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType
from typing import Any


def parse_once(parser: Any) -> None:
    """Have `rosidl_parser.parser` keep the content of each interface file in a folder, named by the file's hash."""
    folder = Path(os.environ["VANTAGE_PARSED_INTERFACES"])
    parse = parser.parse_idl_string
    version = hashlib.sha256(Path(parser.__file__).read_bytes() + parser.grammar.encode()).hexdigest()

    def parsed(text: str, png_file: str | None = None) -> Any:
        kept = folder / hashlib.sha256((version + text).encode()).hexdigest()
        with suppress(Exception):  # absent or damaged: parsed anew
            return pickle.loads(kept.read_bytes())
        content = parse(text, png_file)
        folder.mkdir(parents=True, exist_ok=True)
        partial = kept.with_suffix(f".{os.getpid()}.partial")
        partial.write_bytes(pickle.dumps(content))
        partial.replace(kept)
        return content

    parser.parse_idl_string = parsed


def read_once(em: Any) -> None:
    """Have EmPy keep the tokens of each template, and the compiled code of each expression in it."""
    kept: dict[str, list[Any]] = {}

    @cache
    def compiled(code: str, kind: str) -> Any:
        return compile(code, "<template>", kind, dont_inherit=True)

    class Scanner(em.Scanner):  # type: ignore[misc]
        """Notes the outermost tokens, which hold all others."""

        depth = 0

        def one(self) -> Any:
            self.depth += 1
            try:
                token = super().one()
            finally:
                self.depth -= 1
            if token is not None and not self.depth:
                self.noted.append(token)
            return token

    def string(self: Any, string: str, locals: Any = None, dispatcher: Any = None) -> None:
        if string in kept:
            self.runSeveral(kept[string], locals)
            return
        scanner = Scanner(self.config, self.getContext(), self.currents, string)
        scanner.noted = []
        while not self.safe(scanner, True, locals, dispatcher):
            pass
        kept[string] = scanner.noted

    def evaluate(self: Any, code: Any, globals: dict[str, Any], locals: Any = None) -> Any:
        code = compiled(code.lstrip(" \t"), "eval") if isinstance(code, str) else code
        return eval(code, globals, locals)

    def execute(self: Any, code: Any, globals: dict[str, Any], locals: Any = None) -> None:
        code = compiled(code, "exec") if isinstance(code, str) else code
        exec(code, globals, locals)

    if all(hasattr(em.Interpreter, name) for name in ("safe", "runSeveral", "getContext")) and hasattr(em, "Core"):
        em.Interpreter.string, em.Core.evaluate, em.Core.execute = string, evaluate, execute


_CHANGED: dict[str, Callable[[Any], None]] = {"rosidl_parser.parser": parse_once, "em": read_once}


class Finder:
    """Finds the modules that are changed where everybody finds them, and changes them once they are loaded."""

    @staticmethod
    def find_spec(name: str, path: Sequence[str] | None, target: ModuleType | None = None) -> ModuleSpec | None:
        change = _CHANGED.pop(name, None)  # so that the search below comes to the others
        spec = importlib.util.find_spec(name) if change else None
        if change and spec and spec.loader:
            load = spec.loader.exec_module

            def load_and_change(module: ModuleType) -> None:
                load(module)
                with suppress(AttributeError):
                    change(module)

            spec.loader.exec_module = load_and_change  # type: ignore[method-assign]
        return spec


if "VANTAGE_PARSED_INTERFACES" in os.environ:
    sys.meta_path.insert(0, Finder)
