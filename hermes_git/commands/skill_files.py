"""Skills of the work tree, as their author has them on disk, for checking before anything is committed."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from hermes_git.commands.call import Call
from hermes_git.commands.check import Collected
from hermes_git.document import Document
from hermes_git.errors import UserError
from hermes_git.finding import Skipped
from hermes_git.knowledge.layout import is_below, skill_key, skill_roots
from hermes_git.knowledge.skill import Skill, group, read_skill


@dataclass(frozen=True, slots=True)
class OnDisk:
    """Skills found on disk: root → skill, all their documents, and what could not be read."""

    top: Path
    skills: dict[str, Skill]
    documents: tuple[Document, ...]
    skipped: tuple[Skipped, ...] = ()


def on_disk(call: Call) -> OnDisk:
    """Read every skill below the skills folder of the work tree, the archive left out."""
    top, paths = call.repo.work_tree(), call.settings.paths
    collected = Collected()
    if (top / paths.skills).is_dir():
        collected.add(top, Path(paths.skills), top)
    documents = [row for row in collected.documents if not is_below(row.path, paths.archive)]
    roots = skill_roots(row.path for row in documents)
    members = group(documents, roots)
    skills = {root: read_skill(root, members[root]) for root in sorted(roots)}
    return OnDisk(top, skills, tuple(documents), tuple(collected.skipped))


def choose(call: Call, found: OnDisk, names: tuple[str, ...]) -> list[str]:
    """Return the roots that names mean: keys, folders, names or paths; all roots when none is named."""
    if not names:
        return list(found.skills)
    return [_one(call, found, name) for name in names]


def _one(call: Call, found: OnDisk, name: str) -> str:
    word = name.strip("/").removesuffix("/SKILL.md")
    keys = {root: skill_key(root, call.settings) for root in found.skills}
    exact = [root for root in keys if word in (root, keys[root])]
    matches = exact or [root for root, skill in found.skills.items() if word in (skill.name, PurePosixPath(root).name)]
    if len(matches) == 1:
        return matches[0]
    if not matches:
        raise UserError(f"no skill called {name!r} on disk", hint="list them with: hermes-git skill list")
    listed = "\n".join(f"  {keys[root]}  ({root})" for root in matches)
    raise UserError(f"{len(matches)} skills are called {name!r}", hint=f"name one of them:\n{listed}")
