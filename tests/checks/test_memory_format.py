"""Memory files as Hermes reads them."""

from __future__ import annotations

from tests.checks.judging import judge

PLAIN = "# Schedule\n- daily: site check\n\n## Projects\n" + "- project line\n" * 300


def test_plain_markdown_is_one_format_finding() -> None:
    found = [finding for finding in judge(("MEMORY.md", PLAIN)) if finding.check.startswith("HG25")]
    assert [(finding.check, finding.path, finding.line) for finding in found] == [("HG252", "MEMORY.md", 1)]


def test_real_entries_are_clean() -> None:
    assert judge(("knowledge/memory/MEMORY.md", "uses zsh\n§\ntimezone UTC+2\n§\nnever force-push")) == ()
    assert judge(("MEMORY.md", "uses zsh\r\n§\r\ntimezone UTC+2")) == ()


def test_look_alikes_of_the_separator_are_named_with_their_line() -> None:
    found = judge(("USER.md", "one\n § \ntwo\n§§\nthree\nlaw § 12\n"), select=("HG251",))
    assert [finding.line for finding in found] == [2, 4]


def test_a_template_inside_a_skill_is_no_memory() -> None:
    skill = ("x/SKILL.md", "---\nname: x\ndescription: Does x.\n---\n")
    assert judge(skill, ("x/templates/MEMORY.md", PLAIN), select=("HG25",)) == ()
