"""Real prompts, skills, sessions and memory: agents use them, and every prompt gets a row that trainers load."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from hermes_git.gitrepo.repository import Repository
from hermes_git.trajectories import validate
from tests.batch.repositories import call, script
from tests.conftest import Ran

MOST = 20


def real_prompts(data: Path) -> list[str]:
    """Return what people asked at the start of real trajectories."""
    found: list[str] = []
    for path in sorted((data / "trajectories").rglob("*.jsonl")):
        for line in path.read_bytes().splitlines():
            row = json.loads(line)
            turns = row.get("conversations") or row.get("messages") or []
            asked = [turn for turn in turns if turn.get("from", turn.get("role")) in ("human", "user")]
            text = asked[0].get("value", asked[0].get("content")) if asked else None
            if isinstance(text, str) and text.strip():
                found.append(text)
    return list(dict.fromkeys(found))[:MOST]


def test_real_prompts_on_real_knowledge(
    data: Path, repo: Repository, write: Callable[..., Path], commit: Callable[..., str], hg: Callable[..., Ran]
) -> None:
    place = repo.work_tree()
    bundle = data / "knowledge" / "skills-jk-md.bundle"
    repo.git("fetch", "--quiet", str(bundle), "main")
    listed = repo.git("ls-tree", "-r", "--name-only", "FETCH_HEAD").decode().splitlines()
    skills = [path for path in listed if path.endswith("/SKILL.md")]
    for path in skills[:60]:
        write(f"knowledge/skills/real/{path.split('/')[-2]}/SKILL.md", repo.git("show", f"FETCH_HEAD:{path}"))
    commit()
    assert hg("session", "import", "-q", str(data / "sessions" / "claude-code")).code in (0, 1)
    prompts = real_prompts(data)
    assert len(prompts) > 10
    (place / "p.jsonl").write_text("".join(json.dumps({"prompt": one}) + "\n" for one in prompts), encoding="utf-8")
    name = skills[0].split("/")[-2]
    replies: list[dict[str, Any]] = [
        {"reasoning": "Look around.", "tool_calls": [
            call("skills_list"), call("skill_view", name=name), call("session_search", query="{prompt}"),
            call("memory", action="add", content="Asked: {prompt}"),
        ]},
        {"text": "You asked: {prompt}"},
    ]  # fmt: skip
    (place / "demo.json").write_bytes(script(("", replies)))
    done = hg("batch", "run", "--dataset", "p.jsonl", "--run-name", "real", "--model", "script:demo.json", "--json")
    assert done.code == 0, done.err
    assert done.json["trajectories"] == len(prompts) and done.json["tool_statistics"]["session_search"]["failure"] == 0
    text = (place / "data" / "real" / "trajectories.jsonl").read_text(encoding="utf-8")
    rows = [json.loads(line) for line in text.split("\n") if line]
    assert not [one for row in rows for one in validate.llamafactory(row)]
    assert done.json["tool_statistics"]["skill_view"]["count"] == len(prompts)
