"""Interface generators that remember what they read write what they would write without that."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

START = Path(__file__).resolve().parents[2] / "tools" / "venv_setup" / "generator_start"
TEMPLATE = """\
@{
from __future__ import annotations
names = []
}@
@[for field in fields]@
@{names.append(field)}@
@[  if field.startswith('a')]@
@(field)=@(len(names) ? 'first' ! 'none') "it's" @@
@[  else]@
@(field.upper())
@[  end if]@
@[end for]@
"""
EXPAND = f"""
import em, io

written = []
template = {TEMPLATE!r}
for fields in (["apple", "pear"], ["fig", "avocado", "plum"], []):
    output = io.StringIO()
    interpreter = em.Interpreter(config=em.Configuration(defaultStdout=output, useProxy=True), dispatcher=False)
    interpreter.string(template, locals={{"fields": fields}})
    interpreter.string("@[if fields]@(fields[0])@[end if]", locals={{"fields": fields}})
    written.append(output.getvalue())
    interpreter.shutdown()
print(*written)
print(em.Interpreter.string.__module__)
"""
IDL = "module demo { module msg { struct Pair { int32 left; sequence<double> right; }; }; };"
PARSE = """
import sys
from rosidl_parser.parser import parse_idl_string

for text in sys.argv[1:]:
    message = parse_idl_string(text).elements[0]
    print([(member.name, type(member.type).__name__) for member in message.structure.members])
"""


def run(code: str, *words: str, parsed: Path | None = None) -> str:
    environ = {name: value for name, value in os.environ.items() if name != "VANTAGE_PARSED_INTERFACES"}
    environ["PYTHONPATH"] = str(START)
    if parsed:
        environ["VANTAGE_PARSED_INTERFACES"] = str(parsed)
    done = subprocess.run(
        [sys.executable, "-c", code, *words], env=environ, capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_template_that_was_read_once_expands_as_before(tmp_path: Path) -> None:
    *with_memory, changed = run(EXPAND, parsed=tmp_path).splitlines()
    *without, plain = run(EXPAND).splitlines()
    assert with_memory == without
    assert "AVOCADO" not in "".join(without)
    assert 'avocado=first "it\'s" @' in without
    assert (changed, plain) == ("sitecustomize", "em")


@pytest.mark.needs("ros")
def test_an_interface_is_parsed_once_and_a_damaged_memory_is_no_harm(tmp_path: Path) -> None:
    parsed = tmp_path / "parsed"
    expected = run(PARSE, IDL)
    assert run(PARSE, IDL, parsed=parsed) == expected
    assert "left" in expected
    (kept,) = parsed.iterdir()
    whole = kept.read_bytes()
    kept.write_bytes(whole[:-20])
    assert run(PARSE, IDL, parsed=parsed) == expected
    assert len(kept.read_bytes()) == len(whole)
    other = run(PARSE, IDL.replace("left", "up"), parsed=parsed)
    assert other == expected.replace("left", "up")
    assert len(list(parsed.iterdir())) == 2
