"""The steps of the tour, in order; each is a few commands and a sentence on why they matter."""

from __future__ import annotations

from collections.abc import Callable

from hermes_git import files
from hermes_git.commands import packaged
from hermes_git.commands.tour_stage import Stage

NOW = "2026-11-29T12:00:00Z"
AGENT = {"HERMES_GIT_ACTOR": "agent:claude-code"}
TOKEN_MARK = b"{{FAKE_TOKEN}}"


def dated(day: str) -> dict[str, str]:
    """Return the environment that dates a commit."""
    return {"GIT_AUTHOR_DATE": f"{day}T10:00:00Z", "GIT_COMMITTER_DATE": f"{day}T10:00:00Z"}


def start(stage: Stage) -> None:
    """Make the repository."""
    stage.env |= dated("2026-05-04")
    stage.run(f"hermes-git init {stage.repo.name}", cwd=stage.folder)
    stage.run("git log --stat --format=%s", show=20)


def remember(stage: Stage) -> None:
    """Write memory through the gate, and see what it refuses."""
    stage.env |= dated("2026-05-05")
    stage.run('hermes-git memory add "The staging host is staging-1.example.invalid."')
    stage.run('hermes-git memory add "Dates are compared in UTC, never in local time."')
    stage.run('hermes-git memory add "Answers should be short." --target user')
    stage.run('hermes-git memory add "Dates are compared in  UTC, never in local time"')
    stage.say("\nA rewrite names the entry; what the words could mean otherwise is an error that lists the candidates.")
    stage.run(
        'hermes-git memory replace --old-text "staging-1" --new-text "The staging host is staging-2.example.invalid."'
    )
    stage.run('hermes-git memory replace --old-text "production" --new-text "x"', expect=2)
    stage.run("hermes-git memory list")
    stage.say(
        "\nPlain edits work too. An agent's commit that drops an entry must say so; the refusal shows the line to add."
    )
    path = stage.repo / "knowledge/memory/MEMORY.md"
    stage.write(path, path.read_bytes().split("\n§\n".encode())[0] + b"\n")
    stage.run("git diff --unified=0", show=14)
    stage.run("git commit --quiet --all -m 'tidy up'", expect=1, env=AGENT)
    stage.run("hermes-git memory discard")


def teach(stage: Stage) -> None:
    """Commit skills; the poisoned one is stopped by the hook."""
    stage.env |= dated("2026-05-06")
    stage.copy("skills", "knowledge/skills")
    stage.run("git add knowledge/skills")
    stage.run("git commit --quiet -m 'skills: links, flaky tests, the old network'", env=AGENT)
    stage.copy("poisoned", "knowledge/skills/devops")
    stage.run("git add knowledge/skills")
    stage.run("git commit --quiet -m 'skills: deploy faster'", expect=1, env=AGENT)
    stage.run("hermes-git explain HG622", show=12)
    stage.run("git reset --quiet --hard")
    stage.run("git clean --quiet -fd")
    stage.run("hermes-git skill list")


def recall(stage: Stage) -> None:
    """Import sessions of four agents and search them."""
    stage.env |= dated("2026-11-28")
    source = packaged.folder("tour") / "sessions"
    token = b"ghp" + b"_" + b"16C7e42F292c6912E7710c838347Ae178B4a"
    for path, real in files.walk(source):
        stage.write(stage.folder / "sessions" / path, files.read_bytes(real).replace(TOKEN_MARK, token))
    stage.run("hermes-git session import ../sessions")
    stage.run("git log --format=%s hermes/sessions")
    stage.run("hermes-git session list")
    stage.run("hermes-git search why did the date test fail", show=24)
    stage.run("hermes-git search 部署", show=12)
    stage.say("\nThe token that one session held was replaced before anything was written:")
    stage.run("git grep -c ghp_ hermes/sessions", expect=1)


def curate(stage: Stage) -> None:
    """Let the curator propose; nothing is deleted."""
    stage.run(f"hermes-git curate --now {NOW}", show=30)
    out = stage.run(f"hermes-git curate --apply --now {NOW}", show=12)
    branch = next((word.strip(".,;:`'\"") for word in out.split() if word.startswith("curator/")), "")
    if branch:
        stage.run(f"git log --format=%s --stat main..{branch}", show=30)
        stage.run(f"git merge --quiet --no-edit {branch}")
        stage.run("hermes-git skill list", show=20)


def export(stage: Stage) -> None:
    """Turn the history into training rows, and measure what compression costs."""
    stage.run("hermes-git export --out ../rows --style sharegpt")
    stage.run("hermes-git export --out ../rows-small --budget 1500 --style sharegpt")
    stage.run("hermes-git trajectory validate --for llamafactory ../rows ../rows-small", show=12)
    stage.run("hermes-git eval compression --input ../rows --budgets 1500 --out ../scores", show=24)


def look_after(stage: Stage) -> None:
    """See where everything stands, and take back the last write."""
    stage.run('hermes-git memory add "This was a mistake."')
    stage.run("hermes-git undo")
    stage.run("hermes-git status")
    stage.run("hermes-git doctor")


STEPS: tuple[tuple[str, Callable[[Stage], None]], ...] = (
    ("A repository for knowledge", start),
    ("Memory, through a gate", remember),
    ("Skills, and one that is poisoned", teach),
    ("Sessions of four agents, searched without a model", recall),
    ("A curator that only proposes", curate),
    ("Training rows, and what compression lost", export),
    ("Looking after it", look_after),
)
