"""`hermes-git skill install` and `skill update`: from a source, through quarantine and scan, to one judged commit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import PurePosixPath

import click

from hermes_git import errors
from hermes_git.checks.run import scan
from hermes_git.commands import complete
from hermes_git.commands.call import Call, common
from hermes_git.commands.skill_new import check_name, refuse_taken
from hermes_git.commands.skill_read import read_found
from hermes_git.commands.skill_source import Obtained, address, choose, obtain
from hermes_git.commands.skill_write import Write, carry_out, short_id
from hermes_git.document import Document
from hermes_git.errors import UserError
from hermes_git.finding import Report
from hermes_git.gate.doors import policy_at
from hermes_git.gate.waivers import divide
from hermes_git.gitrepo import read
from hermes_git.knowledge import lock
from hermes_git.knowledge.listing import Listing, find
from hermes_git.knowledge.lock import Locked
from hermes_git.knowledge.skill import SKILL_FILE, read_skill
from hermes_git.reports import text
from hermes_git.version import RULES_VERSION

TRUST = ("community", "trusted")
DATA_KINDS = ("image", "font", "media")
"""Kinds that are not scanned and may be installed when a person asks for them."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A skill as it would be installed: its folder here, documents placed there, what is left out, and the report."""

    name: str
    root: str
    source_root: str
    documents: tuple[Document, ...]
    left_out: tuple[str, ...]
    report: Report


@click.command()
@click.argument("source", metavar="SOURCE[@REV]")
@click.option(
    "--skill", "names", metavar="NAME", multiple=True, help="Which skill of the source; several times for more."
)
@click.option("--category", metavar="NAME", default="", help="The category to put it in.")
@click.option("--trust", type=click.Choice(TRUST), default="community", show_default=True, help="How far you trust it.")
@click.option("--with-data", is_flag=True, help="Also install images, fonts and media, which are not scanned.")
@click.option("--dry-run", is_flag=True, help="Fetch and judge, but write nothing.")
@common(json_output=True, now=True)
def install(
    call: Call,
    *,
    source: str,
    names: tuple[str, ...],
    category: str,
    trust: str,
    with_data: bool,
    dry_run: bool,
) -> int:
    """Install skills from a folder or another repository: quarantine, scan, lock file, one judged commit each.

    What the scan blocks is not installed, and there is no way to force it. Files that were not scanned are left out.

    \b
    hermes-git skill install ../other-repo@v1.2 --skill deploy --category devops
    hermes-git skill install https://example.org/skills.git --skill pdf
    hermes-git skill install ./downloaded/pdf --dry-run
    """
    _check_trust(call, trust, with_data)
    for part in category.strip("/").split("/") if category else ():
        check_name("category", part)
    found = obtain(call, address(call, source))
    code = errors.OK
    for root in choose(found, names):
        candidate = examine(call, found, root, category.strip("/"), trust, with_data=with_data)
        code = max(code, _install(call, found, candidate, trust, dry_run))
    return code


def _check_trust(call: Call, trust: str, with_data: bool) -> None:
    if call.actor.is_agent and (trust != "community" or with_data):
        hint = "let a person run this, or leave --trust and --with-data out"
        raise UserError("an agent cannot raise the trust in a source", hint=hint)


def examine(call: Call, found: Obtained, root: str, category: str, trust: str, *, with_data: bool) -> Candidate:
    """Judge a skill of a source as it would stand here; what was not scanned is left out."""
    cut = 0 if root == "." else len(root) + 1
    folder = PurePosixPath(found.address.recorded).name if root == "." else PurePosixPath(root).name
    inner = [replace(row, path=row.path[cut:]) for row in found.skills[root]]
    name = _name(inner, folder, found)
    target = "/".join(part for part in (call.settings.paths.skills, category, name) if part)
    placed = [replace(row, path=f"{target}/{row.path}") for row in inner]
    done = scan(placed, settings=call.settings, trust=trust)
    out = {item.path for item in done.not_scanned} | {f"{target}/{path[cut:]}" for path in found.too_large[root]}
    if with_data:
        out -= {row.path for row in placed if row.kind in DATA_KINDS}
    kept = tuple(row for row in placed if row.path not in out and row.mode in lock.PLAIN_MODES)
    left_out = tuple(sorted(row.path[len(target) + 1 :] for row in placed if row not in kept))
    policy = policy_at(call.repo, read.head(call.repo), call.actor)
    standing, waived = divide(sorted(done.findings), policy.waivers, call.clock().date())
    return Candidate(name, target, root, kept, left_out, Report(standing, done.not_scanned, waived))


def _name(inner: Sequence[Document], folder: str, found: Obtained) -> str:
    """Return the name a skill is installed under: the one in its header, which must be allowed here."""
    skill = read_skill("", inner)
    name = skill.name if not skill.problem and skill.name else folder
    if skill.problem:
        where = f"{found.address.recorded}/{folder}/{SKILL_FILE}:{skill.problem.line}"
        raise UserError(skill.problem.message, where=where, hint=skill.problem.hint)
    check_name("name", name)
    return name


def _install(call: Call, found: Obtained, candidate: Candidate, trust: str, dry_run: bool) -> int:
    if candidate.report.verdict == "block":
        return refused(call, candidate)

    def build(base: str | None, known: Listing) -> Write | None:
        refuse_taken(candidate.name, candidate.root, known)
        return written(call, base, found, candidate, trust)

    tell(call, candidate)
    return carry_out(call, build, dry_run=dry_run)


def refused(call: Call, candidate: Candidate) -> int:
    """Tell why a skill is not installed; nothing was written."""
    if call.json:
        from hermes_git.reports.json import as_json

        call.emit({"success": False, "skill": candidate.name, "commit": "", **as_json(candidate.report)})
    else:
        call.note(text.render(candidate.report))
        call.note(f"{candidate.name} is not installed, and nothing was written")
    return errors.FINDINGS


def tell(call: Call, candidate: Candidate) -> None:
    """Tell what a scan found that does not block, and what is left out."""
    if candidate.report.findings:
        call.note(text.render(candidate.report))
    for path in candidate.left_out:
        call.note(f"left out, because it was not scanned: {text.visible(path)}")


def written(
    call: Call, base: str | None, found: Obtained, candidate: Candidate, trust: str, *, old: Locked | None = None
) -> Write:
    """Return the write that puts a candidate and its row of the lock file in place, in place of an older version."""
    where = lock.path(call.settings)
    locks = lock.parse((read.file_at(call.repo, base, where) if base else None) or b"", where=where)
    key = candidate.root[len(call.settings.paths.skills) + 1 :]
    row = Locked(
        key,
        found.address.recorded,
        found.address.revision,
        found.commit,
        candidate.source_root,
        trust,
        RULES_VERSION,
        call.clock().strftime("%Y-%m-%d"),
        lock.files_of(candidate.documents, candidate.root),
        candidate.left_out,
    )
    content: dict[str, bytes | None] = {f"{candidate.root}/{file.path}": None for file in old.files} if old else {}
    content |= {document.path: document.data for document in candidate.documents}
    content[where] = lock.render({**locks, key: row})
    main = next(document.data for document in candidate.documents if document.path == f"{candidate.root}/{SKILL_FILE}")
    origin = {"source": found.address.recorded, **({"commit": found.commit} if found.commit else {}), "trust": trust}
    verb = "update" if old else "install"
    subject = f"skills: {verb} {key} from {found.address.recorded}"
    modes = {document.path: document.mode for document in candidate.documents}
    return Write("import", key, content, subject, "", short_id(call, main), origin, modes, (candidate.root,))


@click.command()
@click.argument("name", shell_complete=complete.skills)
@click.option("--to", "revision", metavar="REV", default=None, help="Another revision than the one in the lock file.")
@click.option("--discard-edits", is_flag=True, help="Give up changes that were made here since it was installed.")
@click.option("--dry-run", is_flag=True, help="Fetch and judge, but write nothing.")
@common(json_output=True, now=True)
def update(call: Call, name: str, revision: str | None, discard_edits: bool, dry_run: bool) -> int:
    """Bring an installed skill to what its source has now, judged like a new one; edits made here are never lost.

    \b
    hermes-git skill update deploy
    hermes-git skill update deploy --to v1.3
    """
    old, root = locked_at(call, name)
    _check_trust(call, old.trust, False)
    asked = old.revision if revision is None else revision
    place = old.source if "://" in old.source or ":" in old.source else str(call.repo.work_tree() / old.source)
    found = obtain(call, address(call, f"{place}@{asked}" if asked else place))
    found = replace(found, address=replace(found.address, recorded=old.source))
    if old.folder not in found.skills:
        raise UserError(f"{old.source} no longer has {old.folder}", hint="what is installed stays as it is")
    category = old.key.rpartition("/")[0]
    with_data = any(file.path in old_data(old) for file in old.files)
    candidate = examine(call, found, old.folder, category, old.trust, with_data=with_data)
    if candidate.root != root:
        raise UserError(f"it is called {candidate.name} there now", hint="delete this one and install that one")
    if candidate.report.verdict == "block":
        return refused(call, candidate)

    def build(base: str | None, known: Listing) -> Write | None:
        here = read_found(call, base or "", find(known, old.key))
        changed = lock.drift(old, lock.files_of(here.skill.documents, here.root))
        if changed and not discard_edits:
            listed = "\n".join(f"  {row.state} {row.path}" for row in changed)
            hint = f"{listed.strip()}\n  keep them: stay with this version; give them up: --discard-edits"
            raise UserError(f"{old.key} has changes that were made here; nothing was written", hint=hint)
        if not changed and lock.files_of(candidate.documents, candidate.root) == old.files:
            return None
        return written(call, base, found, candidate, old.trust, old=old)

    tell(call, candidate)
    return carry_out(call, build, dry_run=dry_run, nothing="nothing to do: it is what the source has")


def old_data(old: Locked) -> set[str]:
    """Return the files of an installed skill that are of a kind that is not scanned."""
    return {file.path for file in old.files if Document(file.path, b"").kind in DATA_KINDS}


def locked_at(call: Call, name: str) -> tuple[Locked, str]:
    """Return the row of the lock file for a skill, and its folder."""
    locks = locks_at(call)
    word = name.strip("/")
    rows = [row for key, row in locks.items() if word in (key, key.rsplit("/", 1)[-1])]
    if len(rows) != 1:
        listed = ", ".join(sorted(locks)) or "none"
        raise UserError(f"{len(rows) or 'no'} installed skills are called {name!r}", hint=f"installed: {listed}")
    return rows[0], f"{call.settings.paths.skills}/{rows[0].key}"


def locks_at(call: Call) -> dict[str, Locked]:
    """Read the lock file of HEAD."""
    head = read.head(call.repo)
    where = lock.path(call.settings)
    return lock.parse((read.file_at(call.repo, head, where) if head else None) or b"", where=where)
