"""What a worker does with a prompt: tools by its toolsets, the agent on it, a record out of it."""

from __future__ import annotations

import contextlib
import json
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import msgspec

from hermes_git.batch import agent, external, record, tools_knowledge, tools_work
from hermes_git.batch.agent import Assignment
from hermes_git.batch.dataset import Prompt
from hermes_git.batch.environment import Environment
from hermes_git.batch.external import External
from hermes_git.batch.kit import Bound, Kit
from hermes_git.batch.places import Places
from hermes_git.batch.record import Recipe, Record
from hermes_git.batch.tools_knowledge import Knowledge
from hermes_git.batch.toolsets import TOOLSETS, Distribution
from hermes_git.errors import UserError
from hermes_git.gitrepo.repository import Repository
from hermes_git.llm import scripted
from hermes_git.llm.client import Client, Limits
from hermes_git.llm.endpoint import Endpoint
from hermes_git.llm.protocol import Chat, Message, Sampling, Tool
from hermes_git.settings import Settings

LIMITS = Limits()
WORKING = ("file", "terminal")


@dataclass(frozen=True, slots=True)
class Model:
    """A model that can be sent to another process: an endpoint, or the bytes of a script; neither for no model."""

    endpoint: Endpoint | None = None
    limits: Limits = LIMITS
    script: bytes = b""
    where: str = ""

    @property
    def name(self) -> str:
        """Return what the run says about it; never a key."""
        return self.endpoint.model if self.endpoint else f"script {self.where}" if self.script else ""

    def open(self) -> Chat:
        """Return the model."""
        return Client(self.endpoint, self.limits) if self.endpoint else scripted.parse(self.script, where=self.where)


@dataclass(frozen=True, slots=True)
class Source:
    """The repository whose knowledge agents use, at one commit ("" before the first)."""

    repo: Repository
    settings: Settings
    commit: str


@dataclass(frozen=True, slots=True)
class Options:
    """How agents of a run work."""

    distribution: Distribution
    seed: int = 0
    max_turns: int = 10
    sampling: Sampling = agent.USUAL
    ephemeral: str = ""
    prefill: tuple[Message, ...] = ()


@dataclass(frozen=True, slots=True)
class PromptJob:
    """All that a worker needs to work on prompts of a dataset."""

    recipe: Recipe
    model: Model
    options: Options
    source: Source
    places: Places
    agent: External | None = None

    def build(self) -> Callable[[Prompt], Record]:
        """Return the step, with a model and knowledge of its own."""
        other = self.agent
        if other is not None:
            return lambda prompt: delegated(other, self.recipe, self.places, prompt)
        chat = self.model.open()
        knowledge = Knowledge.at(self.source.repo, self.source.settings, self.source.commit)
        return lambda prompt: work(self, chat, knowledge, prompt)


def work(job: PromptJob, chat: Chat, knowledge: Knowledge, prompt: Prompt) -> Record:
    """Let an agent work on one prompt."""
    start = time.monotonic()
    toolsets = job.options.distribution.sample(job.options.seed, prompt.id)
    system = knowledge.prompt(toolsets)
    try:
        with environment_for(job.places, prompt, toolsets) as environment:
            kit = kit_of(toolsets, knowledge, environment)
            found = agent.run(chat, kit, assignment(job.options, prompt.text, system))
    except UserError as error:
        return record.failed(prompt, "environment", str(error), time.monotonic() - start)
    session = record.session_of(prompt, found, job.recipe, system=system, tools=schemas(kit.tools))
    return timed(record.of_run(prompt, found, session, job.recipe, toolsets=toolsets), start)


def delegated(other: External, recipe: Recipe, places: Places, prompt: Prompt) -> Record:
    """Let an agent of others work on one prompt."""
    start = time.monotonic()
    with places.scratch(prompt.id) as folder:
        try:
            session = external.perform(other, prompt.text, folder)
        except UserError as error:
            return record.failed(prompt, "agent", str(error), time.monotonic() - start)
    return timed(external.of_session(prompt, session, recipe), start)


@contextlib.contextmanager
def environment_for(places: Places, prompt: Prompt, toolsets: Sequence[str]) -> Iterator[Environment | None]:
    """Yield an environment in a scratch folder, or nothing where no tool needs one."""
    if not set(toolsets) & set(WORKING):
        yield None
        return
    with places.scratch(prompt.id) as folder:
        environment = places.open(folder, image=prompt.image, cwd=prompt.cwd)
        try:
            yield environment
        finally:
            environment.close()


def assignment(options: Options, prompt: str, system: str) -> Assignment:
    """Return what an agent is to do."""
    return Assignment(prompt, system, options.max_turns, options.sampling, options.ephemeral, options.prefill)


def kit_of(toolsets: Sequence[str], knowledge: Knowledge | None, environment: Environment | None) -> Kit:
    """Return the tools of the toolsets."""
    bound: list[Bound] = []
    for toolset in toolsets:
        if toolset == "terminal" and environment is not None:
            bound.append(tools_work.terminal(environment))
        elif toolset == "file" and environment is not None:
            bound += tools_work.file_tools(environment)
        elif knowledge is not None and toolset not in WORKING:
            bound += tools_knowledge.bound(knowledge, toolset)
    return Kit.of(bound)


def schemas(tools: Sequence[Tool]) -> str:
    """Return tools as a session keeps them: JSON text of a list of function schemas."""
    rows = [{"name": tool.name, "description": tool.description, "parameters": dict(tool.parameters)} for tool in tools]
    return json.dumps(rows, ensure_ascii=False)


def timed(made: Record, start: float) -> Record:
    """Return a record with the seconds since a start."""
    return msgspec.structs.replace(made, seconds=round(time.monotonic() - start, 3))


def tool_names(distribution: Distribution) -> tuple[str, ...]:
    """Return the tools that prompts of a distribution can have."""
    return tuple(name for toolset, percent in distribution.percent if percent for name in TOOLSETS[toolset])
