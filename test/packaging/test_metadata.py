"""The lists that name the same objects in several files agree."""

import configparser
import importlib
import re
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

import vantage

ROOT = Path(__file__).resolve().parents[2]
PINNED = sorted((ROOT / "requirements").glob("*.txt"))


def setup_cfg():
    config = configparser.ConfigParser()
    config.read(ROOT / "setup.cfg", encoding="utf-8")
    return config


def entry_points():
    lines = setup_cfg()["options.entry_points"]["console_scripts"].strip().splitlines()
    pairs = [tuple(part.strip() for part in line.split("=")) for line in lines]
    ros = pytest.mark.needs("ros")
    return [pytest.param(*pair, marks=[ros] if pair[1].startswith("vantage.nodes") else []) for pair in pairs]


@pytest.mark.parametrize("kind", ["msg", "srv", "action"])
def test_cmake_lists_exactly_the_interfaces_of_the_tree(kind):
    text = (ROOT / "CMakeLists.txt").read_text(encoding="utf-8")
    listed = re.search(rf"set\({kind}_files\n(.*?)\)", text, re.DOTALL)[1].split()
    assert listed == sorted(f"{kind}/{path.name}" for path in (ROOT / kind).glob(f"*.{kind}"))


def test_interfaces_use_only_packages_that_are_declared():
    text = "\n".join(
        path.read_text(encoding="utf-8") for kind in ("msg", "srv", "action") for path in (ROOT / kind).iterdir()
    )
    used = set(re.findall(r"^([a-z_]+)/[A-Z]", text, re.MULTILINE))
    cmake = (ROOT / "CMakeLists.txt").read_text(encoding="utf-8")
    declared = re.search(r"DEPENDENCIES ([a-z_ ]+)", cmake)[1].split()
    package = ElementTree.parse(ROOT / "package.xml").getroot()
    assert used <= set(declared)
    assert set(declared) <= {element.text for element in package.findall("depend")}


def test_one_version_everywhere():
    package = ElementTree.parse(ROOT / "package.xml").getroot()
    assert package.findtext("version") == vantage.__version__


def test_package_xml_is_what_ros_tools_accept():
    root = ElementTree.parse(ROOT / "package.xml").getroot()
    assert root.get("format") == "3"
    assert root.findtext("name") == "vantage_eqa"
    assert root.findtext("export/build_type") == "ament_cmake"
    assert root.findtext("member_of_group") == "rosidl_interface_packages"
    # An invalid address makes colcon fall back to plain CMake without a word.
    assert re.fullmatch(r"[\w.+-]+@[\w-]+(\.[\w-]+)+", root.find("maintainer").get("email"))
    catkin = importlib.import_module("catkin_pkg.package")
    for path in (ROOT / "package.xml", ROOT / "overlay" / "tf2_msgs" / "package.xml"):
        warnings = []
        catkin.parse_package(str(path), warnings=warnings)
        assert not warnings


@pytest.mark.parametrize(("command", "target"), entry_points())
def test_every_executable_exists(command, target):
    module, function = target.split(":")
    assert callable(getattr(importlib.import_module(module), function)), command


@pytest.mark.parametrize("path", PINNED, ids=lambda path: path.stem)
def test_pins_are_exact(path):
    lines = [line for line in path.read_text(encoding="utf-8").splitlines() if line and not line.startswith("#")]
    assert lines
    marker = r'; python_version [<>=]+ "3\.\d+"( and python_version < "3\.\d+")?'
    for line in lines:
        assert re.fullmatch(rf"[a-z0-9-]+==[\w.+!]+({marker})?", line)


@pytest.mark.parametrize("minor", [10, 11, 12, 13])
def test_the_lists_agree_with_each_other_for_every_python(minor):
    markers = importlib.import_module("packaging.markers")
    for ros in ("jazzy", "kilted"):
        chosen = {}
        for name in ("core", "build", "test", f"ros-wheels-{ros}"):
            for line in (ROOT / "requirements" / f"{name}.txt").read_text(encoding="utf-8").splitlines():
                pin, _, marker = line.partition(";")
                if "==" not in pin or (
                    marker and not markers.Marker(marker).evaluate({"python_version": f"3.{minor}"})
                ):
                    continue
                package, version = pin.strip().split("==")
                assert chosen.setdefault(package, version) == version, f"{package} in {name}.txt for Python 3.{minor}"
        assert {"numpy", "numba", "pytest", "ros-rclpy", "colcon-core"} <= chosen.keys()


def test_everything_that_setup_cfg_asks_for_is_pinned():
    config = setup_cfg()
    asked = {"core": config["options"]["install_requires"], "test": config["options.extras_require"]["test"]}
    for name, text in asked.items():
        pinned = (ROOT / "requirements" / f"{name}.txt").read_text(encoding="utf-8").lower()
        for line in text.split():
            package = re.match(r"[\w.-]+", line)[0].lower()
            assert re.search(rf"^{re.escape(package)}==", pinned, re.MULTILINE), f"{package} in {name}.txt"


def test_no_file_of_the_packaging_names_this_machine():
    files = ["Makefile", "CMakeLists.txt", "setup.py", "setup.cfg", "pyproject.toml", ".ci/run", *map(str, PINNED)]
    files += [str(path) for path in (ROOT / "tools").rglob("*.py")]
    for name in files:
        text = (ROOT / name).read_text(encoding="utf-8")
        assert str(ROOT) not in text
        assert text.endswith("\n")


def test_the_shared_files_have_one_source():
    assert not (ROOT / "src" / "vantage" / "share").exists(), "msg, config and the rest lie in the root alone"
