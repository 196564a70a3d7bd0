"""Packaged data: what an installer leaves beside it is no part of it."""

from __future__ import annotations

from pathlib import Path

from hermes_git.commands import packaged


def test_compiled_files_of_an_installer_are_not_copied(tmp_path: Path) -> None:
    source = tmp_path / "skills"
    for name in ("SKILL.md", "scripts/links.py", "scripts/__pycache__/links.cpython-311.pyc", "scripts/links.pyc"):
        (source / name).parent.mkdir(parents=True, exist_ok=True)
        (source / name).write_bytes(b"x")
    packaged.copy(source, tmp_path / "copy")
    copied = {path.relative_to(tmp_path / "copy").as_posix() for path in (tmp_path / "copy").rglob("*")}
    assert copied == {"SKILL.md", "scripts", "scripts/links.py"}
