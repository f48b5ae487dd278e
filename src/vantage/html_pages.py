"""Self-contained HTML pages from templates. Every value is escaped, shortened and made printable: an answer may hold
anything.

Templates lie beside the code that fills them, in the folder ``templates`` of its package; ``html_templates`` here holds
what pages share.
"""

from __future__ import annotations

import base64
import unicodedata
from functools import lru_cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined
from markupsafe import Markup
from numpy.typing import NDArray

from vantage.errors import FormatError
from vantage.files import write_whole

_LONGEST = 1500  # characters of one text
_HIDDEN = ("Cc", "Cf", "Cs")  # control characters, marks that turn the direction of writing, halves of characters


def render(package: str, template: str, **values: Any) -> str:
    """The page that a template of a package, such as ``vantage.reports``, makes of values.

    Text is escaped; ``Markup`` stands for HTML that is put in as it is. A name that the template uses and ``values``
    lacks is an error.
    """
    page: str = _environment(package).get_template(template).render(**values)
    return page


def write_page(path: str | Path, page: str) -> Path:
    """Write a page as a whole or not at all; halves of characters become question marks. Returns its path.

    Raises:
        OSError: it cannot be written.
    """
    write_whole(path, page.encode("utf-8", "replace"))
    return Path(path)


def printable(value: str) -> str:
    """A text, shortened, with a sign in place of each character that cannot be shown."""
    shown = value if len(value) <= _LONGEST else f"{value[:_LONGEST]}\u2026 ({len(value)} characters)"
    return "".join("\ufffd" if unicodedata.category(c) in _HIDDEN and c not in "\n\t" else c for c in shown)


def jpeg_url(rgb: NDArray[np.uint8], width: int, quality: int = 82) -> Markup:
    """A picture (H, W, 3), made narrower where it is wider than ``width`` pixels, as a data URL.

    Raises:
        FormatError: it cannot be encoded.
    """
    height = max(1, round(rgb.shape[0] * width / rgb.shape[1]))
    small = cv2.resize(rgb, (width, height), interpolation=cv2.INTER_AREA) if rgb.shape[1] > width else rgb
    done, data = cv2.imencode(".jpg", cv2.cvtColor(small, cv2.COLOR_RGB2BGR), [cv2.IMWRITE_JPEG_QUALITY, quality])
    if not done:
        raise FormatError(f"a picture of shape {rgb.shape} cannot be encoded")
    return Markup("data:image/jpeg;base64,") + base64.b64encode(data.tobytes()).decode()


@lru_cache(maxsize=8)
def _environment(package: str) -> Environment:
    return Environment(
        loader=ChoiceLoader([PackageLoader(package, "templates"), PackageLoader("vantage", "html_templates")]),
        autoescape=True,
        finalize=lambda value: printable(value) if type(value) is str else value,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
