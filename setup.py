"""Packaging for pip; ament's CMake writes a setup.py of its own and shares only setup.cfg with this one."""

from __future__ import annotations

from pathlib import Path

from setuptools import find_packages, setup
from setuptools.command.build_py import build_py

ROOT = Path(__file__).resolve().parent
SHARED_FOLDERS = ("msg", "srv", "action", "config", "rviz", "launch")


class BuildWithSharedFiles(build_py):
    """Put the root's interface, parameter, layout and launch files into the wheel as vantage/share/<folder>/."""

    def _shared_files(self) -> list[tuple[Path, Path]]:
        """Pairs of (file in the tree, its place in the wheel); none in an editable install, which reads the tree."""
        if self.editable_mode:
            return []
        target = Path(self.build_lib) / "vantage" / "share"
        files = (path for folder in SHARED_FOLDERS for path in sorted((ROOT / folder).rglob("*")))
        return [
            (path, target / path.relative_to(ROOT))
            for path in files
            if path.is_file() and "__pycache__" not in path.parts
        ]

    def find_data_files(self, package: str, src_dir: str) -> list[str]:
        """Leave out caches: compiled kernels lie in __pycache__ as data files."""
        return [name for name in super().find_data_files(package, src_dir) if "__pycache__" not in Path(name).parts]

    def run(self) -> None:
        super().run()
        for source, target in self._shared_files():
            self.mkpath(str(target.parent))
            self.copy_file(str(source), str(target), preserve_mode=False)

    def get_outputs(self, include_bytecode: bool = True) -> list[str]:
        return [*super().get_outputs(include_bytecode), *(str(target) for _, target in self._shared_files())]


def long_description() -> str:
    readme = ROOT / "README.md"
    return readme.read_text(encoding="utf-8") if readme.is_file() else ""


setup(
    package_dir={"": "src"},
    packages=find_packages("src"),
    include_package_data=False,
    # Everything that lies in the package and is not Python: prompts, templates, word lists, py.typed.
    package_data={"": ["**/*"]},
    long_description=long_description(),
    long_description_content_type="text/markdown",
    cmdclass={"build_py": BuildWithSharedFiles},
)
