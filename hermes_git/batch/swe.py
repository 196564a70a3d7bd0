"""Tasks on repositories: an agent works on a copy, its patch is taken, and the tests are run where it never was."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any

from hermes_git.batch import agent, external, record, work
from hermes_git.batch.dataset import Prompt
from hermes_git.batch.environment import Environment
from hermes_git.batch.external import External
from hermes_git.batch.places import Places
from hermes_git.batch.record import Extra, Recipe, Record
from hermes_git.batch.task import Task
from hermes_git.batch.tools_knowledge import Knowledge
from hermes_git.batch.work import Model, Options, Source
from hermes_git.batch.workspace import Origin
from hermes_git.errors import UserError
from hermes_git.llm.protocol import Chat

SYSTEM = (
    "You work in a copy of a repository: your commands start in its top folder. Make the change that is asked for, in "
    "the files themselves; look at what you changed and run what shows that it works. There is no need to commit. "
    "When you are done, answer in a few words without calling a tool."
)
MAX_TEST_OUTPUT = 8_000
RESOLVED, UNRESOLVED, UNTESTED_WORD = "resolved", "unresolved", "untested"


@dataclass(frozen=True, slots=True)
class Tests:
    """What the test command said; `ran` is false where a task has none."""

    ran: bool = False
    passed: bool = False
    exit_code: int = -1
    timed_out: bool = False
    output: str = ""

    def as_json(self, command: str) -> dict[str, Any]:
        """Return the columns of a row, which are the same for every task."""
        return {
            "command": command,
            "ran": self.ran,
            "passed": self.passed,
            "exit_code": self.exit_code,
            "timed_out": self.timed_out,
            "output": self.output,
        }


UNTESTED = Tests()


@dataclass(frozen=True, slots=True)
class TaskJob:
    """All that a worker needs to work on tasks; without a source there is no knowledge to use."""

    recipe: Recipe
    model: Model
    options: Options
    places: Places
    source: Source | None = None
    may_fetch: bool = False
    agent: External | None = None

    def build(self) -> Callable[[Prompt], Record]:
        """Return the step."""
        other, source = self.agent, self.source
        if other is not None:
            return lambda prompt: carry_out(self, lambda task, origin: _delegated(self, other, task, origin), prompt)
        chat = self.model.open()
        knowledge = Knowledge.at(source.repo, source.settings, source.commit) if source else None
        return lambda prompt: carry_out(self, lambda task, origin: _worked(self, chat, knowledge, task, origin), prompt)


Work = Callable[[Task, Origin], Record]
"""What is done with a task once its repository is at hand."""


def carry_out(job: TaskJob, do: Work, prompt: Prompt) -> Record:
    """Let an agent work on one task and judge the result; a task that cannot be set up is a failure with its reason."""
    assert isinstance(prompt, Task)  # noqa: S101 - the dataset was read as tasks
    start = time.monotonic()
    try:
        with job.places.scratch(f"{prompt.id}-origin") as folder:
            origin = Origin.of(prompt, folder / "origin.git", may_fetch=job.may_fetch)
            return work.timed(do(prompt, origin), start)
    except UserError as error:
        return record.failed(prompt, "task", str(error), time.monotonic() - start)


def _worked(job: TaskJob, chat: Chat, knowledge: Knowledge | None, task: Task, origin: Origin) -> Record:
    toolsets = job.options.distribution.sample(job.options.seed, task.id)
    system = "\n\n".join(part for part in (SYSTEM, knowledge.prompt(toolsets) if knowledge else "") if part)
    with copy_of(job.places, task, origin) as environment:
        kit = work.kit_of(toolsets, knowledge, environment)
        found = agent.run(chat, kit, work.assignment(job.options, task.text, system))
        if found.error is None:
            environment.fetch()
            patch = origin.patch(environment.folder)
    session = record.session_of(task, found, job.recipe, system=system, tools=work.schemas(kit.tools))
    extra = record.NOTHING if found.error else outcome(job.places, task, origin, patch)
    return record.of_run(task, found, session, job.recipe, toolsets=toolsets, extra=extra)


def _delegated(job: TaskJob, other: External, task: Task, origin: Origin) -> Record:
    """Let an agent of others work on a task."""
    with copy_of(job.places, task, origin) as environment:
        try:
            session = external.perform(other, task.text, environment.folder)
        except UserError as error:
            return record.failed(task, "agent", str(error))
        patch = origin.patch(environment.folder)
    extra = outcome(job.places, task, origin, patch)
    return external.of_session(task, session, job.recipe, extra=extra)


@contextlib.contextmanager
def copy_of(places: Places, task: Task, origin: Origin, patch: bytes | None = None) -> Iterator[Environment]:
    """Yield an environment on a fresh copy of a task's repository, set up.

    With a patch it is the copy for the tests: patched, the tests' own files on top, and without a history.
    """
    with places.scratch(task.id) as folder:
        origin.check_out(folder)
        if patch is None:
            origin.give_history(folder)
        else:
            origin.apply(folder, patch)
            origin.overrule(folder, task.test_patch.encode("utf-8"))
        environment = places.open(folder, image=task.image, cwd=task.cwd)
        try:
            _set_up(environment, task.setup_command)
            yield environment
        finally:
            environment.close()


def _set_up(environment: Environment, command: str) -> None:
    done = environment.run(command) if command else None
    if done is not None and done.exit_code != 0:
        said = done.output[-300:].strip()
        raise UserError(f"the setup command failed (exit code {done.exit_code}): {said}", hint="try it by hand")


def outcome(places: Places, task: Task, origin: Origin, patch: bytes) -> Extra:
    """Judge a patch and return what goes into the row."""
    tests = _tested(places, task, origin, patch) if task.test_command else UNTESTED
    text = patch.decode("utf-8", "replace")
    columns: dict[str, Any] = {
        "patch": text,
        "patch_is_exact": text.encode("utf-8") == patch,
        "tests": tests.as_json(task.test_command),
    }
    word = (RESOLVED if tests.passed else UNRESOLVED) if tests.ran else UNTESTED_WORD
    fields = {"repository": PurePosixPath(task.repository).name, "base_commit": origin.commit, "task": word}
    return Extra(UNRESOLVED if word == UNRESOLVED else "", columns, fields)


def _tested(places: Places, task: Task, origin: Origin, patch: bytes) -> Tests:
    """Run the tests on a fresh copy, where the agent never was."""
    with copy_of(places, task, origin, patch) as environment:
        done = environment.run(task.test_command)
    return Tests(True, done.exit_code == 0, done.exit_code, done.timed_out, done.output[-MAX_TEST_OUTPUT:])
