"""What a change of a skill does to the hosts that load it: who takes it no more, shows less of it, or takes it now."""

from __future__ import annotations

from collections.abc import Iterator

from hermes_git.knowledge import hosts
from hermes_git.knowledge.compare import Altered
from hermes_git.knowledge.seen import CUT, REFUSED, UNCLEAR, Remark, see
from hermes_git.knowledge.skill import Skill

WEIGHTY = (REFUSED, UNCLEAR, CUT)
"""Effects that a reviewer is told of; a key that a host does not read is no news."""


def altered_hosts(before: Skill | None, after: Skill | None) -> Iterator[Altered]:
    """Yield each host that makes something else of the skill than before; of a new skill, each that refuses it."""
    if after is None:
        return
    then = _judged(before) if before else {}
    for host, said in _judged(after).items():
        if before is None:
            if said.startswith(REFUSED):
                yield Altered("host", host, "refuses", "", said)
        elif then[host] != said:
            yield Altered("host", host, "changed", then[host], said)


def _judged(skill: Skill) -> dict[str, str]:
    return {host: _said(remarks) for host, remarks in hosts.judge(see(skill.root, skill.documents)).items()}


def _said(remarks: tuple[Remark, ...]) -> str:
    """Return the weightiest remark as a phrase, or `loads` where none is weighty."""
    first = next((remark for remark in remarks if remark.effect in WEIGHTY), None)
    return f"{first.effect}: {first.message}" if first else "loads"
