"""Safe mends: each does one thing, done twice is done once, no host comes off worse without being named."""

from __future__ import annotations

from pathlib import Path

import pytest

from hermes_git.document import Document
from hermes_git.knowledge import fixes, hosts
from hermes_git.knowledge.frontmatter import BadHeader, read
from hermes_git.knowledge.seen import see
from tests.knowledge.real_skills import skill_files


def page(*rows: str, name: str = "x", description: str = "Checks links.") -> str:
    head = [f"name: {name}", f"description: {description}", *rows]
    return "---\n" + "\n".join(head) + "\n---\n# X\n\n---\n\nmore\n"


MENDS = {
    "byte order mark": ("\ufeff" + page(), page()),
    "colon": (page(description="Use when: now"), page(description='"Use when: now"')),
    "list in brackets": (
        page("platforms: [linux, macos]", "license: MIT"),
        page("platforms:", "  - linux", "  - macos", "license: MIT"),
    ),
    "numbers keep their form": (
        page("metadata: {a: 1.10, b: [yes, '017']}"),
        page("metadata:", "  a: 1.10", "  b:", "    - yes", "    - '017'"),
    ),
    "tools": (page("allowed-tools: [Bash, Read]"), page("allowed-tools: Bash Read")),
    "version": (page("version: 1.0", "license: MIT"), page("license: MIT", "metadata:", "  version: 1.0")),
    "tags": (
        page("tags:", "  - Git", "metadata:", "    author: me"),
        page("metadata:", "    author: me", "    hermes:", "      tags:", "        - Git"),
    ),
    "name": (page(name="X"), page()),
    "several": (
        page("version: 0.1.0", "author: Hermes", "tags: [Git]"),
        page("metadata:", "  version: 0.1.0", "  author: Hermes", "  hermes:", "    tags:", "      - Git"),
    ),
}


@pytest.mark.parametrize("case", MENDS)
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_mends(case: str, newline: str) -> None:
    before, after = (text.replace("\n", newline) for text in MENDS[case])
    done = fixes.mend(before, "x")
    assert done[-1].text == after
    assert fixes.mend(after, "x") == ()


LEFT_ALONE = {
    "nothing to do": page(),
    "tools with blanks": page("allowed-tools:", "  - Bash(git add *)"),
    "empty list": page("platforms: []"),
    "a comment beside": page("platforms: [linux] # only there"),
    "openclaw reads the version at the top": page("version: 1.0.0", "metadata:", "  openclaw:", "    emoji: x"),
    "hermes reads platforms at the top": page("platforms:", "  - linux"),
    "claude code reads its keys at the top": page("model: opus", "context: fork"),
    "another name": page(name="y"),
    "metadata is text": page("version: 1", "metadata: text"),
    "unreadable": "---\nname: [\n---\n",
    "no header": "# X\n",
}


@pytest.mark.parametrize("case", LEFT_ALONE)
def test_left_alone(case: str) -> None:
    assert fixes.mend(LEFT_ALONE[case], "x") == ()


def test_a_loss_names_its_host() -> None:
    (fix,) = fixes.mend(page("version: 1.0.0"), "x")
    assert "ClawHub" in fix.loses["openclaw"]


def test_real_skills_are_mended_without_loss(data: Path) -> None:
    mended, refused_before, refused_after = 0, 0, 0
    for number, (path, content) in enumerate(skill_files(data)):
        if number % 10:
            continue
        text = content.decode("utf-8", "replace")
        root = path.rsplit("/", 1)[0]
        done = fixes.mend(text, root.rsplit("/", 1)[-1])
        after = done[-1].text if done else text
        mended += bool(done)
        assert fixes.mend(after, root.rsplit("/", 1)[-1]) == ()
        try:
            assert read(text.removeprefix("\ufeff")).body == read(after).body
        except BadHeader:
            assert after == text
        old, new = (hosts.judge(see(root, (Document(path, say.encode("utf-8")),))) for say in (text, after))
        refused_before += bool(old["agentskills"])
        refused_after += bool(new["agentskills"])
        for host in ("claude-code", "gh", "anthropic"):
            assert hosts.verdict(new[host]) != "refused" or hosts.verdict(old[host]) == "refused", (path, host)
    assert mended > 150
    assert refused_after < refused_before / 2
