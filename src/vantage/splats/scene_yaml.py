"""Scene files as YAML 1.2: ``on`` is a word, ``1e-1`` a number and ``2024-05-01`` a text.

PyYAML reads YAML 1.1, where ``on`` means true. Source of the patterns: YAML 1.2.2, section 10.3.2 (core schema).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar

import yaml

from vantage.errors import ConfigError, FormatError
from vantage.files import read_text

MOST_BYTES = 1 << 20
_MOST_DIGITS = 400  # of one number

_NULL, _BOOL, _INT, _FLOAT = (f"tag:yaml.org,2002:{kind}" for kind in ("null", "bool", "int", "float"))
_PATTERNS = {
    _NULL: (re.compile(r"^(?:~|null|Null|NULL|)$"), ["~", "n", "N", ""]),
    _BOOL: (re.compile(r"^(?:true|True|TRUE|false|False|FALSE)$"), list("tTfF")),
    _INT: (re.compile(r"^(?:[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+)$"), list("-+0123456789")),
    _FLOAT: (
        re.compile(
            r"^(?:[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?"
            r"|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$"
        ),
        list("-+.0123456789"),
    ),
}


class _Loader(yaml.SafeLoader):
    """Reads plain words as YAML 1.2 does, and knows no merge keys, which a small file can let grow without end."""

    yaml_constructors: ClassVar[dict[str | None, Any]] = {}

    def flatten_mapping(self, node: Any) -> None:
        """Leave the keys as they are."""


class _Dumper(yaml.SafeDumper):
    """Quotes what either version of YAML would not read as the text that it is."""


def _scalar(loader: _Loader, node: Any) -> Any:
    text = loader.construct_scalar(node)
    pattern = _PATTERNS[node.tag][0]
    if not pattern.match(text) or len(text) > _MOST_DIGITS:
        raise yaml.constructor.ConstructorError(None, None, "a value that is no number, truth or null", node.start_mark)
    if node.tag == _NULL:
        return None
    if node.tag == _BOOL:
        return text.lower() == "true"
    if node.tag == _INT:
        return int(text, {"0o": 8, "0x": 16}.get(text[:2], 10))
    return float(text.lower().replace(".inf", "inf").replace(".nan", "nan"))


def _text(loader: _Loader, node: Any) -> str:
    text = str(loader.construct_scalar(node))
    if any(0xD800 <= ord(letter) <= 0xDFFF for letter in text):
        raise yaml.constructor.ConstructorError(None, None, "half of a letter (a surrogate)", node.start_mark)
    return text


def _undefined(loader: _Loader, node: Any) -> Any:
    raise yaml.constructor.ConstructorError(None, None, "a tag that scene files do not have", node.start_mark)


_Loader.yaml_implicit_resolvers = {}
for _tag, (_pattern, _first) in _PATTERNS.items():
    _Loader.add_implicit_resolver(_tag, _pattern, _first)
    _Dumper.add_implicit_resolver(_tag, _pattern, _first)
    _Loader.add_constructor(_tag, _scalar)
for _kind in ("seq", "map"):
    _name = f"tag:yaml.org,2002:{_kind}"
    _Loader.add_constructor(_name, yaml.SafeLoader.yaml_constructors[_name])
_Loader.add_constructor("tag:yaml.org,2002:str", _text)
_Loader.add_constructor(None, _undefined)


def read_yaml(path: Path) -> Mapping[str, Any]:
    """The top level of a scene file.

    Raises:
        ConfigError: missing, no regular file, larger than ``MOST_BYTES``, not YAML, or no mapping.
    """
    try:
        document = yaml.load(read_text(path, MOST_BYTES), _Loader)
    except FormatError as error:
        raise ConfigError(f"cannot read the scene file: {error}") from error
    except RecursionError as error:
        raise ConfigError(f"cannot read the scene file {path}: it is nested too deeply; write it anew") from error
    except (OSError, ValueError, yaml.YAMLError) as error:
        reason = " ".join(str(error).split())
        raise ConfigError(
            f"cannot read the scene file {path}: {reason}; expected YAML such as 'cloud: x.ply'"
        ) from error
    if not isinstance(document, Mapping):
        raise ConfigError(f"{path} is no scene file; expected keys such as 'cloud: x.ply'")
    return document


def yaml_text(document: Mapping[str, Any], inline: bool = False) -> str:
    """What ``read_yaml`` reads back; ``inline`` puts the innermost lists and mappings into one line each."""
    return yaml.dump(
        dict(document),
        Dumper=_Dumper,
        sort_keys=False,
        allow_unicode=True,
        default_flow_style=None if inline else False,
        width=120 if inline else 80,
    )
