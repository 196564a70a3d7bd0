"""Settings: what a repository may decide about itself, and what is refused with one sentence."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hermes_git.errors import UserError
from hermes_git.gate.loosening import loosened
from hermes_git.settings import DEFAULTS, LAYOUTS, Paths, parse

QUIET = [
    "",
    *(f'layout = "{name}"' for name in LAYOUTS),
    '[paths]\nmemory = "a b/é/記憶"',
    '[paths]\nskills = ".hermes/skills"\narchive = ".hermes/skills/.archive"',
    '[paths]\nmemory = "knowledge/memory2"',
    '[sessions]\nbranch = "agent/sessions-1"',
    '[sessions]\nplace = "tree"\nfolder = "sessions"',
    '[export]\ntokenizer = "tokenizers/mine.json"',
    "[sessions]\nkeep_days = 36500",
    "[curator]\nsimilarity = 1",
    'requires = ">=0.0.1"',
]

FIRES = {
    '[paths]\nmemory = "../x"': "leaves the repository",
    '[paths]\nmemory = "/x"': "leaves the repository",
    '[paths]\nmemory = ".GIT/x"': "leaves the repository",
    '[paths]\nmemory = "git~1/x"': "leaves the repository",
    '[paths]\nmemory = ".git./x"': "leaves the repository",
    '[paths]\nmemory = ".g\u200cit/x"': "leaves the repository",
    '[paths]\nmemory = "a//b"': "write 'a/b'",
    '[paths]\nmemory = "./a"': "write 'a'",
    '[paths]\nmemory = "a/"': "write 'a'",
    '[paths]\nmemory = "a/./b"': "write 'a/b'",
    '[paths]\nskills = "."': "below the top",
    f'[paths]\nmemory = "{"a" * 256}"': "not a plain path",
    f'[paths]\nmemory = "{"a/" * 2000}b"': "not a plain path",
    '[paths]\nmemory = "hermes-git.toml"': "lies in",
    '[paths]\nwaivers = "hermes-git.toml"': "lies in",
    '[paths]\narchive = "knowledge/memory"': "lies in",
    '[paths]\narchive = "knowledge/skills"': "lies in",
    '[paths]\narchive = "KNOWLEDGE/Skills"': "lies in",
    '[paths]\nmemory = "knowledge/skills/x"': "lies in",
    '[paths]\nskills = "knowledge"': "lies in",
    '[paths]\nskills = "knowledge/archive/skills"': "lies in",
    '[paths]\nwaivers = "knowledge/memory/MEMORY.md"': "lies in",
    '[sessions]\nplace = "tree"\nfolder = "knowledge/memory"': "lies in",
    '[sessions]\nplace = "tree"\nfolder = "a//b"': "not a plain path",
    **{
        f'[sessions]\nbranch = "{name}"': "sessions.branch"
        for name in [
            "", "HEAD", "@", "-d", "a b", "a..b", "/a", "a/", "a//b", "x.lock", "x.lock/y", ".x", "a/.x", "@{-1}",
            "a~1", "a:b", "a\\\\b", "../../x", "refs/heads/x", "proposal/x", "curator/x", "a\\nb", "x" * 300,
        ]
    },
    '[export]\ntokenizer = "/etc/passwd"': "leaves the repository",
    '[export]\ntokenizer = "../x.json"': "leaves the repository",
    '[export]\ntokenizer = ""': "leaves the repository",
    "[sessions]\nkeep_days = 9999999999": "larger than",
    "[curator]\ninterval_hours = 999999999999": "larger than",
    f"[memory]\nmemory_limit = {10**40}": "larger than",
    "[curator]\nsimilarity = nan": "larger than",
    "[curator]\nsimilarity = inf": "larger than",
    "[curator]\nsimilarity = 1.5": "larger than",
    f'requires = ">={"9" * 5000}"': "requires hermes-git",
    f"format = 1\nx = {'9' * 5000}": "not valid TOML",
    "a = " + "[" * 100_000: "not valid TOML",
}  # fmt: skip


@pytest.mark.parametrize("text", QUIET)
def test_settings_that_hold(text: str) -> None:
    parse(text)


@pytest.mark.parametrize(("text", "said"), FIRES.items(), ids=lambda text: text[:40])
def test_settings_that_are_refused(text: str, said: str) -> None:
    with pytest.raises(UserError) as refused:
        parse(text)
    assert said in str(refused.value)


PLACES = {
    "format = 1\n\n[memori]\n": "hermes-git.toml:3: unknown key memori",
    "colour = 1": "hermes-git.toml:1: unknown key colour",
    "[gate]\nscope = 'all'\n[memory]\n# a remark\nunits = 'chars'": "hermes-git.toml:5: unknown key memory.units",
    "[memory]\n\nunit = 'words'": "hermes-git.toml:3: memory.unit = 'words'",
    "[paths]\nmemory = '../x'": "hermes-git.toml:2: paths.memory = '../x'",
    "memory.unit = 'words'": "hermes-git.toml: memory.unit = 'words'",
}


@pytest.mark.parametrize(("text", "said"), PLACES.items(), ids=lambda text: text[:40])
def test_a_mistake_is_named_with_its_line(text: str, said: str) -> None:
    with pytest.raises(UserError) as refused:
        parse(text)
    assert str(refused.value).startswith(said)


def test_moving_a_path_or_forgetting_sooner_loosens() -> None:
    moved = replace(DEFAULTS, paths=Paths(waivers="other.toml"))
    assert list(loosened(DEFAULTS, moved)) == ["paths.waivers from knowledge/waivers.toml to other.toml"]
    sooner = replace(DEFAULTS, sessions=replace(DEFAULTS.sessions, keep_days=30))
    assert list(loosened(DEFAULTS, sooner)) == ["sessions.keep_days from 0 to 30"]
    assert not list(loosened(sooner, DEFAULTS))
