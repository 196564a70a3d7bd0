"""What `init` writes: settings, empty memory files, a skill that tells agents how to write here, CI, attributes."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from hermes_git import files
from hermes_git.commands import packaged
from hermes_git.errors import UserError
from hermes_git.gate import sync
from hermes_git.gate.policy import parse_bytes
from hermes_git.gitrepo import read
from hermes_git.gitrepo.repository import Repository
from hermes_git.knowledge.categories import scaffold
from hermes_git.knowledge.layout import TARGETS
from hermes_git.settings import DEFAULTS, FILE_NAME, LAYOUTS, Settings
from hermes_git.version import __version__

BLOCK_BEGIN = "<!-- hermes-git:begin -->"
CATEGORY = "software-development"
CATEGORY_TEXT = "---\ndescription: How software is built, checked and released here.\n---\n"
REQUIRES = ">=" + ".".join(__version__.split(".")[:2])

WORKFLOWS: dict[str, dict[str, str]] = {
    "github": {
        f".github/workflows/hermes-git-{name}.yml": f"hermes-git-{name}.yml"
        for name in ("check", "comment", "curate", "update")
    },
    "gitlab": {".gitlab/hermes-git.yml": "hermes-git.gitlab-ci.yml"},
    "none": {},
}
"""Which CI → path of each file that is written → its template."""

HERMES_GITIGNORE = """\
# Written by hermes-git: only knowledge may be added; everything else in a Hermes home stays out of git.
/*
!/.gitignore
!/.gitattributes
!/hermes-git.toml
!/hermes-git-waivers.toml
!/AGENTS.md
!/memories/
/memories/*
!/memories/MEMORY.md
!/memories/USER.md
!/memories/.gitattributes
!/skills/.gitattributes
!/skills/
/skills/.hub/
/skills/.curator_backups/
/skills/.usage.json*
/skills/.curator_state
**/.env
**/.env.*
**/*.pem
**/*.key
"""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a person asked init for: a layout (None: the one that is there), which CI, and whether categories."""

    layout: str | None = None
    ci: str = "github"
    categories: bool = False


def missing(repo: Repository, base: str | None, asked: Wanted) -> dict[str, bytes]:
    """Return path → bytes of everything that a repository at this commit still lacks; what is there is left alone."""
    have = read.tree(repo, base) if base else {}
    settings, settings_bytes = _settings(repo, have, base, asked.layout)
    paths = settings.paths
    wanted: dict[str, bytes] = {FILE_NAME: settings_bytes} if FILE_NAME not in have else {}
    wanted |= {f"{paths.memory}/{name}": b"" for name in TARGETS.values()}
    wanted |= _skill(settings, have)
    wanted |= _attributes(repo, settings, have, base)
    if asked.categories:
        if settings.layout in FLAT:
            raise UserError(
                f"the layout {settings.layout!r} has no categories: a skill in one would not be found",
                hint="leave out --categories",
            )
        wanted = scaffold(paths.skills) | wanted
    if settings.layout == "hermes":
        wanted[".gitignore"] = HERMES_GITIGNORE.encode("utf-8")
    else:
        wanted |= {
            path: packaged.template(f"workflows/{name}", requires=REQUIRES).encode("utf-8")
            for path, name in WORKFLOWS[asked.ci].items()
        }
    found = {path: data for path, data in wanted.items() if path not in have and not _on_disk(repo, path, data)}
    return found | _agents_block(repo, settings, base)


def settings_on_disk(repo: Repository) -> Settings:
    """Return the settings of the work tree, or the defaults where there are none."""
    data = files.read_optional(repo.work_tree() / FILE_NAME)
    return parse_bytes(data) if data else DEFAULTS


def refuse_other_layout(repo: Repository, layout: str | None) -> None:
    """Stop where a person asks for a layout and the repository has another one: nothing would be moved."""
    head = read.head(repo)
    data = (read.file_at(repo, head, FILE_NAME) if head else None) or files.read_optional(repo.work_tree() / FILE_NAME)
    known = parse_bytes(data).layout if data else layout
    if layout is not None and known != layout:
        raise UserError(
            f"this repository has the layout {known!r}, and init moves nothing",
            where=FILE_NAME,
            hint=f"leave out --layout; or write layout = {layout!r} there, move the files with git mv, and commit both",
        )


def _on_disk(repo: Repository, path: str, data: bytes) -> bool:
    """Say whether the work tree has a file of its own here, which is the user's to commit."""
    found = files.read_optional(repo.work_tree() / path)
    return found is not None and found != data


def _settings(
    repo: Repository, have: dict[str, read.TreeEntry], base: str | None, layout: str | None
) -> tuple[Settings, bytes]:
    """Return the settings that hold, and the bytes of a new settings file."""
    if FILE_NAME in have and base:
        return parse_bytes(read.file_at(repo, base, FILE_NAME) or b""), b""
    on_disk = files.read_optional(repo.work_tree() / FILE_NAME)
    if on_disk:
        return parse_bytes(on_disk), on_disk
    chosen = layout or "knowledge"
    known = {FILE_NAME, "README.md", "LICENSE", ".gitignore", ".gitattributes", "AGENTS.md"}
    folders = (f"{LAYOUTS[chosen].memory}/", f"{LAYOUTS[chosen].skills}/", f"{LAYOUTS[chosen].archive}/")
    code = any(path not in known and not path.startswith(folders) for path in have)
    text = settings_text(chosen, scope="knowledge" if code else "all")
    return parse_bytes(text.encode("utf-8")), text.encode("utf-8")


def settings_text(layout: str, *, scope: str) -> str:
    """Return the text of a new settings file: only what differs from the defaults, and where to read about the rest."""
    lines = [
        "# Settings of this knowledge repository; every key is described in docs/settings.md of hermes-git.",
        "format = 1",
        f'requires = "{REQUIRES}"',
    ]
    if layout != "knowledge":
        lines.append(f'layout = "{layout}"')
    if scope != "all":
        lines += ["", "[gate]", "# Other files of this repository are code, not knowledge: leave them alone.",
                  f'scope = "{scope}"']  # fmt: skip
    return "\n".join(lines) + "\n"


FLAT = ("claude", "agents")
"""Layouts whose hosts look for skills directly below the folder of skills, so that a category would hide them."""


def _skill(settings: Settings, have: Collection[str]) -> dict[str, bytes]:
    """Return the skill that tells agents how to write here, where no commit has it in either place."""
    skills, name = settings.paths.skills, "hermes-git/SKILL.md"
    is_flat = settings.layout in FLAT
    text = packaged.template("skill.md", category="" if is_flat else f"--category {CATEGORY} ").encode("utf-8")
    if is_flat:
        return {} if f"{skills}/{CATEGORY}/{name}" in have else {f"{skills}/{name}": text}
    folder = f"{skills}/{CATEGORY}"
    return {f"{folder}/DESCRIPTION.md": CATEGORY_TEXT.encode("utf-8"), f"{folder}/{name}": text}


def _attributes(
    repo: Repository, settings: Settings, have: dict[str, read.TreeEntry], base: str | None
) -> dict[str, bytes]:
    """Return the attributes file: at the top where there is none yet, else beside the memory files."""
    ours = "diff=hermes-memory merge=hermes-memory text eol=lf"
    top = read.file_at(repo, base, ".gitattributes") if base and ".gitattributes" in have else None
    skill = "SKILL.md merge=hermes-skill text eol=lf"
    if top is not None and b"hermes-memory" not in top:
        return {
            f"{settings.paths.memory}/.gitattributes": f"*.md {ours}\n".encode(),
            f"{settings.paths.skills}/.gitattributes": f"{skill}\n".encode(),
        }
    folders = (settings.paths.memory, settings.paths.archive)
    lines = [f"{folder}/{name} {ours}" for folder in folders for name in TARGETS.values()]
    lines.append(f"{settings.paths.skills}/**/{skill}")
    return {".gitattributes": ("\n".join(lines) + "\n").encode("utf-8")}


def block(settings: Settings) -> str:
    """Return the block of AGENTS.md that tells agents how to write here."""
    paths = settings.paths
    return packaged.template("agents-block.md", memory=paths.memory, skills=paths.skills, waivers=paths.waivers)


def _agents_block(repo: Repository, settings: Settings, base: str | None) -> dict[str, bytes]:
    """Return AGENTS.md with our block appended, unless it has one."""
    old = read.file_at(repo, base, "AGENTS.md") if base else None
    if old is not None and BLOCK_BEGIN.encode() in old:
        return {}
    if old is None and _on_disk(repo, "AGENTS.md", b""):
        return {}  # not committed yet, so not ours to commit
    return {"AGENTS.md": _appended(old or b"", settings)}


def _appended(old: bytes, settings: Settings) -> bytes:
    head = old.rstrip(b"\n") + b"\n\n" if old.strip() else b""
    return head + block(settings).encode("utf-8")


def edited_copies(repo: Repository, base: str | None, wanted: dict[str, bytes]) -> dict[str, bytes]:
    """Return what AGENTS.md should hold on disk where the user has edits of their own in it."""
    if "AGENTS.md" not in wanted or base is None:
        return {}
    target = repo.work_tree() / "AGENTS.md"
    disk = files.read_optional(target)
    head = read.file_at(repo, base, "AGENTS.md")
    if disk is None or head is None or sync.same_content(repo, target, "AGENTS.md", head):
        return {}
    settings = settings_on_disk(repo)
    return {} if BLOCK_BEGIN.encode() in disk else {"AGENTS.md": _appended(disk, settings)}
